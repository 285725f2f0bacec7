/** Positions between two samples that are looked at: 4 times the rate, as BS.1770-5 annex 2 asks for 48 kHz. */
const POSITIONS = [1, 2, 3] as const;
const OVERSAMPLING = 4;
/** Samples on each side of a position that are weighed. */
const REACH = 6;
/** How far below the largest sample of a block a peak between two samples is looked for: they rise over their samples by 3 dB, seldom by more. */
const NEAR_PEAK = 0.6;

/** Weights of the samples around a position: a sinc under a Hann window, with sum 1. */
const WEIGHTS = POSITIONS.map((position) => {
  const weights = Float64Array.from({ length: 2 * REACH }, (_, index) => {
    const x = index - (REACH - 1) - position / OVERSAMPLING;
    return (Math.sin(Math.PI * x) / (Math.PI * x)) * 0.5 * (1 + Math.cos((Math.PI * x) / REACH));
  });
  const sum = weights.reduce((total, weight) => total + weight, 0);
  return weights.map((weight) => weight / sum);
});

/** True peak (BS.1770-5 annex 2) of sound that comes in blocks of interleaved samples, each block together with the end of the one before. */
export class TruePeak {
  readonly #channels: number;
  #kept: readonly Float64Array[];

  constructor(channels: number) {
    this.#channels = channels;
    this.#kept = Array.from({ length: channels }, () => new Float64Array(2 * REACH));
  }

  /** The largest value of a block, 1 is full scale. Only around its largest samples is looked between samples. */
  next(samples: Float64Array): number {
    const lengthEach = samples.length / this.#channels;
    let peak = 0;
    this.#kept = this.#kept.map((kept, channel) => {
      const line = new Float64Array(kept.length + lengthEach);
      line.set(kept);
      for (let at = 0; at < lengthEach; at++) line[kept.length + at] = samples[at * this.#channels + channel] ?? 0;
      peak = Math.max(peak, peakOf(line));
      return line.slice(line.length - kept.length);
    });
    return peak;
  }
}

function peakOf(line: Float64Array): number {
  let peak = 0;
  for (const sample of line) {
    const size = Math.abs(sample);
    if (size > peak) peak = size;
  }
  const least = peak * NEAR_PEAK;
  if (least === 0) return 0;
  for (let at = REACH; at < line.length - REACH; at++) {
    const size = Math.abs(line[at] ?? 0);
    if (size < least || size < Math.abs(line[at - 1] ?? 0) || size < Math.abs(line[at + 1] ?? 0)) continue;
    peak = Math.max(peak, between(line, at - 1), between(line, at));
  }
  return peak;
}

/** The largest value between a sample and the next one. */
function between(line: Float64Array, at: number): number {
  let peak = 0;
  for (const weights of WEIGHTS) {
    let sum = 0;
    for (let index = 0; index < 2 * REACH; index++)
      sum += (weights[index] ?? 0) * (line[at - (REACH - 1) + index] ?? 0);
    peak = Math.max(peak, Math.abs(sum));
  }
  return peak;
}
