import { LoudnessTally, type LoudnessBlock, type LoudnessFigures } from './loudness-tally.ts';

/** The loudness of a stream as it is now. */
export interface LoudnessNow {
  /** The largest since the look before, and the newest, in LUFS; null where they are not known. */
  readonly momentary: number | null;
  readonly shortTerm: number | null;
  /** The largest since the look before, in dBTP. */
  readonly truePeak: number;
  /** Of the last hour. */
  readonly hour: LoudnessFigures;
}

/** The last hour, counted in stretches of five minutes. */
const STRETCH_MS = 300_000;
const STRETCHES = 12;

/** The loudness of the last hour of a stream. */
export class RecentLoudness {
  readonly #stretches = new Map<number, LoudnessTally>();

  /** Takes the blocks since the look before; undefined where there are none. @param nowMs epoch milliseconds */
  next(blocks: readonly LoudnessBlock[], nowMs: number): LoudnessNow | undefined {
    const last = blocks.at(-1);
    if (!last) return undefined;
    const current = Math.floor(nowMs / STRETCH_MS);
    for (const stretch of this.#stretches.keys())
      if (stretch <= current - STRETCHES || stretch > current) this.#stretches.delete(stretch);
    const tally = this.#stretches.get(current) ?? new LoudnessTally();
    this.#stretches.set(current, tally);
    const latest = new LoudnessTally();
    for (const block of blocks) {
      tally.add(block);
      latest.add(block);
    }
    const hour = new LoudnessTally();
    for (const one of this.#stretches.values()) hour.addAll(one);
    const { maxMomentary } = latest.figures();
    const truePeak = Math.max(...blocks.map((block) => block.truePeak));
    return { momentary: maxMomentary, shortTerm: last.shortTerm, truePeak, hour: hour.figures() };
  }
}
