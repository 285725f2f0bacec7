import { forEachSample } from '../../media/containers/isobmff/chunk-reader.ts';
import { cutPieces, type Piece } from '../../segment/media-bytes.ts';
import type { Part } from '../../segment/segment-window.ts';

/** One sample of a clip, on a timeline that starts with the first step. */
export interface ClipSample {
  readonly dtsTicks: number;
  readonly ptsTicks: number;
  readonly durationTicks: number;
  readonly sizeBytes: number;
  readonly isSync: boolean;
  /** Offset of the first byte of the sample in its part. */
  readonly offset: number;
  readonly part: Part;
  /** Parameter sets before the sample, if decoding can start with it. */
  readonly sets: Uint8Array | undefined;
}

/** Samples of a part with their original times. */
export function samplesOf(part: Part): Omit<ClipSample, 'sets'>[] {
  const [header] = part.pieces;
  const samples: Omit<ClipSample, 'sets'>[] = [];
  if (!header || 'file' in header) return samples;
  forEachSample(
    header.bytes,
    (offset, sizeBytes, dtsTicks, ptsTicks, durationTicks, isSync) => {
      samples.push({ dtsTicks, ptsTicks, durationTicks, sizeBytes, isSync, offset, part });
    },
    0,
    false,
  );
  return samples;
}

/** Bytes of samples with their parameter sets; adjacent samples become one piece. */
export function piecesOf(samples: readonly ClipSample[]): Piece[] {
  const pieces: Piece[] = [];
  for (let at = 0; at < samples.length;) {
    const first = samples[at] as ClipSample;
    if (first.sets) pieces.push({ bytes: first.sets });
    let end = first.offset + first.sizeBytes;
    for (at++; at < samples.length; at++) {
      const next = samples[at] as ClipSample;
      if (next.part !== first.part || next.offset !== end || next.sets) break;
      end += next.sizeBytes;
    }
    pieces.push(...cutPieces(first.part.pieces, first.offset, end));
  }
  return pieces;
}
