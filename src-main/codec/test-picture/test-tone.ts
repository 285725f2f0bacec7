import { TONE_SAMPLE_RATE, TONE_SAMPLES_PER_FRAME, type LoopPlan } from './loop-plan.ts';
import type { TestPictureOptions } from './test-picture-options.ts';

const HUM_HZ = 440;
const HUM_LEVEL = 0.03;
const BEEP_HZ = 1000;
const BEEP_LEVEL = 0.35;
/** Length of the beep at each full second, in milliseconds. */
const BEEP_MS = 80;

/**
 * Tone of a loop: a constant quiet hum, and a beep at each full second of the picture's clock. Periodic with the loop,
 * sample for sample, so that its end continues into its start.
 */
export function drawTone(options: TestPictureOptions, plan: LoopPlan): Float32Array {
  const samples = new Float32Array(plan.audioFrames * TONE_SAMPLES_PER_FRAME);
  const seconds = samples.length / TONE_SAMPLE_RATE;
  // Whole periods in the loop.
  const hum = (2 * Math.PI * Math.round(HUM_HZ * seconds)) / samples.length;
  for (let i = 0; i < samples.length; i++) samples[i] = HUM_LEVEL * Math.sin(hum * i);

  const beepSamples = (BEEP_MS * TONE_SAMPLE_RATE) / 1000;
  const beep = (2 * Math.PI * BEEP_HZ) / TONE_SAMPLE_RATE;
  for (let picture = 0; picture < plan.pictures; picture += plan.picturesPerSecond) {
    const start = Math.round((picture * options.fpsDenominator * TONE_SAMPLE_RATE) / options.fpsNumerator);
    for (let i = 0; i < beepSamples && start + i < samples.length; i++) {
      samples[start + i] = (samples[start + i] ?? 0) + BEEP_LEVEL * Math.sin(beep * i);
    }
  }
  return samples;
}
