import { forEachSample } from '../media/containers/isobmff/chunk-reader.ts';
import { convertTicks } from '../media/timing/ticks.ts';
import { cutPieces, type Piece } from '../segment/media-bytes.ts';
import type { Part } from '../segment/segment-window.ts';
import type { ClipLoop, LoopStep } from './clip-loop.ts';
import type { Clip } from './clip.ts';

/** One sample of a clip, on a timeline that starts with the first step. */
export interface ClipSample {
  readonly dtsTicks: number;
  readonly ptsTicks: number;
  readonly durationTicks: number;
  readonly sizeBytes: number;
  readonly isSync: boolean;
  /** Offset of its first byte in its part. */
  readonly offset: number;
  readonly part: Part;
  /** Parameter sets before the sample, if decoding can start with it. */
  readonly sets: Uint8Array | undefined;
}

/** Track to read samples for. */
export interface SampledTrack {
  readonly id: string;
  readonly content: 'video' | 'audio';
  readonly timescale: number;
}

/**
 * Samples of a track from a step of a loop on, in decoding order, without an end. Reads only chunk headers, which are
 * in memory. Video times count from the first picture of the first step. Audio times count from the same position in
 * the clip; audio of the previous step comes first, because its last unit may be the nearest to the start of the step.
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
    const startTicks = convertTicks(leader.startTicks, leaderScale, track.timescale);
    const zero = {
      dtsTicks: isSound ? startTicks : (samples[0]?.dtsTicks ?? 0),
      ptsTicks: isSound ? startTicks : (own?.startTicks ?? 0),
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
