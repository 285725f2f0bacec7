import type { BoxWriter } from './box-writer.ts';
import type { ByteReader } from './byte-reader.ts';
import { isUnityMatrix, writeUnityMatrix } from './movie-header.ts';

/** `tkhd` (ISO/IEC 14496-12, 8.3.2): one track as the presentation sees it. */
export interface TrackHeader {
  readonly trackId: number;
  readonly isEnabled: boolean;
  /** Tracks of one group other than 0 are played in place of each other. */
  readonly alternateGroup: number;
  /** In the timescale of the movie; 0 where fragments follow. */
  readonly durationTicks: number;
  /** Whether the track is heard: full volume or none. */
  readonly isAudio: boolean;
  /** Size at which pictures are shown, in pixels that are square; 0 for audio. */
  readonly displayWidth: number;
  readonly displayHeight: number;
  /** Transformation of pictures for display (8.3.3), nine fields of 32 bits; absent where pictures stay as they are. */
  readonly matrix?: readonly number[];
}

/** Reads the body of `tkhd`. */
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

/** Writes `tkhd`, as part of the movie and of its preview. */
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
