import type { StreamUnit } from './stream-hub.ts';

/** Maximum size of the cached media; above it the cache starts again at the next key frame. */
export const MAX_CACHE_BYTES = 16 * 1024 * 1024;

/** Media that a new receiver gets at once: true for the last group of pictures, or a minimum duration in milliseconds. */
export type Prepush = true | number;

/** A unit for new receivers. Its data is not borrowed. */
export interface CachedUnit {
  readonly unit: StreamUnit;
  /** Time in the clock of the receivers. */
  readonly timestampMs: number;
  /** Whether receivers can start with it. */
  readonly isEntry: boolean;
}

/** The newest media of a stream, from a key frame on, for receivers that start later. */
export class UnitCache<T extends CachedUnit = CachedUnit> {
  readonly #prepush: Prepush;
  #units: T[] = [];
  #bytes = 0;

  constructor(prepush: Prepush) {
    this.#prepush = prepush;
  }

  /** Units that a new receiver gets, from a key frame on; empty before the first. */
  get units(): readonly T[] {
    const newest = this.#units.at(-1);
    const start = newest ? this.#startBefore(newest.timestampMs) : 0;
    return start > 0 ? this.#units.slice(start) : this.#units;
  }

  /** Adds a unit with data of its own. */
  add(cached: T): void {
    if (this.#units.length === 0 && !cached.isEntry) return;
    if (cached.isEntry) this.#trim(cached);
    this.#units.push(cached);
    this.#bytes += cached.unit.data.length;
    if (this.#bytes > MAX_CACHE_BYTES) this.clear();
  }

  clear(): void {
    this.#units = [];
    this.#bytes = 0;
  }

  /** Drops the groups of pictures that are no longer needed, now that another one starts. */
  #trim(next: T): void {
    if (this.#prepush === true || this.#prepush === 0) this.clear();
    const start = this.#startBefore(next.timestampMs);
    if (start > 0) for (const { unit } of this.#units.splice(0, start)) this.#bytes -= unit.data.length;
  }

  /** Index of the last key frame that is early enough before a time; -1 for none. */
  #startBefore(timestampMs: number): number {
    const limitMs = timestampMs - (this.#prepush === true ? 0 : this.#prepush);
    return this.#units.findLastIndex(({ isEntry, timestampMs: at }) => isEntry && at <= limitMs);
  }
}
