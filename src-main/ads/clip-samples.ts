import { forEachSample } from '../media/containers/isobmff/chunk-reader.ts';
import { convertTicks } from '../media/timing/ticks.ts';
import { cutPieces, type Piece } from '../segment/media-bytes.ts';
import type { Part } from '../segment/segment-window.ts';
import type { ClipLoop, LoopStep } from './clip-loop.ts';
import type { Clip } from './clip.ts';

/** One sample of a clip, on a timeline that begins with the first step. */
export interface ClipSample {
  readonly dtsTicks: number;
  readonly ptsTicks: number;
  readonly durationTicks: number;
  readonly sizeBytes: number;
  readonly isSync: boolean;
  /** Where its first byte lies in its part. */
  readonly offset: number;
  readonly part: Part;
  /** Parameter sets that stand before it, where decoding can start with it. */
  readonly sets: Uint8Array | undefined;
}

/** What a track is read as. */
export interface SampledTrack {
  readonly id: string;
  readonly content: 'video' | 'audio';
  readonly timescale: number;
}

/**
 * The samples of a track from a step of a loop on, in decoding order, without an end: no media is read, only the headers of its chunks, which lie in
 * memory. Pictures count from the first one of the first step; sound counts from the same place of its clip, and that of the step before comes first,
 * because its last unit may be the one that is nearest to where the step begins.
 */
export function* samplesFrom(
  loop: ClipLoop,
  step: number,
  track: SampledTrack,
  setsOf: (clip: Clip) => Uint8Array | undefined,
): Generator<ClipSample, undefined> {
  const isSound = track.content === 'audio';
  const ticksOf = ({ durationMs }: LoopStep): number => Math.round((durationMs * track.timescale) / 1000);
  const first = isSound ? Math.max(0, step - 1) : step;
  let passedTicks = first < step ? -ticksOf(loop.step(first)) : 0;
  for (let number = first, empty = 0; empty < loop.length; number++) {
    const current = loop.step(number);
    const { clip, index, leader } = current;
    const own = clip.window.segments(track.id)[index]?.segment;
    const [part] = own?.parts ?? [];
    const samples = own && part ? samplesOf(part) : [];
    const leaderScale = clip.window.tracks[0]?.track.timescale ?? track.timescale;
    const beginTicks = convertTicks(leader.startTicks, leaderScale, track.timescale);
    const zero = {
      dtsTicks: isSound ? beginTicks : (samples[0]?.dtsTicks ?? 0),
      ptsTicks: isSound ? beginTicks : (own?.startTicks ?? 0),
    };
    let lengthTicks = 0;
    const sets = isSound ? undefined : setsOf(clip);
    for (const sample of samples) {
      lengthTicks += sample.durationTicks;
      yield {
        ...sample,
        sets: sample.isSync ? sets : undefined,
        dtsTicks: sample.dtsTicks - zero.dtsTicks + passedTicks,
        ptsTicks: sample.ptsTicks - zero.ptsTicks + passedTicks,
      };
    }
    empty = samples.length === 0 ? empty + 1 : 0;
    passedTicks += isSound ? ticksOf(current) : lengthTicks;
  }
  return undefined;
}

/** The samples of a part, with the times that they have there. */
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

/** The bytes of samples with their parameter sets, those that lie side by side as one piece. */
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
