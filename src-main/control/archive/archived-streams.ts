import type { StoredExtent } from '../../dvr/catalog/catalog-store.ts';
import type { Clock } from '../../lib/clock.ts';
import { DelayedWork } from '../../lib/timers.ts';
import { runInTurns } from '../../lib/turns.ts';
import type { StreamEntry } from '../../streams/stream-entry.ts';
import type { Streams } from '../../streams/streams.ts';

export interface ArchivedStreamsOptions {
  readonly clock: Clock;
  readonly catalog: {
    /** Names of streams that have finished blocks, in order, after `after`. */
    streams(after: string, limit: number): Promise<readonly string[]>;
    /** Extent of the finished blocks of each of some streams. */
    extents(streams: readonly string[]): Promise<readonly (StoredExtent | undefined)[]>;
    settled(): Promise<void>;
  };
  readonly recordings: {
    /** Whether all media of a stream is written to disk. */
    isOver(stream: string): boolean;
  };
  readonly streams: () => Pick<Streams, 'get' | 'list' | 'ensureArchiveStream' | 'dropArchive'>;
  /** Called when a stream was created for an archive, with the end of its newest block in the catalog. */
  readonly streamAdded: (entry: StreamEntry, endMs: number) => void;
  /** Called when the catalog could not be read. */
  readonly failed: (error: unknown) => void;
  /** Called when archives were left out because there are too many streams. */
  readonly full: (limit: number) => void;
}

/** Number of names in one query of the catalog. */
const STEP_NAMES = 500;
/** Maximum number of streams. A stream without a run takes some kilobytes. */
const MAX_STREAMS = 50_000;
/** Delay from a change of an archive to the change of its stream, in milliseconds. */
const CHANGED_MS = 1000;
/** Number of path steps of a block after the name of its stream: year, month, day, hour and file. */
const BLOCK_STEPS = 5;

/**
 * Keeps published streams that have an archive as streams of the server, even without an encoder, until their last block is
 * deleted.
 */
export class ArchivedStreams {
  readonly #options: ArchivedStreamsOptions;
  readonly #max: number;
  /** Names of streams that do not exist and have a new block. */
  readonly #grown = new Set<string>();
  /** Streams without a run that may have lost their last block. */
  readonly #shrunk = new Set<string>();
  readonly #checkSoon: DelayedWork;
  #finding: Promise<void> = Promise.resolve();
  #isSearchRequested = false;
  #isClosed = false;

  /** @param max maximum number of streams */
  constructor(options: ArchivedStreamsOptions, max = MAX_STREAMS) {
    this.#options = options;
    this.#max = max;
    this.#checkSoon = new DelayedWork(options.clock, CHANGED_MS, () => void this.#settle().catch(options.failed));
  }

  /** Whether a stream has or may have an archive. */
  async has(name: string): Promise<boolean> {
    const { catalog, recordings, streams, full } = this.#options;
    if (streams().list().length > this.#max) {
      full(this.#max);
      return false;
    }
    if (!recordings.isOver(name)) return true;
    try {
      await catalog.settled();
      const [extent] = await catalog.extents([name]);
      return extent !== undefined;
    } catch (error) {
      this.#options.failed(error);
      // If the catalog cannot be read, the archive may exist.
      return true;
    }
  }

  /**
   * Creates a stream for each archive below a live prefix or template of the configuration, and removes streams whose archive
   * no longer exists. Never rejects.
   */
  find(): Promise<void> {
    if (this.#isSearchRequested) return this.#finding;
    this.#isSearchRequested = true;
    this.#finding = this.#finding.then(async () => {
      this.#isSearchRequested = false;
      await this.#find().catch(this.#options.failed);
    });
    return this.#finding;
  }

  /** Records that a block was added to the catalog. */
  added(name: string): void {
    if (this.#isClosed || this.#options.streams().get(name)) return;
    this.#grown.add(name);
    this.#checkSoon.schedule();
  }

  /** Records that a block was removed from the catalog. @param path path below the folder of its disk */
  removed(path: string): void {
    const name = path.split(/[\\/]/).slice(0, -BLOCK_STEPS).join('/');
    if (this.#options.streams().get(name)?.isArchiveOnly !== true) return;
    this.#shrunk.add(name);
    this.#checkSoon.schedule();
  }

  close(): void {
    this.#isClosed = true;
    this.#checkSoon.cancel();
  }

  async #find(): Promise<void> {
    const { catalog, streams } = this.#options;
    for (const { name, isArchiveOnly } of streams().list()) if (isArchiveOnly) this.#shrunk.add(name);
    for (let after = ''; !this.#isClosed;) {
      const names = await catalog.streams(after, STEP_NAMES);
      for (const name of names) this.#shrunk.delete(name);
      await this.#addStreams(names);
      const last = names.at(-1);
      if (last === undefined || names.length < STEP_NAMES) break;
      after = last;
    }
    await this.#dropEmpty();
  }

  async #settle(): Promise<void> {
    const names = [...this.#grown];
    this.#grown.clear();
    if (names.length > 0) await this.#options.catalog.settled();
    for (let at = 0; at < names.length; at += STEP_NAMES) await this.#addStreams(names.slice(at, at + STEP_NAMES));
    await this.#dropEmpty();
  }

  /** Creates a stream for each of these archives that has no stream. */
  async #addStreams(names: readonly string[]): Promise<void> {
    const { catalog, streams, streamAdded, full } = this.#options;
    const missing = names.filter((name) => !streams().get(name));
    if (missing.length === 0) return;
    const room = this.#max - streams().list().length;
    if (missing.length > room) full(this.#max);
    const some = missing.slice(0, Math.max(0, room));
    const extents = await catalog.extents(some);
    await runInTurns(
      (function* () {
        for (const [at, name] of some.entries()) {
          if (streams().get(name)) continue;
          const endMs = extents[at]?.endMs ?? 0;
          void streams()
            .ensureArchiveStream(name)
            .then((entry) => {
              if (entry?.isArchiveOnly === true) streamAdded(entry, endMs);
            });
          yield;
        }
      })(),
    );
  }

  /** Removes streams whose last block was deleted. */
  async #dropEmpty(): Promise<void> {
    const { catalog, recordings, streams } = this.#options;
    const names = [...this.#shrunk];
    this.#shrunk.clear();
    if (names.length > 0) await catalog.settled();
    for (let at = 0; at < names.length && !this.#isClosed; at += STEP_NAMES) {
      const some = names.slice(at, at + STEP_NAMES);
      const extents = await catalog.extents(some);
      for (const [index, name] of some.entries())
        if (extents[index] === undefined && recordings.isOver(name)) await streams().dropArchive(name);
    }
  }
}
