import type { StoredExtent } from '../../dvr/catalog/catalog-store.ts';
import type { Clock } from '../../lib/clock.ts';

export interface ArchivedTimesDeps {
  readonly clock: Clock;
  /** Looks up the extents of some streams in the catalog. */
  readonly extents: (streams: readonly string[]) => Promise<readonly (StoredExtent | undefined)[]>;
  /** Block of a stream that is being written. */
  readonly unfinished: (stream: string) => { readonly startMs: number; readonly endMs: number } | undefined;
}

interface CachedTime {
  time: StoredExtent | undefined;
  requestedMs: number;
  /** Block that was being written at the last request. */
  open: OpenTime | undefined;
  /** Block that was finished since then, which the catalog may still lack. */
  finished: (OpenTime & { readonly untilMs: number }) | undefined;
}

interface OpenTime {
  readonly startMs: number;
  readonly endMs: number;
}

/**
 * Maximum delay between the end of a block and its presence in the catalog's answers, in milliseconds. The catalog is queried
 * every five seconds and collects changes.
 */
const LISTED_MS = 12_000;

/** Minimum interval between two queries for an extent, in milliseconds. */
const EXTENT_MS = 5000;
/** Maximum number of streams in one query. */
const MAX_REQUESTED = 500;

/**
 * Extents of recordings. They are available without waiting, because figures of all streams are requested all the time. Streams
 * that are requested in one turn share a query to the catalog.
 */
export class ArchivedTimes {
  readonly #deps: ArchivedTimesDeps;
  #requested: { readonly stream: string; readonly cached: CachedTime }[] = [];

  constructor(deps: ArchivedTimesDeps) {
    this.#deps = deps;
  }

  /**
   * Requests the extent of a stream. The returned function gives the known extent, including the block that is being written;
   * undefined if there is none. Extents older than five seconds are queried again.
   */
  of(stream: string): () => StoredExtent | undefined {
    const cached: CachedTime = { time: undefined, requestedMs: -Infinity, open: undefined, finished: undefined };
    this.#request(stream, cached);
    return () => {
      this.#request(stream, cached);
      const nowMs = this.#deps.clock.now();
      const open = this.#deps.unfinished(stream);
      if (cached.open && cached.open.startMs !== open?.startMs)
        cached.finished = { ...cached.open, untilMs: nowMs + LISTED_MS };
      cached.open = open;
      const finished = cached.finished && nowMs < cached.finished.untilMs ? cached.finished : undefined;
      const times = [cached.time, finished, open].filter((time) => time !== undefined);
      if (times.length === 0) return undefined;
      const { blocks = 0, bytes = 0 } = cached.time ?? {};
      return {
        startMs: Math.min(...times.map(({ startMs }) => startMs)),
        endMs: Math.max(...times.map(({ endMs }) => endMs)),
        blocks,
        bytes,
      };
    };
  }

  #request(stream: string, cached: CachedTime): void {
    const nowMs = this.#deps.clock.now();
    const sinceMs = nowMs - cached.requestedMs;
    // The difference is negative after the clock was set back.
    if (sinceMs >= 0 && sinceMs < EXTENT_MS) return;
    cached.requestedMs = nowMs;
    if (this.#requested.length === 0)
      queueMicrotask(() => {
        this.#send();
      });
    this.#requested.push({ stream, cached });
    if (this.#requested.length >= MAX_REQUESTED) this.#send();
  }

  #send(): void {
    const requested = this.#requested;
    if (requested.length === 0) return;
    this.#requested = [];
    this.#deps.extents(requested.map(({ stream }) => stream)).then(
      (times) => {
        for (const [index, { cached }] of requested.entries()) cached.time = times[index];
      },
      // If the catalog cannot be read, the known extents stay.
      () => undefined,
    );
  }
}
