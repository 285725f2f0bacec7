import type { FormatProblem } from '../media/access-unit.ts';
import type { Track } from '../media/track.ts';
import type { InputState } from './failover-state.ts';
import type { InputEnd } from './input.ts';

/** Maximum number of unsupported codecs listed for one input. */
const MAX_LEFT_OUT = 16;

/** Records the tracks that a problem reports as left out. */
export function noteLeftOut(input: InputState, { code, leftOut = [] }: FormatProblem): void {
  for (const one of leftOut) {
    const { content, codec } = one;
    const others = input.leftOut.filter((track) => track.content !== content || track.codec !== codec);
    if (others.length < MAX_LEFT_OUT) input.leftOut = [...others, { ...one, isNew: code !== 'ts_scrambled' }];
  }
}

/** Forgets the left-out tracks of a kind when the same connection later sends a supported track of this kind. */
export function forgetReplaced(input: InputState, tracks: readonly Track[]): void {
  if (input.leftOut.length === 0) return;
  const count = (of: readonly Track[], kind: Track['content']): number =>
    of.filter(({ content }) => content === kind).length;
  input.leftOut = input.leftOut
    .filter(({ content, isNew }) => isNew || count(tracks, content) <= count(input.tracks, content))
    .map((track) => ({ ...track, isNew: false }));
}

/** Records the loss of an input. */
export function noteLoss(input: InputState, nowMs: number): void {
  input.losses = [...input.losses.slice(-1), nowMs];
}

/** Counts a fault of an input. */
export function noteFault(input: InputState, { code, detail, explanation }: InputEnd, nowMs: number): void {
  input.errorCount++;
  input.lastFault = { code, detail, explanation, at: nowMs };
}
