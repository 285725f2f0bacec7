import { Channel, type MessagePipe, type Silence } from '../../lib/channel/channel.ts';
import type { Clock } from '../../lib/clock.ts';
import { fileShare, FileTurns } from '../../lib/file-turns.ts';
import { newestOf } from '../../lib/limits/newest.ts';
import type { FileIndex, FileRefusal } from '../index/file-index.ts';
import { indexFiles } from '../outline/index-file.ts';
import { IndexStore } from '../index/index-store.ts';
import { packIndex, transferOf } from '../index/packed-index.ts';
import { UnpackedSegments } from '../index/unpacked-segments.ts';
import { StoredFile } from '../stored-file.ts';
import { readSubtitles } from '../subtitles.ts';
import type { Indexed, IndexTask, IndexThreadStart, SamplesRequest, ToIndexThread } from './messages.ts';

/** Outlined files kept open for lookups. */
const MAX_OUTLINED = 8;

/** File that is kept open to look up samples. */
interface Outlined {
  readonly files: readonly StoredFile[];
  readonly index: Promise<FileIndex | FileRefusal>;
  /** Lookups in progress. */
  count: number;
}

/** Indexes files and looks up samples, off the server thread. */
export class IndexThread {
  readonly #channel: Channel<Silence, ToIndexThread>;
  readonly #turns: FileTurns;
  readonly #store: IndexStore | undefined;
  /** Segments are unpacked by the serving thread, so this cache stays empty. */
  readonly #unpacked = new UnpackedSegments();
  /** Files by key, the least recently used first. */
  readonly #outlined = new Map<string, Outlined>();

  constructor(pipe: MessagePipe, clock: Clock, { storeFolder: folder, hangMs, number }: IndexThreadStart) {
    // Several threads read at the same time.
    const limit = Math.max(2, Math.floor(fileShare() / 4));
    this.#turns = new FileTurns({ clock, limit, ...(hangMs === undefined ? {} : { hangMs }) });
    this.#store = folder === undefined ? undefined : new IndexStore({ clock, folder, writer: number });
    this.#channel = new Channel<Silence, ToIndexThread>(clock, {
      calls: {
        index: async (task, call) => {
          const indexed = await this.#index(task, call.signal);
          call.answer(indexed, 'tracks' in indexed.index ? transferOf(indexed.index) : []);
        },
        samples: async (question, call) => {
          call.answer(await this.#samplesOf(question));
        },
        subtitles: async ({ mediaOffsetMs, ...film }, call) => {
          const found = await this.#turns.run(film.path, async () => readSubtitles(film, mediaOffsetMs));
          call.answer(
            found,
            found.map(({ bytes }) => bytes.buffer),
          );
        },
        settle: async (_, call) => {
          await this.#store?.settled();
          call.answer(undefined);
        },
      },
      feeds: {},
      subscriptions: {},
      events: {},
    });
    this.#channel.attach(pipe);
  }

  /** Aborts work in progress. */
  close(): void {
    this.#channel.close({ code: 'vod_file_unreadable', detail: 'the index thread was closed' });
  }

  async #index(task: IndexTask, signal: AbortSignal): Promise<Indexed> {
    const files = this.#open(task);
    try {
      const index = await this.#read(task, files, signal);
      return {
        index: 'tracks' in index ? packIndex(index, files) : index,
        bytesIn: files.map(({ bytesIn }) => bytesIn),
      };
    } finally {
      for (const file of files) file.close();
    }
  }

  #open({ files }: IndexTask): StoredFile[] {
    return files.map((file) => new StoredFile(file, this.#turns));
  }

  async #read(
    { segmentMs, outlineFromBytes }: IndexTask,
    files: readonly StoredFile[],
    signal?: AbortSignal,
  ): Promise<FileIndex | FileRefusal> {
    const store = this.#store;
    return indexFiles(
      files.map((file) => file.indexed(signal)),
      { segmentMs, unpacked: this.#unpacked, outlineFromBytes, ...(store ? { store } : {}) },
    );
  }

  async #samplesOf({ task, track, segment }: SamplesRequest): Promise<ToIndexThread['calls']['samples'][1]> {
    const key = JSON.stringify(task);
    const outlined = newestOf(this.#outlined, key, MAX_OUTLINED, () => {
      const files = this.#open(task);
      return { files, index: this.#read(task, files), count: 0 };
    });
    outlined.count++;
    try {
      const index = await outlined.index;
      const sampleCache = 'tracks' in index ? index.tracks[track]?.sampleCache : undefined;
      if (!sampleCache) throw new RangeError(`${task.files[0]?.path ?? ''} has changed since it was indexed.`);
      return await sampleCache.find(segment);
    } catch (error) {
      // The next lookup opens the file again.
      if (this.#outlined.get(key) === outlined) this.#outlined.delete(key);
      throw error;
    } finally {
      if (--outlined.count === 0) for (const file of outlined.files) file.close();
    }
  }
}
