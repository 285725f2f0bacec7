/** Number of positions per sample that are evaluated: 4 times the rate, as BS.1770-5 annex 2 requires for 48 kHz. */
const OVERSAMPLING = 4;
/** Number of weighted samples on each side of a position. */
const REACH = 6;
/** Number of samples of the previous block needed for the next one. */
const OVERLAP = 2 * REACH;
/**
 * Share of the largest sample of a block above which peaks between two samples are searched: they seldom exceed their samples by
 * more than 3 dB.
 */
const SEARCH_SHARE = 0.6;

/** Weights of the samples around a position: a sinc with a Hann window, normalized to sum 1. */
function weightsOf(position: number): Float64Array {
  const weights = Float64Array.from({ length: OVERLAP }, (_, index) => {
    const x = index - (REACH - 1) - position / OVERSAMPLING;
    return (Math.sin(Math.PI * x) / (Math.PI * x)) * 0.5 * (1 + Math.cos((Math.PI * x) / REACH));
  });
  const sum = weights.reduce((total, weight) => total + weight, 0);
  return weights.map((weight) => weight / sum);
}
const [FIRST, SECOND, THIRD] = [weightsOf(1), weightsOf(2), weightsOf(3)];

/**
 * True peak (BS.1770-5 annex 2) of sound in blocks of interleaved samples. Each block is evaluated with the end of the previous
 * block.
 */
export class TruePeak {
  readonly #channels: number;
  /** For each channel the end of the previous block, and the block. */
  #lines: readonly Float64Array[] = [];

  constructor(channels: number) {
    this.#channels = channels;
  }

  /**
   * Largest sample and largest interpolated value of a block; 1 is full scale. Interpolates only around its largest
   * samples.
   */
  next(samples: Float64Array): { readonly sample: number; readonly peak: number } {
    const length = OVERLAP + samples.length / this.#channels;
    let [sample, peak] = [0, 0];
    this.#lines = Array.from({ length: this.#channels }, (_, channel) => {
      const before = this.#lines[channel] ?? new Float64Array(OVERLAP);
      const line = before.length === length ? before : new Float64Array(length);
      line.set(before.subarray(before.length - OVERLAP));
      let largest = 0;
      // Hot path: several million samples per minute and stream, in this loop and in `peakOf`.
      for (let at = OVERLAP, from = channel; at < length; at++, from += this.#channels) {
        const value = samples[from] ?? 0;
        line[at] = value;
        const size = value < 0 ? -value : value;
        if (size > largest) largest = size;
      }
      sample = Math.max(sample, largest);
      for (let at = 0; at < OVERLAP; at++) largest = Math.max(largest, Math.abs(line[at] ?? 0));
      peak = Math.max(peak, peakOf(line, largest));
      return line;
    });
    return { sample, peak };
  }
}

/** @param largest largest sample of the line */
function peakOf(line: Float64Array, largest: number): number {
  let peak = largest;
  const threshold = peak * SEARCH_SHARE;
  if (threshold === 0) return 0;
  for (let at = REACH; at < line.length - REACH; at++) {
    const value = line[at] ?? 0;
    const size = value < 0 ? -value : value;
    if (size < threshold || size < Math.abs(line[at - 1] ?? 0) || size < Math.abs(line[at + 1] ?? 0)) continue;
    peak = Math.max(peak, between(line, at - 1), between(line, at));
  }
  return peak;
}

/** Largest value between a sample and the next one. */
function between(line: Float64Array, at: number): number {
  let [first, second, third] = [0, 0, 0];
  for (let index = 0, from = at - (REACH - 1); index < OVERLAP; index++, from++) {
    const value = line[from] ?? 0;
    first += (FIRST[index] ?? 0) * value;
    second += (SECOND[index] ?? 0) * value;
    third += (THIRD[index] ?? 0) * value;
  }
  return Math.max(Math.abs(first), Math.abs(second), Math.abs(third));
}
