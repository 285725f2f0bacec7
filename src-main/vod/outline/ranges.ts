import { newestOf } from '../../lib/limits/newest.ts';
import { decodedInOrder, delayOf } from './decode-order.ts';
import type { FoundSample, Outline, OutlinePoint } from './outline.ts';

/** Ranges whose samples stay in memory: what is asked for next lies beside what was asked for. */
const MAX_KEPT = 8;
/** Ranges beside its own that a segment may have samples in: media of the same time lies close to each other. */
const MAX_ASIDE = 3;

/** Bytes that one sample may have. */
const MAX_SAMPLE_BYTES = 16 << 20;

/** The samples of each track of a range, in the order of the file. */
type Range = readonly (readonly FoundSample[])[];

/** The ranges of a file from one point of its outline up to the next, the last one up to its end. */
export class Ranges {
  readonly count: number;
  readonly #outline: Outline;
  readonly #points: readonly OutlinePoint[];
  readonly #sizeBytes: number;
  /** The longest unused first. */
  readonly #kept = new Map<number, Promise<Range>>();
  #delayTicks = 0;

  /** @param points some of the outline: where segments begin */
  constructor(outline: Outline, points: readonly OutlinePoint[], sizeBytes: number) {
    this.count = points.length;
    this.#outline = outline;
    this.#points = points;
    this.#sizeBytes = sizeBytes;
  }

  /** The pictures from the point of a range up to the next one, in decoding order. */
  async pictures(number: number): Promise<readonly FoundSample[]> {
    const own = await this.#picturesOf(number);
    if (this.#outline.hasDecodeTimes) return own;
    // The last one lasts until the first of the next range is decoded.
    const next = number + 1 < this.count ? await this.#picturesOf(number + 1) : [];
    return decodedInOrder(own, next, this.#delayTicks);
  }

  /**
   * The pictures of a range as the file has them; none where there is none that decoding can start with where its point says. What is seen of their order counts for
   * all that are asked for later.
   */
  async tried(number: number): Promise<readonly FoundSample[]> {
    const pictures = await this.#picturesOf(number);
    if (!this.#outline.hasDecodeTimes) this.#delayTicks = Math.max(this.#delayTicks, delayOf(pictures));
    return pictures;
  }

  async #picturesOf(number: number): Promise<readonly FoundSample[]> {
    const [samples = []] = await this.#get(number);
    const first = samples.findIndex(({ isSync, ptsTicks }) => isSync && ptsTicks === this.#points[number]?.ptsTicks);
    const next = this.#points[number + 1]?.ptsTicks;
    const end = samples.findIndex(({ isSync, ptsTicks }, index) => index > first && isSync && ptsTicks === next);
    return first < 0 ? [] : samples.slice(first, end < 0 ? undefined : end);
  }

  /** Sound that begins in a time, wherever it lies around a range. @param track its place in the outline */
  async sound(number: number, track: number, fromTicks: number, toTicks: number): Promise<readonly FoundSample[]> {
    let found = await this.#soundOf(number, track);
    for (let aside = 1; aside <= MAX_ASIDE; aside++) {
      const isBefore = number >= aside && beginOf(found) >= fromTicks;
      const isBehind = number + aside < this.count && endOf(found) < toTicks;
      if (!isBefore && !isBehind) break;
      if (isBefore) found = joined(await this.#soundOf(number - aside, track), found);
      if (isBehind) found = joined(found, await this.#soundOf(number + aside, track));
    }
    return found.filter(({ ptsTicks }) => ptsTicks >= fromTicks && ptsTicks < toTicks);
  }

  async #soundOf(number: number, track: number): Promise<readonly FoundSample[]> {
    return (await this.#get(number))[track] ?? [];
  }

  async #get(number: number): Promise<Range> {
    const made = newestOf(this.#kept, number, MAX_KEPT, async () => this.#read(number));
    try {
      return await made;
    } catch (error) {
      if (this.#kept.get(number) === made) this.#kept.delete(number);
      throw error;
    }
  }

  async #read(number: number): Promise<Range> {
    const { offset } = this.#points[number] as OutlinePoint;
    const found = await this.#outline.read(offset, this.#points[number + 1]?.endOffset ?? this.#sizeBytes);
    return found.map((samples) => samples.filter((one) => this.#isInFile(one)));
  }

  #isInFile({ offset, sizeBytes }: FoundSample): boolean {
    return offset >= 0 && sizeBytes <= MAX_SAMPLE_BYTES && offset + sizeBytes <= this.#sizeBytes;
  }
}

/** Where a sample would begin that ends with the first one. */
function beginOf([first]: readonly FoundSample[]): number {
  return first ? first.ptsTicks - first.durationTicks : Infinity;
}

function endOf(samples: readonly FoundSample[]): number {
  const last = samples.at(-1);
  return last ? last.ptsTicks + last.durationTicks : -Infinity;
}

/** Samples of two ranges that follow each other; some may be in both. */
function joined(before: readonly FoundSample[], behind: readonly FoundSample[]): readonly FoundSample[] {
  const end = before.at(-1)?.ptsTicks ?? -Infinity;
  return [...before, ...behind.filter(({ ptsTicks }) => ptsTicks > end)];
}
