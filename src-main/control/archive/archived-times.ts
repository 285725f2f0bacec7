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
}

/** An extent is asked for at most so often, in milliseconds. */
const EXTENT_MS = 5000;
/** Streams of one question. */
const MOST_ASKED = 500;

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
    const known: Known = { time: undefined, askedMs: -Infinity };
    this.#ask(stream, known);
    return () => {
      this.#ask(stream, known);
      const open = this.#deps.unfinished(stream);
      if (!open) return known.time;
      const { startMs = Infinity, blocks = 0, bytes = 0 } = known.time ?? {};
      return { startMs: Math.min(startMs, open.startMs), endMs: open.endMs, blocks, bytes };
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
    if (this.#asked.length >= MOST_ASKED) this.#send();
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
