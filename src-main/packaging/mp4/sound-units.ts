import { forEachSample } from '../../media/containers/isobmff/chunk-reader.ts';
import type { AudioTrack } from '../../media/track.ts';
import { readMedia } from '../../segment/media-bytes.ts';
import type { SegmentWindow } from '../../segment/segment-window.ts';

/**
 * Consecutive access units, copied into one buffer: sending one buffer to another process is much cheaper than sending
 * hundreds.
 */
interface PackedUnits {
  readonly bytes: Uint8Array;
  /** Size of each unit, in bytes. */
  readonly sizes: Uint32Array;
}

/** Coded sound of a window: consecutive access units. */
export interface SoundUnits {
  readonly track: AudioTrack;
  readonly units: PackedUnits;
  /** Start and end on the timeline of the window, in milliseconds. */
  readonly fromMs: number;
  readonly toMs: number;
}

/** Tolerance for rounded starts of parts, in milliseconds. */
const ROUNDING_MS = 1;

/**
 * Audio of the first audio track in the parts that start at or after a time; undefined if there is none. Leaves out
 * parts with many chunks, as archives have. Rejects with the error of the file.
 */
export async function soundUnits(window: SegmentWindow, fromMs: number): Promise<SoundUnits | undefined> {
  const track = window.tracks.find(({ track: { content } }) => content === 'audio')?.track;
  const bounds = window.bounds();
  if (track?.content !== 'audio' || !bounds) return undefined;
  const sizes: number[] = [];
  const pieces: Uint8Array[] = [];
  let firstMs: number | undefined;
  let toMs = fromMs;
  for (const { segment, startMs } of window.segments(track.id, { fromMs, toMs: bounds.toMs })) {
    let partMs = startMs;
    for (const part of segment.parts) {
      const isInRange = partMs >= fromMs - ROUNDING_MS;
      partMs += (part.durationTicks * 1000) / track.timescale;
      if (!isInRange || part.hasManyChunks) continue;
      firstMs ??= partMs - (part.durationTicks * 1000) / track.timescale;
      const bytes = await readMedia(part);
      // The samples of a part are adjacent.
      let [from, end] = [-1, 0];
      forEachSample(bytes, (start, sizeBytes) => {
        if (from < 0) from = start;
        end = start + sizeBytes;
        sizes.push(sizeBytes);
      });
      if (from >= 0) pieces.push(Uint8Array.from(bytes.subarray(from, end)));
      toMs = partMs;
    }
  }
  if (sizes.length === 0 || firstMs === undefined) return undefined;
  const units = { bytes: new Uint8Array(Buffer.concat(pieces)), sizes: Uint32Array.from(sizes) };
  return { track, units, fromMs: firstMs, toMs };
}

/** Coded sound for a decoder. */
interface DecodableSound {
  readonly codec: Exclude<AudioTrack['codec'], 'opus'>;
  /** AudioSpecificConfig of AAC; empty for other codecs. */
  readonly decoderConfig: Uint8Array;
  readonly units: PackedUnits;
}

/** Sound of a window for a decoder; undefined if there are fewer than two units, or if it is Opus, which is not decoded. */
export function decodableSound(sound: SoundUnits | undefined): DecodableSound | undefined {
  if (!sound || sound.units.sizes.length < 2 || sound.track.codec === 'opus') return undefined;
  const { codec, decoderConfig } = sound.track;
  return { codec, decoderConfig: codec === 'aac' ? decoderConfig : new Uint8Array(), units: sound.units };
}
