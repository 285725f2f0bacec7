import { createHash } from 'node:crypto';
import type { Clock } from '../../lib/clock.ts';
import { explained } from '../../lib/error-message.ts';
import { FileTurns, fileShare } from '../../lib/file-turns.ts';
import { SharedTurn } from '../../lib/shared-turn.ts';
import type { LeftOutTrack } from '../../media/access-unit.ts';
import type { FileRefusal } from '../index/file-index.ts';
import { UnpackedSegments } from '../index/unpacked-segments.ts';
import { StoredFile } from '../stored-file.ts';
import { findPlayable, type Playable } from '../playable.ts';
import { readVodPath, type VodLocation, type VodPath } from '../vod-location.ts';
import { IndexThreads, type IndexedFiles, type IndexRequest, type IndexThreadsOptions } from './index-threads.ts';
import { FileWindow } from '../window/file-window.ts';
import { because, type Explained } from '../../../src-preload/contract/explanations/explanations.ts';

/** Reason for refusing a name: code and sentence. */
export interface VodRefusal extends Explained {
  readonly code: FileRefusal['code'] | 'vod_file_not_found' | 'vod_file_unreadable';
}

export interface OpenFile {
  /** Name in addresses: prefix and path. */
  readonly name: string;
  readonly location: VodLocation;
  /** Files of the content: one, or the renditions of a ladder. */
  readonly files: readonly StoredFile[];
  readonly path: string;
  readonly window: FileWindow;
  /** Tracks that cannot be played. */
  readonly leftOut: readonly LeftOutTrack[];
  /** Whether the name belongs to a folder whose files are played as one. */
  readonly isFolder: boolean;
  /** Size of all its files. */
  readonly sizeBytes: number;
  /** Epoch milliseconds. */
  readonly openedMs: number;
}

export interface OpenFilesOptions extends IndexThreadsOptions {
  /** Maximum memory of all indexes in bytes; default 256 MiB. The least recently used are dropped first. */
  readonly maxBytes?: number;
  /** Maximum number of open files; default 1000. */
  readonly maxFiles?: number;
  /** Files of at least this size (bytes) are opened by the key frame index of their container, if present; default: none. */
  readonly outlineFromBytes?: number;
  /** Maximum time to index a file, in milliseconds; one second per 2 MiB is added; default one minute. */
  readonly indexMs?: number;
  /** Called when a file is dropped. */
  readonly closed?: (file: OpenFile) => void;
}

/** Minimum time between two checks of a file for changes, in milliseconds. */
const FRESH_MS = 1000;
/** Time without requests after which a file is closed, in milliseconds; its index stays in memory. */
const IDLE_MS = 30_000;
const MAX_BYTES = 256 << 20;
const MAX_FILES = 1000;
/** Maximum number of deleted files that are still being read; the oldest are closed first. */
const MAX_LEAVING = 100;
const INDEX_MS = 60_000;
/** Slowest supported disk for indexing, in bytes per millisecond. */
const MIN_BYTES_PER_MS = (2 << 20) / 1000;
/** Memory of an open file besides its index. */
const FILE_BYTES = 4096;

/** Cached result of a name: an open file or a refusal. */
interface CachedName {
  readonly found: Playable;
  readonly outcome: OpenFile | VodRefusal;
  readonly bytes: number;
  checkedMs: number;
  usedMs: number;
}

interface Opening {
  readonly outcome: Promise<OpenFile | VodRefusal>;
  readonly abort: AbortController;
  /** Turn in the queue of indexes. */
  readonly turn: SharedTurn;
  /** Waiting callers; undefined for a caller without a signal. */
  readonly waiting: Set<AbortSignal | undefined>;
}

/** Cache of the requested files of all locations. A file is indexed once, and again when it has changed. */
export class OpenFiles {
  readonly #clock: Clock;
  readonly #turns: FileTurns;
  readonly #options: OpenFilesOptions;
  #locations: ReadonlyMap<string, VodLocation> = new Map();
  /** Files and refusals by name, the least recently used first. */
  readonly #cached = new Map<string, CachedName>();
  readonly #opening = new Map<string, Opening>();
  /** Files that were deleted or replaced, with the time at which this was found; viewers may still read them for some time. */
  readonly #leaving = new Map<readonly StoredFile[], number>();
  readonly #unpacked = new UnpackedSegments();
  readonly #threads: IndexThreads;
  #bytes = 0;
  /** Number of indexes created since the start. */
  indexCount = 0;

