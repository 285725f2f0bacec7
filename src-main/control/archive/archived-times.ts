import type { StoredExtent } from '../../dvr/catalog/catalog-store.ts';
import type { Clock } from '../../lib/clock.ts';

/** What the extents of archives are asked with. */
export interface ArchivedTimesDeps {
  readonly clock: Clock;
  /** What is in the catalog of each of some streams. */
  readonly extents: (streams: readonly string[]) => Promise<readonly (StoredExtent | undefined)[]>;
  /** The block of a stream that is being written. */
  readonly unfinished: (stream: string) => { readonly startMs: number; readonly endMs: number } | undefined;
}

/** The extent of one stream, as far as it is known. */
interface Known {
  time: StoredExtent | undefined;
  askedMs: number;
  /** Blocks that were being written when they were asked for last. */
  open: OpenTime | undefined;
  /** What was finished since, and may not be in the catalog yet. */
  finished: (OpenTime & { readonly untilMs: number }) | undefined;
}

interface OpenTime {
  readonly startMs: number;
  readonly endMs: number;
}

/** A finished block is in the answer of the catalog after this time, in milliseconds: it is asked every five seconds, and gathers changes. */
const LISTED_MS = 12_000;

/** An extent is asked for at most so often, in milliseconds. */
const EXTENT_MS = 5000;
/** Streams of one question. */
const MAX_ASKED = 500;

/**
 * From when to when streams are recorded, known without waiting: figures of all streams are asked for again and again. Streams that are asked for
 * in one turn share a question to the catalog.
 */
export class ArchivedTimes {
  readonly #deps: ArchivedTimesDeps;
  #asked: { readonly stream: string; readonly known: Known }[] = [];

  constructor(deps: ArchivedTimesDeps) {
    this.#deps = deps;
  }

  /**
   * Asks for the extent of a stream. What is returned gives what is known at any time, with the block that is being written, or undefined where nothing
   * is; what is older than five seconds is asked for again.
   */
  of(stream: string): () => StoredExtent | undefined {
    const known: Known = { time: undefined, askedMs: -Infinity, open: undefined, finished: undefined };
    this.#ask(stream, known);
    return () => {
      this.#ask(stream, known);
      const nowMs = this.#deps.clock.now();
      const open = this.#deps.unfinished(stream);
      if (known.open && known.open.startMs !== open?.startMs)
        known.finished = { ...known.open, untilMs: nowMs + LISTED_MS };
      known.open = open;
      const finished = known.finished && nowMs < known.finished.untilMs ? known.finished : undefined;
      const times = [known.time, finished, open].filter((time) => time !== undefined);
      if (times.length === 0) return undefined;
      const { blocks = 0, bytes = 0 } = known.time ?? {};
      return {
        startMs: Math.min(...times.map(({ startMs }) => startMs)),
        endMs: Math.max(...times.map(({ endMs }) => endMs)),
        blocks,
        bytes,
      };
    };
  }

  #ask(stream: string, known: Known): void {
    const nowMs = this.#deps.clock.now();
    if (nowMs - known.askedMs < EXTENT_MS) return;
    known.askedMs = nowMs;
    if (this.#asked.length === 0)
      queueMicrotask(() => {
        this.#send();
      });
    this.#asked.push({ stream, known });
    if (this.#asked.length >= MAX_ASKED) this.#send();
  }

  #send(): void {
    const asked = this.#asked;
    if (asked.length === 0) return;
    this.#asked = [];
    this.#deps.extents(asked.map(({ stream }) => stream)).then(
      (times) => {
        for (const [index, { known }] of asked.entries()) known.time = times[index];
      },
      // A catalog that cannot be read says nothing new.
      () => undefined,
    );
  }
}
