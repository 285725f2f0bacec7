import { forEachSample } from '../../media/containers/isobmff/chunk-reader.ts';
import type { AudioTrack } from '../../media/track.ts';
import { readMedia } from '../../segment/media-bytes.ts';
import type { SegmentWindow } from '../../segment/segment-window.ts';

/** Coded sound of a window: access units that follow each other, as copies. */
export interface SoundUnits {
  readonly track: AudioTrack;
  readonly units: readonly Uint8Array[];
  /** Where it begins and ends on the timeline of the window, in milliseconds. */
  readonly fromMs: number;
  readonly toMs: number;
}

/** Parts whose begin is rounded still count as begun, in milliseconds. */
const ROUNDING_MS = 1;

/** The sound of the first audio track in the parts that begin from a time on; undefined where there is none. Raises what keeps it from being read. */
export async function soundUnits(window: SegmentWindow, fromMs: number): Promise<SoundUnits | undefined> {
  const track = window.tracks.find(({ track: { content } }) => content === 'audio')?.track;
  const bounds = window.bounds();
  if (track?.content !== 'audio' || !bounds) return undefined;
  const units: Uint8Array[] = [];
  let beginMs: number | undefined;
  let toMs = fromMs;
  for (const { segment, startMs } of window.segments(track.id, { fromMs, toMs: bounds.toMs })) {
    let partMs = startMs;
    for (const part of segment.parts) {
      const isWanted = partMs >= fromMs - ROUNDING_MS;
      partMs += (part.durationTicks * 1000) / track.timescale;
      if (!isWanted || part.hasManyChunks) continue;
      beginMs ??= partMs - (part.durationTicks * 1000) / track.timescale;
      const bytes = await readMedia(part);
      forEachSample(bytes, (start, sizeBytes) => {
        units.push(Uint8Array.from(bytes.subarray(start, start + sizeBytes)));
      });
      toMs = partMs;
    }
  }
  return units.length === 0 || beginMs === undefined ? undefined : { track, units, fromMs: beginMs, toMs };
}

/** Coded sound as decoders take it. */
interface DecodableSound {
  readonly codec: Exclude<AudioTrack['codec'], 'opus'>;
  /** AudioSpecificConfig of AAC; empty for the others. */
  readonly decoderConfig: Uint8Array;
  readonly units: readonly Uint8Array[];
}

/** The sound of a window for a decoder; undefined where there is none, or none that can be decoded. */
export function decodableSound(sound: SoundUnits | undefined): DecodableSound | undefined {
  if (!sound || sound.units.length < 2 || sound.track.codec === 'opus') return undefined;
  const { codec, decoderConfig } = sound.track;
  return { codec, decoderConfig: codec === 'aac' ? decoderConfig : new Uint8Array(), units: sound.units };
}
