import { createHash } from 'node:crypto';
import type { Clock } from '../lib/clock.ts';
import { messageOf } from '../lib/error-message.ts';
import { FileTurns, fileShare } from '../lib/file-turns.ts';
import type { FileIndex, FileRefusal } from './index/file-index.ts';
import { UnpackedSegments } from './index/unpacked-segments.ts';
import { StoredFile } from './stored-file.ts';
import { findPlayable, type Playable } from './playable.ts';
import { readVodPath, type VodLocation, type VodPath } from './vod-location.ts';
import { readSubtitles } from './subtitles.ts';
import { IndexThreads, type IndexThreadsOptions } from './thread/index-threads.ts';
import { FileWindow } from './window/file-window.ts';

/** Why there is nothing to play of a file, and in words. */
export interface VodRefusal {
  readonly code: FileRefusal['code'] | 'vod_file_not_found' | 'vod_file_unreadable';
  readonly detail: string;
}

/** A file that is open. */
export interface OpenFile {
  /** Its name in addresses: prefix and path. */
  readonly name: string;
  readonly location: VodLocation;
  /** What it is read from: one file, or those of a ladder. */
  readonly files: readonly StoredFile[];
  /** Where it lies. */
  readonly path: string;
  readonly window: FileWindow;
  /** Whether it is a folder whose files are played as one. */
  readonly isFolder: boolean;
  /** Bytes of all its files. */
  readonly sizeBytes: number;
  /** Epoch milliseconds. */
  readonly openedMs: number;
}

/** What open files need. */
export interface OpenFilesOptions extends IndexThreadsOptions {
  /** Bytes in memory of all indexes; default 256 MiB. The longest unused go first. */
  readonly mostBytes?: number;
  /** Files that are kept; default 1000. */
  readonly mostFiles?: number;
  /** A file of so many bytes or more is opened by what its container says of its key frames, where it does; default: none. */
  readonly outlineFromBytes?: number;
  /** Time to index a file in milliseconds, besides one second for every 2 MiB of it; default one minute. */
  readonly indexMs?: number;
  /** A file is not kept any more. */
  readonly closed?: (file: OpenFile) => void;
}

/** For how long a file is taken to be what it was, in milliseconds. */
const FRESH_MS = 1000;
/** A file that was not asked for so long is closed; its index stays. */
const IDLE_MS = 30_000;
const MAX_BYTES = 256 << 20;
const MAX_FILES = 1000;
/** Files that are gone and still read, the oldest are closed first. */
const MAX_LEAVING = 100;
const INDEX_MS = 60_000;
/** Slowest disk that a file is indexed from, in bytes per millisecond. */
const MIN_BYTES_PER_MS = (2 << 20) / 1000;
/** What a file takes in memory besides its index. */
const FILE_BYTES = 4096;

/** What is known of a name. */
interface Known {
  readonly found: Playable;
  readonly outcome: OpenFile | VodRefusal;
  readonly bytes: number;
  checkedMs: number;
  usedMs: number;
}

/** A file that is being opened. */
interface Opening {
  readonly outcome: Promise<OpenFile | VodRefusal>;
  readonly abort: AbortController;
  /** Callers that wait; undefined stands for those that wait to the end. */
  readonly waiting: Set<AbortSignal | undefined>;
}

/** The files of all locations that were asked for: each is read once, and again when it is another one. */
export class OpenFiles {
  readonly #clock: Clock;
  readonly #turns: FileTurns;
  readonly #options: OpenFilesOptions;
  #locations: ReadonlyMap<string, VodLocation> = new Map();
  /** By name, the longest unused first. */
  readonly #known = new Map<string, Known>();
  readonly #opening = new Map<string, Opening>();
  /** Files that are deleted, or others have their names: who has their windows reads on for a while. */
  readonly #leaving = new Map<readonly StoredFile[], number>();
  readonly #unpacked = new UnpackedSegments();
  readonly #threads: IndexThreads;
  #bytes = 0;
  /** Indexes that were made. */
  indexCount = 0;

  constructor(options: OpenFilesOptions) {
    this.#options = options;
    this.#clock = options.clock;
    this.#threads = new IndexThreads(options);
    const { clock, hangMs } = options;
    this.#turns = new FileTurns({ clock, limit: fileShare(), ...(hangMs === undefined ? {} : { hangMs }) });
  }

