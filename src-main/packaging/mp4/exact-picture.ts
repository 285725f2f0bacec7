import { forEachSample } from '../../media/containers/isobmff/chunk-reader.ts';
import { readMedia } from '../../segment/media-bytes.ts';
import type { SegmentWindow } from '../../segment/segment-window.ts';
import { prefixOf } from '../address.ts';

/** A coded picture with the pictures and the decoder settings that it needs. */
export interface ExactPicture {
  readonly codec: 'h264' | 'h265';
  readonly decoderConfig: Uint8Array;
  /** Random access point: a copy of its NAL units, each after a length of four bytes. */
  readonly data: Uint8Array;
  /** Pictures decoded after it, up to the requested picture, in the same format. */
  readonly following: readonly Uint8Array[];
}

/** Maximum size of a segment that is searched, in bytes; a larger one gives no picture. */
const MAX_BYTES = 32 * 1024 * 1024;

/**
 * Reads the picture of the first video track shown at a time on the timeline of the window, in milliseconds. Undefined if none
 * is shown, or if its segment is too large or does not start with a random access point. Throws the error of the file.
 */
export async function exactPictureAt(window: SegmentWindow, atMs: number): Promise<ExactPicture | undefined> {
  const video = window.tracks.find(({ track }) => track.content === 'video')?.track;
  const entry =
    video && window.segments(video.id, { fromMs: atMs, toMs: atMs + 1 }).find(({ startMs }) => startMs <= atMs);
  const track = entry && window.init(video.id, entry.segment.initId, prefixOf(entry))?.track;
  if (!entry || track?.content !== 'video') return undefined;
  const { startTicks, durationTicks, parts, sizeBytes } = entry.segment;
  // Plus half a millisecond, because pictures are identified by their time in whole milliseconds.
  const atTicks = startTicks + ((atMs - entry.startMs + 0.5) * track.timescale) / 1000;
  if (parts[0]?.isIndependent !== true || sizeBytes > MAX_BYTES || atTicks >= startTicks + durationTicks)
    return undefined;
  const samples: { readonly bytes: Uint8Array; readonly ptsTicks: number }[] = [];
  for (const part of parts) {
    const bytes = await readMedia(part);
    for (let at = 0; at >= 0 && at < bytes.length;)
      at = forEachSample(
        bytes,
        (start, size, _dtsTicks, ptsTicks) => {
          samples.push({ bytes: Uint8Array.from(bytes.subarray(start, start + size)), ptsTicks });
        },
        at,
      );
  }
  let targetIndex = -1;
  for (const [index, { ptsTicks }] of samples.entries())
    if (ptsTicks <= atTicks && ptsTicks > (samples[targetIndex]?.ptsTicks ?? -Infinity)) targetIndex = index;
  const [first] = samples;
  if (!first || targetIndex < 0) return undefined;
  const { codec, decoderConfig } = track;
  return {
    codec,
    decoderConfig,
    data: first.bytes,
    following: samples.slice(1, targetIndex + 1).map(({ bytes }) => bytes),
  };
}
