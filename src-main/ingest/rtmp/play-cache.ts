import type { FlvUnit } from '../../media/containers/flv/flv-unit.ts';
import type { StreamUnit } from '../../stream/stream-hub.ts';

/** Maximum size of the media for new players; above it the cache starts again at the next key frame. */
const MAX_BYTES = 16 * 1024 * 1024;

/** Media that a new player gets at once: true for the last group of pictures, or a minimum duration in milliseconds. */
export type Prepush = true | number;

/** A unit for new players. */
interface CachedUnit {
  readonly unit: StreamUnit;
  readonly message: FlvUnit;
  /** Whether players can start with it. */
  readonly isEntry: boolean;
}

/** The newest media of a stream, from a key frame on. */
export class PlayCache {
  readonly #prepush: Prepush;
  #units: CachedUnit[] = [];
  #bytes = 0;

  constructor(prepush: Prepush) {
    this.#prepush = prepush;
  }

  /** Units that a new player gets, from a key frame on; empty before the first. */
  get units(): readonly CachedUnit[] {
    const newest = this.#units.at(-1);
    const start = newest ? this.#startBefore(newest.message.time.timestampMs) : 0;
    return start > 0 ? this.#units.slice(start) : this.#units;
  }

  /** Adds a unit with data of its own. */
  add(cached: CachedUnit): void {
    if (this.#units.length === 0 && !cached.isEntry) return;
    if (cached.isEntry) this.#trim(cached);
    this.#units.push(cached);
    this.#bytes += cached.unit.data.length;
    if (this.#bytes > MAX_BYTES) this.clear();
  }

  clear(): void {
    this.#units = [];
    this.#bytes = 0;
  }

  /** Drops the groups of pictures that are no longer needed, now that another one starts. */
  #trim(next: CachedUnit): void {
    if (this.#prepush === true || this.#prepush === 0) this.clear();
    const start = this.#startBefore(next.message.time.timestampMs);
    if (start > 0) for (const { unit } of this.#units.splice(0, start)) this.#bytes -= unit.data.length;
  }

  /** Index of the last key frame that is early enough before a time; -1 for none. */
  #startBefore(timestampMs: number): number {
    const limitMs = timestampMs - (this.#prepush === true ? 0 : this.#prepush);
    return this.#units.findLastIndex(({ isEntry, message }) => isEntry && message.time.timestampMs <= limitMs);
  }
}
