/** Second-order filter, as parameters of an `IIRFilterNode`. */
export interface FilterCoefficients {
  readonly feedforward: readonly number[];
  readonly feedback: readonly number[];
}

/** Lowest loudness of the bar, in LUFS. */
const LOUDNESS_FLOOR = -41;
/** Highest loudness of the bar: the EBU +9 scale (EBU Tech 3341). */
const LOUDNESS_CEILING = -14;
/** Target loudness of programmes (EBU R 128), in LUFS. */
export const LOUDNESS_TARGET = -23;
/** Integration time of short-term loudness (EBU Tech 3341), in milliseconds. */
const SHORT_TERM_MS = 3_000;
/** Weight of the surround channels (ITU-R BS.1770-4, table 3). */
const SURROUND = 1.41;

/** Position of a loudness on the bar: 0 at the bottom, 1 at the top. */
export function loudnessFraction(lufs: number): number {
  return Math.min(1, Math.max(0, (lufs - LOUDNESS_FLOOR) / (LOUDNESS_CEILING - LOUDNESS_FLOOR)));
}

/** The two K-weighting filters (ITU-R BS.1770-4, annex 1) for a sample rate in Hz: a head shelf and a high pass. */
export function kWeighting(sampleRate: number): readonly [FilterCoefficients, FilterCoefficients] {
  return [shelf(sampleRate), highPass(sampleRate)];
}

/** Analogue filter whose discretization yields the standard's coefficients for 48 kHz. */
function shelf(sampleRate: number): FilterCoefficients {
  const k = Math.tan((Math.PI * 1681.974450955533) / sampleRate);
  const q = 0.7071752369554196;
  const high = 10 ** (3.999843853973347 / 20);
  const band = high ** 0.4996667741545416;
  const a0 = 1 + k / q + k * k;
  return {
    feedforward: [
      (high + (band * k) / q + k * k) / a0,
      (2 * (k * k - high)) / a0,
      (high - (band * k) / q + k * k) / a0,
    ],
    feedback: [1, (2 * (k * k - 1)) / a0, (1 - k / q + k * k) / a0],
  };
}

function highPass(sampleRate: number): FilterCoefficients {
  const k = Math.tan((Math.PI * 38.13547087602444) / sampleRate);
  const q = 0.5003270373238773;
  const a0 = 1 + k / q + k * k;
  return { feedforward: [1, -2, 1], feedback: [1, (2 * (k * k - 1)) / a0, (1 - k / q + k * k) / a0] };
}

/** Mean square of a block of samples. */
export function meanSquare(samples: Float32Array): number {
  let sum = 0;
  for (let index = 0; index < samples.length; index++) sum += (samples[index] ?? 0) ** 2;
  return samples.length === 0 ? 0 : sum / samples.length;
}

/** Weight of a channel. With six or more channels, the fourth is the LFE and does not count. */
function weightOf(channel: number, count: number): number {
  if (count < 5) return 1;
  if (count >= 6 && channel === 3) return 0;
  return channel < 3 ? 1 : SURROUND;
}

/** Short-term loudness of a programme: the last three seconds. */
export class ShortTermLoudness {
  readonly #blocks: { readonly atMs: number; readonly power: number }[] = [];

  /** Takes the K-weighted mean square of each channel since the last call. */
  feed(powers: readonly number[], nowMs: number): void {
    const power = powers.reduce((sum, one, channel) => sum + one * weightOf(channel, powers.length), 0);
    this.#blocks.push({ atMs: nowMs, power });
    while ((this.#blocks[0]?.atMs ?? nowMs) <= nowMs - SHORT_TERM_MS) this.#blocks.shift();
  }

  /** Loudness in LUFS; null below the bar. */
  get lufs(): number | null {
    const sum = this.#blocks.reduce((all, { power }) => all + power, 0);
    const lufs = sum > 0 ? -0.691 + 10 * Math.log10(sum / this.#blocks.length) : -Infinity;
    return lufs > LOUDNESS_FLOOR ? lufs : null;
  }
}
