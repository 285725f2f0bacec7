import { aspectByDisplay } from '../../display.ts';
import type { Track } from '../../track.ts';
import type { BoxWriter } from './box-writer.ts';
import type { ByteReader } from './byte-reader.ts';
import { isUnityMatrix, writeUnityMatrix } from './movie-header.ts';

/** `tkhd` (ISO/IEC 14496-12, 8.3.2): header of one track. */
export interface TrackHeader {
  readonly trackId: number;
  readonly isEnabled: boolean;
  /** Tracks of one group other than 0 are alternatives to each other. */
  readonly alternateGroup: number;
  /** Duration in the timescale of the movie; 0 if fragments follow. */
  readonly durationTicks: number;
  /** Whether the track is audio: its volume is not 0. */
  readonly isAudio: boolean;
  /** Display size of pictures in square pixels; 0 for audio. */
  readonly displayWidth: number;
  readonly displayHeight: number;
  /** Transformation of pictures for display (8.3.2.3), nine fields of 32 bits; absent for the identity. */
  readonly matrix?: readonly number[];
}

export function readTrackHeader(body: ByteReader): TrackHeader | undefined {
  const versionAndFlags = body.u32();
  const version = versionAndFlags >>> 24;
  body.skip(version === 1 ? 16 : 8);
  const trackId = body.u32();
  body.skip(4);
  const durationTicks = version === 1 ? body.u64() : body.u32();
  body.skip(8 + 2);
  const alternateGroup = body.u16();
  const volume = body.u16();
  body.skip(2);
  const matrix = Array.from({ length: 9 }, () => body.u32());
  const displayWidth = body.u32() / 0x1_0000;
  const displayHeight = body.u32() / 0x1_0000;
  if (body.isShort) return undefined;
  const isEnabled = (versionAndFlags & 1) !== 0;
  return {
    trackId,
    isEnabled,
    alternateGroup,
    durationTicks,
    isAudio: volume > 0,
    displayWidth,
    displayHeight,
    ...(isUnityMatrix(matrix) ? {} : { matrix }),
  };
}

/** Writes `tkhd`, with flags for a track that is part of the movie and of its preview. */
export function writeTrackHeader(out: BoxWriter, value: TrackHeader): void {
  const version = value.durationTicks > 0xffff_ffff ? 1 : 0;
  out.openFull('tkhd', version, 6 | (value.isEnabled ? 1 : 0)).zeros(version === 1 ? 16 : 8);
  out.u32(value.trackId).zeros(4);
  if (version === 1) out.u64(value.durationTicks);
  else out.u32(value.durationTicks);
  out
    .zeros(10)
    .u16(value.alternateGroup)
    .u16(value.isAudio ? 0x0100 : 0)
    .zeros(2);
  if (value.matrix) for (const field of value.matrix) out.u32(field);
  else writeUnityMatrix(out);
  out
    .u32(Math.round(value.displayWidth * 0x1_0000))
    .u32(Math.round(value.displayHeight * 0x1_0000))
    .close();
}

/** Track with the aspect ratio and the transformation of its header. */
export function withDisplay(track: Track, head: TrackHeader): Track {
  if (track.content !== 'video') return track;
  const aspect = aspectByDisplay(track, head.displayWidth, head.displayHeight);
  return head.matrix ? { ...track, ...aspect, displayMatrix: head.matrix } : { ...track, ...aspect };
}
