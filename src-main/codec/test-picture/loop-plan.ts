import type { TestPictureOptions } from './test-picture-options.ts';

/** Sample rate of the test tone, and samples per frame (AAC-LC). */
export const TONE_SAMPLE_RATE = 48_000;
export const TONE_SAMPLES_PER_FRAME = 1024;

/** Length of a loop: the pictures last exactly as long as the audio frames. */
export interface LoopPlan {
  readonly pictures: number;
  readonly audioFrames: number;
  /** Length of the loop in 90 kHz ticks. */
  readonly loopTicks: number;
  /** Pictures per second of the burnt-in clock: 25, or 30 for 29.97. */
  readonly picturesPerSecond: number;
}

/** Maximum length of a loop of whole seconds or whole GOPs, and minimum length of any loop. */
const LONGEST_LOOP_SECONDS = 40;
const SHORTEST_LOOP_SECONDS = 10;

/**
 * Chooses the length of a loop: at least ten seconds, exact in pictures and audio frames so that neither drifts, and in
 * whole seconds and whole GOPs if that stays short. Undefined if no short loop is exact.
 */
export function planLoop(options: TestPictureOptions): LoopPlan | undefined {
  const { fpsNumerator: numerator, fpsDenominator: denominator, gopFrames } = options;
  const fps = numerator / denominator;
  const picturesPerSecond = Math.max(1, Math.round(fps));
  // n pictures last n·den/num seconds, which must be a multiple of 1024/48000 = 8/375 seconds.
  const exact = (8 * numerator) / gcd(375 * denominator, 8 * numerator);
  if (exact / fps > 2 * LONGEST_LOOP_SECONDS) return undefined;
  const withGops = lcm(exact, gopFrames);
  const withSeconds = lcm(withGops, picturesPerSecond);
  const longest = LONGEST_LOOP_SECONDS * fps;
  const period = [withSeconds, withGops].find((pictures) => pictures <= longest) ?? exact;
  const atLeast = Math.max(SHORTEST_LOOP_SECONDS * fps, Math.min(gopFrames, longest));
  const pictures = period * Math.ceil(atLeast / period);
  return {
    pictures,
    audioFrames: (pictures * denominator * 375) / (numerator * 8),
    loopTicks: (pictures * denominator * 90_000) / numerator,
    picturesPerSecond,
  };
}

function gcd(a: number, b: number): number {
  return b === 0 ? a : gcd(b, a % b);
}

function lcm(a: number, b: number): number {
  return (a / gcd(a, b)) * b;
}
