import { newestOf } from '../../lib/limits/newest.ts';
import { decodedInOrder, delayOf } from './decode-order.ts';
import type { FoundSample, Outline, OutlinePoint } from './outline.ts';

/** Maximum number of cached ranges: the next request is usually near the last one. */
const MAX_CACHED = 8;
/**
 * Maximum number of ranges before and after a range that are searched for audio of the same time: containers store media of the
 * same time close together.
 */
const MAX_NEIGHBOURS = 3;

/** Maximum size of a sample. */
const MAX_SAMPLE_BYTES = 16 << 20;

/** Samples of each track in a range, in file order. */
type Range = readonly (readonly FoundSample[])[];

/** Ranges of a file between consecutive points of its outline; the last one extends to the end. */
export class Ranges {
  readonly count: number;
  readonly #outline: Outline;
  readonly #points: readonly OutlinePoint[];
  readonly #sizeBytes: number;
  /** Samples by number of the range, the least recently used first. */
  readonly #cache = new Map<number, Promise<Range>>();
  #delayTicks = 0;

  /** @param points points of the outline at which segments start */
  constructor(outline: Outline, points: readonly OutlinePoint[], sizeBytes: number) {
    this.count = points.length;
    this.#outline = outline;
    this.#points = points;
    this.#sizeBytes = sizeBytes;
  }

  /** Pictures from the point of a range up to the next one, in decoding order. */
  async pictures(number: number): Promise<readonly FoundSample[]> {
    const pictures = await this.#picturesOf(number);
    if (this.#outline.hasDecodeTimes) return pictures;
    // The last picture lasts until the decoding time of the first picture of the next range.
    const next = number + 1 < this.count ? await this.#picturesOf(number + 1) : [];
    return decodedInOrder(pictures, next, this.#delayTicks);
  }

  /**
   * Pictures of a range in file order; none if the range has no random access point at its start time. Their reordering is
   * stored for later lookups.
   */
  async probe(number: number): Promise<readonly FoundSample[]> {
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

  /** Audio that starts in a range of time, from any position in the file. @param track position in the outline */
  async audio(number: number, track: number, fromTicks: number, toTicks: number): Promise<readonly FoundSample[]> {
    let found = await this.#audioOf(number, track);
    for (let distance = 1; distance <= MAX_NEIGHBOURS; distance++) {
      const needsEarlier = number >= distance && startBefore(found) >= fromTicks;
      const needsLater = number + distance < this.count && endOf(found) < toTicks;
      if (!needsEarlier && !needsLater) break;
      if (needsEarlier) found = joined(await this.#audioOf(number - distance, track), found);
      if (needsLater) found = joined(found, await this.#audioOf(number + distance, track));
    }
    return found.filter(({ ptsTicks }) => ptsTicks >= fromTicks && ptsTicks < toTicks);
  }

  async #audioOf(number: number, track: number): Promise<readonly FoundSample[]> {
    return (await this.#get(number))[track] ?? [];
  }

  async #get(number: number): Promise<Range> {
    const reading = newestOf(this.#cache, number, MAX_CACHED, async () => this.#read(number));
    try {
      return await reading;
    } catch (error) {
      if (this.#cache.get(number) === reading) this.#cache.delete(number);
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

/** Presumed start of the sample before the first one. */
function startBefore([first]: readonly FoundSample[]): number {
  return first ? first.ptsTicks - first.durationTicks : Infinity;
}

function endOf(samples: readonly FoundSample[]): number {
  const last = samples.at(-1);
  return last ? last.ptsTicks + last.durationTicks : -Infinity;
}

/** Joins the samples of two consecutive ranges; both may contain some of the same samples. */
function joined(before: readonly FoundSample[], after: readonly FoundSample[]): readonly FoundSample[] {
  const end = before.at(-1)?.ptsTicks ?? -Infinity;
  return [...before, ...after.filter(({ ptsTicks }) => ptsTicks > end)];
}
