import type { CallOutput } from '../../../../src-preload/contract/index.ts';
import { xOf, type TimeScale } from '../time/time-scale.ts';

/** The short-term loudness of a stream in a range of time (EBU R128). */
export type LoudnessCurve = CallOutput<'archive.loudness'>;

/** What the bottom and the top of a lane stand for, in LUFS: quieter and louder is drawn at the edge. */
const LOUDNESS_RANGE = { low: -59, high: -5 } as const;

/** A part of a curve as it is drawn: its left edge and width in pixels, and its lowest and highest as shares of the height. */
export interface LoudnessBar {
  readonly x: number;
  readonly width: number;
  readonly low: number;
  readonly high: number;
}

/** The bars of a curve on a timeline that is so many pixels wide, at most one for each pixel. */
export function loudnessBars(
  { from, step_ms: stepMs, low, high }: LoudnessCurve,
  scale: TimeScale,
  width: number,
): LoudnessBar[] {
  const bars: LoudnessBar[] = [];
  const first = Math.max(0, Math.floor((scale.startMs - from) / stepMs));
  let last: { -readonly [K in keyof LoudnessBar]: LoudnessBar[K] } | undefined;
  for (let index = first; index < low.length; index++) {
    const x = Math.floor(xOf(scale, from + index * stepMs));
    if (x >= width) break;
    const [quiet, loud] = [low[index] ?? null, high[index] ?? null];
    if (quiet === null || loud === null) continue;
    if (last?.x === x) {
      last.low = Math.min(last.low, shareOf(quiet));
      last.high = Math.max(last.high, shareOf(loud));
      continue;
    }
    // Where the next one begins: they are drawn with a colour that shows twice where they lie on each other.
    const end = Math.floor(xOf(scale, from + (index + 1) * stepMs));
    last = { x, width: Math.max(1, end - x), low: shareOf(quiet), high: shareOf(loud) };
    bars.push(last);
  }
  return bars;
}

/** The loudness at a moment: the highest of its step, in LUFS; undefined where nothing was measured. */
export function loudnessAt({ from, step_ms: stepMs, high }: LoudnessCurve, ms: number): number | undefined {
  return high[Math.floor((ms - from) / stepMs)] ?? undefined;
}

function shareOf(level: number): number {
  const { low, high } = LOUDNESS_RANGE;
  return Math.min(1, Math.max(0, (level - low) / (high - low)));
}
