import { CallError } from '../../lib/channel/calls.ts';
import { messageOf } from '../../lib/error-message.ts';
import type { SharedTurn } from '../../lib/shared-turn.ts';
import { runInTurns } from '../../lib/turns.ts';
import { WorkTurns } from '../../lib/work-turns.ts';
import type { FileIndex, FileRefusal } from '../index/file-index.ts';
import type { PackedList } from '../index/listed-samples.ts';
import { unpackIndex } from '../index/packed-index.ts';
import type { UnpackedSegments } from '../index/unpacked-segments.ts';
import type { StoredFile } from '../stored-file.ts';
import type { IndexTask, ToIndexThread } from './messages.ts';
import { OneThread, THREAD_ENDED, THREAD_LATE, type OneThreadOptions } from './one-thread.ts';
import { because } from '../../../src-preload/contract/explanations/explanations.ts';

export interface IndexThreadsOptions extends OneThreadOptions {
  /** Folder of stored indexes; default: none are stored. */
  readonly storeFolder?: string;
  /** Time after which a read counts as hanging, in milliseconds; default 5 s. */
  readonly hangMs?: number;
}

export interface IndexRequest extends Omit<IndexTask, 'files'> {
  readonly files: readonly StoredFile[];
  /** Film or SMIL file with subtitle files in the same folder, or folder that contains the subtitle files. */
  readonly film: { readonly path: string; readonly isFolder: boolean };
  /** Cache of the segments that are unpacked. */
  readonly unpacked: UnpackedSegments;
  /** Maximum time from the start of the task, in milliseconds. */
  readonly deadlineMs: number;
  /** Turn in the queue of indexes, from `turns`. */
  readonly turn: SharedTurn;
  /** Aborted when no caller waits any more. */
  readonly signal: AbortSignal;
}

/** Result of a request. */
export interface IndexedFiles {
  readonly index: FileIndex;
  readonly subtitles: ToIndexThread['calls']['subtitles'][1];
}

/** Number of threads that index, each one task at a time. */
const INDEX_THREADS = 2;
/** Deadline to read the subtitle files of a film, in milliseconds. */
const SUBTITLES_MS = 10_000;
/** Deadline to look up the samples of a segment, in milliseconds. */
const LOOKUP_DEADLINE_MS = 30_000;

/**
 * Threads that index files: two that index one task each at a time, and one that looks up samples of segments, so that viewers of
 * an indexed file do not wait for other indexes. They start on demand. A thread that crashes or does not answer is replaced; only
 * its task is lost.
 */
export class IndexThreads {
  readonly #lookupThread: OneThread;
  readonly #free: OneThread[];
  readonly #all: readonly OneThread[];
  /** Queue for the threads that index; addresses of callers take turns. */
  readonly turns = new WorkTurns(INDEX_THREADS);

  constructor(options: IndexThreadsOptions) {
    const { storeFolder, hangMs } = options;
    const common = {
      ...(storeFolder === undefined ? {} : { storeFolder }),
      ...(hangMs === undefined ? {} : { hangMs }),
    };
    this.#lookupThread = new OneThread(options, { ...common, number: 0, isLow: false });
    this.#free = Array.from(
      { length: INDEX_THREADS },
      (_, index) => new OneThread(options, { ...common, number: index + 1, isLow: options.isPrompt !== true }),
    );
    this.#all = [this.#lookupThread, ...this.#free];
  }

  /** Indexes files and reads their subtitles, which are left out if they cannot be read. Throws read errors. */
  async index(order: IndexRequest): Promise<IndexedFiles | FileRefusal> {
    const { film, files, segmentMs, outlineFromBytes, unpacked, deadlineMs, turn, signal } = order;
    const named = files.map(({ path, version, sizeBytes }) => ({ path, version, sizeBytes }));
    const task: IndexTask = { files: named, segmentMs, outlineFromBytes };
    const endTurn = await turn.take();
    const thread = this.#free.pop();
    // There is a thread for each turn.
    if (!thread) throw new Error('No index thread is free for this turn');
    try {
      const { index, bytesIn } = await thread.call('index', task, deadlineMs, signal);
      for (const [place, file] of files.entries()) file.bytesIn += bytesIn[place] ?? 0;
      if ('code' in index) return index;
      // Opens the files, so that viewers can read on after a deletion.
      await Promise.all(files.map(async (file) => file.keepOpen()));
      const samplesOf = async (track: number, segment: number): Promise<PackedList> =>
        this.#lookupThread.call('samples', { task, track, segment }, LOOKUP_DEADLINE_MS);
      const subtitles = thread
        .call('subtitles', { ...film, mediaOffsetMs: index.biasMs }, SUBTITLES_MS, signal)
        .catch(() => []);
      const unpackedIndex = await runInTurns(unpackIndex(index, { files, unpacked, samplesOf }));
      return { index: unpackedIndex, subtitles: await subtitles };
    } catch (error) {
      const refusal = refusalOf(error, deadlineMs);
      if (refusal) return refusal;
      throw error;
    } finally {
      this.#free.push(thread);
      endTurn();
    }
  }

  /** Ends the threads after pending writes of the store. */
  async close(): Promise<void> {
    await Promise.all(this.#all.map(async (thread) => thread.close()));
  }
}

/** Refusal of files that crashed their thread, because they would crash it again. */
function refusalOf(error: unknown, deadlineMs: number): FileRefusal | undefined {
  if (!(error instanceof CallError)) return undefined;
  if (error.code === THREAD_LATE)
    return { code: 'vod_index_timeout', ...because('file_index_late', { seconds: Math.round(deadlineMs / 1000) }) };
  if (error.code !== THREAD_ENDED) return undefined;
  return { code: 'vod_file_damaged', ...because('file_crashed_reader', { explanation: messageOf(error) }) };
}