  constructor(options: OpenFilesOptions) {
    this.#options = options;
    this.#clock = options.clock;
    this.#threads = new IndexThreads(options);
    const { clock, hangMs } = options;
    this.#turns = new FileTurns({ clock, limit: fileShare(), ...(hangMs === undefined ? {} : { hangMs }) });
  }

  /** Sets the locations. Closes files of locations that were removed or changed. */
  apply(locations: readonly VodLocation[]): void {
    this.#locations = new Map(locations.map((location) => [location.prefix, location]));
    for (const [name, { outcome }] of this.#cached) {
      const now = readVodPath(this.#locations, name)?.location;
      if (!('window' in outcome) || JSON.stringify(now) !== JSON.stringify(outcome.location)) this.#forget(name);
    }
  }

  /** Whether a name belongs to a location; the file need not exist. */
  covers(name: string): boolean {
    return readVodPath(this.#locations, name) !== undefined;
  }

  /** Returns the file if it is open. */
  get(name: string): OpenFile | undefined {
    const outcome = this.#cached.get(name)?.outcome;
    return outcome && 'window' in outcome ? outcome : undefined;
  }

  *list(): Generator<OpenFile, void, undefined> {
    for (const { outcome } of this.#cached.values()) if ('window' in outcome) yield outcome;
  }

  /** Memory of all indexes. */
  get memoryBytes(): number {
    return this.#bytes;
  }

  /**
   * Opens a file, or returns the reason for refusing it.
   *
   * @param signal aborted when the caller stops waiting; an index without a waiting caller is cancelled
   * @param address address of the caller; addresses take turns for indexes. Default: one turn per name
   */
  async open(name: string, signal?: AbortSignal, address = name): Promise<OpenFile | VodRefusal> {
    const nowMs = this.#clock.now();
    const cached = this.#cached.get(name);
    if (cached) {
      this.#cached.delete(name);
      this.#cached.set(name, cached);
      cached.usedMs = nowMs;
      if (nowMs - cached.checkedMs < FRESH_MS) return cached.outcome;
    }
    const opening = this.#opening.get(name) ?? this.#start(name, nowMs);
    opening.waiting.add(signal);
    opening.turn.request(address, signal);
    const leave = (): void => {
      opening.waiting.delete(signal);
      if (opening.waiting.size > 0) return;
      // The next caller starts again.
      if (this.#opening.get(name) === opening) this.#opening.delete(name);
      const reason = new Error('No viewer waits for the file any more.');
      opening.turn.giveUp(reason);
      opening.abort.abort(reason);
    };
    if (signal?.aborted) leave();
    signal?.addEventListener('abort', leave);
    try {
      return await opening.outcome;
    } finally {
      signal?.removeEventListener('abort', leave);
    }
  }

  #start(name: string, nowMs: number): Opening {
    const abort = new AbortController();
    const turn = new SharedTurn(this.#threads.turns);
    const outcome = this.#open(name, nowMs, { turn, signal: abort.signal })
      .catch((error: unknown): VodRefusal => ({ code: 'vod_file_unreadable', ...explained(error) }))
      .finally(() => {
        if (this.#opening.get(name) === opening) this.#opening.delete(name);
      });
    const opening: Opening = { abort, turn, outcome, waiting: new Set() };
    this.#opening.set(name, opening);
    return opening;
  }

  /** Closes files that are no longer read. Called periodically. */
  sweep(nowMs: number): void {
    for (const { outcome, usedMs } of this.#cached.values())
      if ('window' in outcome && nowMs - usedMs > IDLE_MS) closeAll(outcome.files);
    for (const [left, leftMs] of this.#leaving) if (nowMs - leftMs > IDLE_MS) this.#close(left);
  }

  /** Closes all files at once. Resolves when their indexes are stored. */
  async close(): Promise<void> {
    for (const left of this.#leaving.keys()) this.#close(left);
    for (const name of [...this.#cached.keys()]) this.#forget(name);
    await this.#threads.close();
  }

  async #open(
    name: string,
    nowMs: number,
    order: Pick<IndexRequest, 'turn' | 'signal'>,
  ): Promise<OpenFile | VodRefusal> {
    const path = readVodPath(this.#locations, name);
    const found = path && (await this.#turns.run(path.location.prefix, async () => findPlayable(path)));
    const cached = this.#cached.get(name);
    if (!path || !found) {
      if (cached) this.#forget(name, nowMs);
      return { code: 'vod_file_not_found', ...because('file_unknown', { path: name }) };
    }
    if (cached?.found.path === found.path && cached.found.version === found.version) {
      cached.checkedMs = nowMs;
      return cached.outcome;
    }
    // An overwritten file cannot be read any more; a replaced or renamed file still can.
    const written = new Set(found.parts.map(({ inode }) => inode));
    const isReadable = cached?.found.parts.every(({ inode }) => !written.has(inode)) === true;
    if (cached) this.#forget(name, isReadable ? nowMs : undefined);
    return this.#read(name, path, found, order);
  }

  async #read(
    name: string,
    { location }: VodPath,
    found: Playable,
    order: Pick<IndexRequest, 'turn' | 'signal'>,
  ): Promise<OpenFile | VodRefusal> {
    const files = found.parts.map((part) => new StoredFile(part, this.#turns));
    const { segmentMs } = location;
    const indexed = await this.#index(files, segmentMs, {
      ...order,
      film: { path: found.path, isFolder: found.isFolder },
    });
    this.indexCount++;
    order.signal.throwIfAborted();
    const nowMs = this.#clock.now();
    if ('code' in indexed) {
      this.#store(name, { found, outcome: indexed, bytes: FILE_BYTES, checkedMs: nowMs, usedMs: nowMs });
      return indexed;
    }
    const { index } = indexed;
    const subtitles = indexed.subtitles.map(({ bytes, ...about }, at) => ({
      id: `s${at + 1}`,
      ...about,
      media: { sizeBytes: bytes.length, pieces: [{ bytes }] },
    }));
    const subtitleBytes = subtitles.reduce((sum, { media }) => sum + media.sizeBytes, 0);
    // A file that is opened by its outline has other segments than a file whose samples are listed.
    const form = index.tracks.some(({ sampleCache }) => sampleCache) ? ' outlined' : '';
    const cut = createHash('sha256').update(`${found.version} ${segmentMs}${form}`).digest('hex');
    const addressPrefix = `${cut.slice(0, 8)}-`;
    const window = new FileWindow({ index, segmentMs, subtitles, addressPrefix });
    const { path, sizeBytes, isFolder } = found;
    const { leftOut = [] } = index;
    const outcome: OpenFile = { name, location, files, path, window, leftOut, sizeBytes, isFolder, openedMs: nowMs };
    this.#store(name, {
      found,
      outcome,
      bytes: index.memoryBytes + subtitleBytes + FILE_BYTES,
      checkedMs: nowMs,
      usedMs: nowMs,
    });
    return outcome;
  }

  /** Indexes files within the deadline. A refusal is remembered until the files change. */
  async #index(
    files: readonly StoredFile[],
    segmentMs: number,
    order: Pick<IndexRequest, 'film' | 'turn' | 'signal'>,
  ): Promise<IndexedFiles | FileRefusal> {
    const { outlineFromBytes = Infinity, indexMs = INDEX_MS } = this.#options;
    const sizeBytes = files.reduce((sum, file) => sum + file.sizeBytes, 0);
    return this.#threads.index({
      files,
      segmentMs,
      outlineFromBytes,
      ...order,
      unpacked: this.#unpacked,
      deadlineMs: indexMs + sizeBytes / MIN_BYTES_PER_MS,
    });
  }

  #store(name: string, cached: CachedName): void {
    this.#cached.set(name, cached);
    this.#bytes += cached.bytes;
    const { maxBytes = MAX_BYTES, maxFiles = MAX_FILES } = this.#options;
    for (const oldest of [...this.#cached.keys()]) {
      if ((this.#bytes <= maxBytes && this.#cached.size <= maxFiles) || oldest === name) break;
      this.#forget(oldest);
    }
  }

  /** @param leftMs current time if viewers may still read the files, which then stay open for a while */
  #forget(name: string, leftMs?: number): void {
    const cached = this.#cached.get(name);
    if (!cached) return;
    this.#cached.delete(name);
    this.#bytes -= cached.bytes;
    const { outcome } = cached;
    if (!('window' in outcome)) return;
    if (leftMs === undefined) closeAll(outcome.files);
    else this.#leaving.set(outcome.files, leftMs);
    for (const oldest of this.#leaving.keys()) {
      if (this.#leaving.size <= MAX_LEAVING) break;
      this.#close(oldest);
    }
    this.#options.closed?.(outcome);
  }

  #close(left: readonly StoredFile[]): void {
    closeAll(left);
    this.#leaving.delete(left);
  }
}

function closeAll(files: readonly StoredFile[]): void {
  for (const file of files) file.close();
}
