import type { CallOutput } from '../../../../src-preload/contract/index.ts';
import { xOf, type TimeScale } from '../time-scale.ts';

/** Short-term loudness of a stream in a time range (EBU R 128). */
export type LoudnessCurve = CallOutput<'archive.loudness'>;

/** Loudness at the bottom and at the top of a lane, in LUFS; values beyond are drawn at the edge. */
const LOUDNESS_RANGE = { low: -59, high: -5 } as const;

/** Part of a curve: left edge and width in pixels, lowest and highest value as fractions of the height. */
export interface LoudnessBar {
  readonly x: number;
  readonly width: number;
  readonly low: number;
  readonly high: number;
}

/** Bars of a curve on a timeline, at most one per pixel. */
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
    // Up to the start of the next bar: the colour is translucent, and an overlap would show.
    const end = Math.floor(xOf(scale, from + (index + 1) * stepMs));
    last = { x, width: Math.max(1, end - x), low: shareOf(quiet), high: shareOf(loud) };
    bars.push(last);
  }
  return bars;
}

/** Loudness at a moment: maximum of its step, in LUFS; undefined without a measurement. */
export function loudnessAt({ from, step_ms: stepMs, high }: LoudnessCurve, ms: number): number | undefined {
  return high[Math.floor((ms - from) / stepMs)] ?? undefined;
}

function shareOf(level: number): number {
  const { low, high } = LOUDNESS_RANGE;
  return Math.min(1, Math.max(0, (level - low) / (high - low)));
}
