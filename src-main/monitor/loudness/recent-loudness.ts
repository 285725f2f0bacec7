import { LoudnessTally, type LoudnessBlock, type LoudnessFigures } from './loudness-tally.ts';

/** Current loudness of a stream. */
export interface LoudnessNow {
  /** Highest momentary and newest short-term loudness since the last probe, in LUFS; null if unknown. */
  readonly momentary: number | null;
  readonly shortTerm: number | null;
  /** Highest true peak since the last probe, in dBTP. */
  readonly truePeak: number;
  /** Figures of the last hour. */
  readonly hour: LoudnessFigures;
}

/** Length in milliseconds and number of the histograms that cover the last hour. */
const PERIOD_MS = 300_000;
const PERIODS = 12;

/** Loudness of the last hour of a stream. */
export class RecentLoudness {
  readonly #periods = new Map<number, LoudnessTally>();

  /**
   * Adds the blocks since the last probe, and returns the current loudness; undefined if there are no blocks.
   * @param nowMs epoch milliseconds
   */
  next(blocks: readonly LoudnessBlock[], nowMs: number): LoudnessNow | undefined {
    const last = blocks.at(-1);
    if (!last) return undefined;
    const current = Math.floor(nowMs / PERIOD_MS);
    for (const period of this.#periods.keys())
      if (period <= current - PERIODS || period > current) this.#periods.delete(period);
    const tally = this.#periods.get(current) ?? new LoudnessTally();
    this.#periods.set(current, tally);
    const latest = new LoudnessTally();
    for (const block of blocks) {
      tally.add(block);
      latest.add(block);
    }
    const hour = new LoudnessTally();
    for (const one of this.#periods.values()) hour.addAll(one);
    const { maxMomentary } = latest.figures();
    const truePeak = Math.max(...blocks.map((block) => block.truePeak));
    return { momentary: maxMomentary, shortTerm: last.shortTerm, truePeak, hour: hour.figures() };
  }
}
