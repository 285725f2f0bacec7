/** Lowest level that the meter shows, in dBFS. */
export const METER_FLOOR_DB = -60;

const FALL_DB_PER_MS = 20 / 1_500;
const HOLD_MS = 1_500;

/**
 * One channel of a peak programme meter: rises at once and falls by 20 dB in 1.5 s (IEC 60268-10, type I), with a mark
 * that holds the highest peak.
 */
export class PpmChannel {
  /** Level that the bar shows, in dBFS. */
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

  /** Falls to the floor at once. */
  reset(): void {
    this.levelDb = this.peakDb = METER_FLOOR_DB;
  }
}

/** Where a level lies on the scale of the bar, 0 at the floor and 1 at full scale. */
export function meterFraction(db: number): number {
  return Math.min(1, Math.max(0, 1 - db / METER_FLOOR_DB));
}

/** The highest absolute value of a block of samples. */
export function peakOf(samples: Float32Array): number {
  let peak = 0;
  for (let index = 0; index < samples.length; index++) {
    const value = samples[index] ?? 0;
    if (value > peak) peak = value;
    else if (-value > peak) peak = -value;
  }
  return peak;
}
