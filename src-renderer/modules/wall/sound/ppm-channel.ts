/** Lowest level of the meter, in dBFS. */
export const METER_FLOOR_DB = -60;

const FALL_DB_PER_MS = 20 / 1_500;
const HOLD_MS = 1_500;

/** Channel of a peak programme meter: instant rise, fall of 20 dB in 1.5 s (IEC 60268-10, type I), and peak hold. */
export class PpmChannel {
  /** Level of the bar, in dBFS. */
  levelDb = METER_FLOOR_DB;
  /** Level of the peak mark, in dBFS. */
  peakDb = METER_FLOOR_DB;
  #peakAtMs = 0;
  #lastMs = 0;

  /** Takes the highest absolute sample (1 = full scale) since the last call. */
  feed(peak: number, nowMs: number): void {
    const inputDb = peak > 0 ? Math.max(METER_FLOOR_DB, 20 * Math.log10(peak)) : METER_FLOOR_DB;
    const fallDb = Math.max(0, nowMs - this.#lastMs) * FALL_DB_PER_MS;
    this.#lastMs = nowMs;
    this.levelDb = Math.max(METER_FLOOR_DB, inputDb, this.levelDb - fallDb);
    if (this.levelDb >= this.peakDb || nowMs - this.#peakAtMs > HOLD_MS) {
      this.peakDb = this.levelDb;
      this.#peakAtMs = nowMs;
    }
  }

  /** Resets bar and peak mark to the floor. */
  reset(): void {
    this.levelDb = this.peakDb = METER_FLOOR_DB;
  }
}

/** Position of a level on the bar: 0 at the floor, 1 at full scale. */
export function meterFraction(db: number): number {
  return Math.min(1, Math.max(0, 1 - db / METER_FLOOR_DB));
}

/** Highest absolute value of a block of samples. */
export function peakOf(samples: Float32Array): number {
  let peak = 0;
  for (let index = 0; index < samples.length; index++) {
    const value = samples[index] ?? 0;
    if (value > peak) peak = value;
    else if (-value > peak) peak = -value;
  }
  return peak;
}