  /** Other locations than before; what was open of those that are gone or are others is closed. */
  apply(locations: readonly VodLocation[]): void {
    this.#locations = new Map(locations.map((location) => [location.prefix, location]));
    for (const [name, { outcome }] of this.#known) {
      const now = readVodPath(this.#locations, name)?.location;
      if (!('window' in outcome) || JSON.stringify(now) !== JSON.stringify(outcome.location)) this.#forget(name);
    }
  }

  /** Whether a name is that of a file of some location, which need not be there. */
  covers(name: string): boolean {
    return readVodPath(this.#locations, name) !== undefined;
  }

  /** A file that is open; undefined for any other one. */
  get(name: string): OpenFile | undefined {
    const outcome = this.#known.get(name)?.outcome;
    return outcome && 'window' in outcome ? outcome : undefined;
  }

  /** All files that are open. */
  *list(): Generator<OpenFile, void, undefined> {
    for (const { outcome } of this.#known.values()) if ('window' in outcome) yield outcome;
  }

  /** Bytes that all indexes take in memory. */
  get memoryBytes(): number {
    return this.#bytes;
  }

  /**
   * Opens a file, or says why it cannot be played.
   *
   * @param signal aborted when the caller waits no longer: an index that no other caller waits for is given up
   */
  async open(name: string, signal?: AbortSignal): Promise<OpenFile | VodRefusal> {
    const nowMs = this.#clock.now();
    const known = this.#known.get(name);
    if (known) {
      this.#known.delete(name);
      this.#known.set(name, known);
      known.usedMs = nowMs;
      if (nowMs - known.checkedMs < FRESH_MS) return known.outcome;
    }
    const opening = this.#opening.get(name) ?? this.#begin(name, nowMs);
    opening.waiting.add(signal);
    const leave = (): void => {
      opening.waiting.delete(signal);
      if (opening.waiting.size > 0) return;
      // Another caller starts anew.
      if (this.#opening.get(name) === opening) this.#opening.delete(name);
      opening.abort.abort(new Error('No viewer waits for the file any more.'));
    };
    if (signal?.aborted) leave();
    signal?.addEventListener('abort', leave);
    try {
      return await opening.outcome;
    } finally {
      signal?.removeEventListener('abort', leave);
    }
  }

  #begin(name: string, nowMs: number): Opening {
    const abort = new AbortController();
    const outcome = this.#open(name, nowMs, abort.signal)
      .catch((error: unknown): VodRefusal => ({ code: 'vod_file_unreadable', detail: messageOf(error) }))
      .finally(() => {
        if (this.#opening.get(name) === opening) this.#opening.delete(name);
      });
    const opening: Opening = { abort, outcome, waiting: new Set() };
    this.#opening.set(name, opening);
    return opening;
  }

  /** Closes files that are not read any more; called now and then. */
  sweep(nowMs: number): void {
    for (const { outcome, usedMs } of this.#known.values())
      if ('window' in outcome && nowMs - usedMs > IDLE_MS) closeAll(outcome.files);
    for (const [left, leftMs] of this.#leaving) if (nowMs - leftMs > IDLE_MS) this.#close(left);
  }

  /** Closes all files at once; resolves when their indexes are kept. */
  async close(): Promise<void> {
    for (const left of this.#leaving.keys()) this.#close(left);
    for (const name of [...this.#known.keys()]) this.#forget(name);
    await this.#threads.close();
  }

  async #open(name: string, nowMs: number, signal: AbortSignal): Promise<OpenFile | VodRefusal> {
    const path = readVodPath(this.#locations, name);
    const found = path && (await this.#turns.run(path.location.prefix, async () => findPlayable(path)));
    const known = this.#known.get(name);
    if (!path || !found) {
      if (known) this.#forget(name, nowMs);
      return { code: 'vod_file_not_found', detail: `There is no file ${name}` };
    }
    if (known?.found.path === found.path && known.found.version === found.version) {
      known.checkedMs = nowMs;
      return known.outcome;
    }
    // What was written over is gone; a file that another one has the name of is still there.
    const written = new Set(found.parts.map(({ inode }) => inode));
    const isReadable = known?.found.parts.every(({ inode }) => !written.has(inode)) === true;
    if (known) this.#forget(name, isReadable ? nowMs : undefined);
    return this.#read(name, path, found, signal);
  }

  async #read(
    name: string,
    { location }: VodPath,
    found: Playable,
    signal: AbortSignal,
  ): Promise<OpenFile | VodRefusal> {
    const files = found.parts.map((part) => new StoredFile(part, this.#turns));
    const { segmentMs } = location;
    const index = await this.#index(files, segmentMs, signal);
    this.indexCount++;
    signal.throwIfAborted();
    const nowMs = this.#clock.now();
    if ('code' in index) {
      this.#keep(name, { found, outcome: index, bytes: FILE_BYTES, checkedMs: nowMs, usedMs: nowMs });
      return index;
    }
    const subtitles = await this.#turns.run(found.path, async () => readSubtitles(found, index.biasMs));
    const subtitleBytes = subtitles.reduce((sum, { media }) => sum + media.sizeBytes, 0);
    // Segments by an outline are not those that listed samples are cut into.
    const form = index.tracks.some(({ later }) => later) ? ' outlined' : '';
    const cut = createHash('sha256').update(`${found.version} ${segmentMs}${form}`).digest('hex');
    const addressPrefix = `${cut.slice(0, 8)}-`;
    const window = new FileWindow({ index, segmentMs, subtitles, addressPrefix });
    const { path, sizeBytes, isFolder } = found;
    const outcome: OpenFile = { name, location, files, path, window, sizeBytes, isFolder, openedMs: nowMs };
    this.#keep(name, {
      found,
      outcome,
      bytes: index.memoryBytes + subtitleBytes + FILE_BYTES,
      checkedMs: nowMs,
      usedMs: nowMs,
    });
    return outcome;
  }

  /** Indexes files within the deadline. A refusal stays until they change. */
  async #index(files: readonly StoredFile[], segmentMs: number, signal: AbortSignal): Promise<FileIndex | FileRefusal> {
    const { outlineFromBytes = Infinity, indexMs = INDEX_MS } = this.#options;
    const sizeBytes = files.reduce((sum, file) => sum + file.sizeBytes, 0);
    return this.#threads.index({
      files,
      segmentMs,
      outlineFromBytes,
      signal,
      unpacked: this.#unpacked,
      deadlineMs: indexMs + sizeBytes / MIN_BYTES_PER_MS,
    });
  }

  #keep(name: string, known: Known): void {
    this.#known.set(name, known);
    this.#bytes += known.bytes;
    const { mostBytes = MAX_BYTES, mostFiles = MAX_FILES } = this.#options;
    for (const oldest of [...this.#known.keys()]) {
      if ((this.#bytes <= mostBytes && this.#known.size <= mostFiles) || oldest === name) break;
      this.#forget(oldest);
    }
  }

  /** @param leftMs now, where its files are still read by those who have its window */
  #forget(name: string, leftMs?: number): void {
    const known = this.#known.get(name);
    if (!known) return;
    this.#known.delete(name);
    this.#bytes -= known.bytes;
    const { outcome } = known;
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
