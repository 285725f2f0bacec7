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

  /** The largest sample of a block, and its largest value, 1 is full scale. Only around its largest samples is looked between samples. */
  next(samples: Float64Array): { readonly sample: number; readonly peak: number } {
    const lengthEach = samples.length / this.#channels;
    let [sample, peak] = [0, 0];
    this.#kept = this.#kept.map((kept, channel) => {
      const line = new Float64Array(kept.length + lengthEach);
      line.set(kept);
      let largest = 0;
      // Several million samples a minute and stream: this loop and the next one are most of what loudness costs here.
      for (let at = 0, from = channel; at < lengthEach; at++, from += this.#channels) {
        const value = samples[from] ?? 0;
        line[kept.length + at] = value;
        const size = value < 0 ? -value : value;
        if (size > largest) largest = size;
      }
      sample = Math.max(sample, largest);
      for (const value of kept) largest = Math.max(largest, Math.abs(value));
      peak = Math.max(peak, peakOf(line, largest));
      return line.slice(line.length - kept.length);
    });
    return { sample, peak };
  }
}

/** @param largest its largest sample */
function peakOf(line: Float64Array, largest: number): number {
  let peak = largest;
  const least = peak * NEAR_PEAK;
  if (least === 0) return 0;
  for (let at = REACH; at < line.length - REACH; at++) {
    const value = line[at] ?? 0;
    const size = value < 0 ? -value : value;
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
