import { join } from 'node:path';
import type { MessagePort } from 'node:worker_threads';
import { parseTracks } from '../../dvr/block/block-head.ts';
import { unpackIndex } from '../../dvr/block/block-index.ts';
import type { TimeRange } from '../../dvr/catalog/catalog-store.ts';
import { ArchiveFiles } from '../../dvr/window/archive-files.ts';
import { tableOf, type BlockTable } from '../../dvr/window/block-table.ts';
import { recordedOnce } from '../../dvr/window/recorded-once.ts';
import type { Clock } from '../../lib/clock.ts';
import { explained, messageOf } from '../../lib/error-message.ts';
import { lowerThreadPriority } from '../../lib/thread-priority.ts';
import type { ArchiveBlocks, FromExportThread, ToExportThread } from './export-messages.ts';
import type { CutPictures } from './exact-format.ts';
import { runExport, type ExportProgress } from './export-run.ts';
import { ExportFailure, type ExportTask } from './export-task.ts';
import { because } from '../../../src-preload/contract/explanations/explanations.ts';

/** Interval of progress messages in milliseconds. */
const PROGRESS_MS = 250;

/** Runs one export in its own thread and reports the result. Requests blocks from the server thread. */
export async function serveExport(task: ExportTask, port: MessagePort, clock: Clock): Promise<void> {
  lowerThreadPriority();
  const post = (message: FromExportThread): void => {
    port.postMessage(message);
  };
  const calls = new Calls(post);
  port.on('message', (message: ToExportThread) => {
    calls.settle(message);
  });
  const files = new ArchiveFiles({ clock });
  let reportedMs = 0;
  const progress = (now: ExportProgress): void => {
    if (clock.now() - reportedMs < PROGRESS_MS) return;
    reportedMs = clock.now();
    post({ type: 'progress', progress: now });
  };
  try {
    const tables = (stream: string) => async (time: TimeRange) => tablesOf(await calls.blocks(stream, time), files);
    post({
      type: 'done',
      files: await runExport({
        task,
        tables,
        progress,
        encode: async (input) => calls.encode(input),
        picture: async (stream, atMs) => calls.picture(stream, atMs),
      }),
    });
  } catch (error) {
    // An error that is neither an export failure nor from the output disk comes from the archive.
    const code = error instanceof ExportFailure ? error.code : 'media_unreadable';
    post({ type: 'failed', code, ...explained(error) });
  } finally {
    await files.close();
    port.close();
  }
}

function tablesOf({ finished, unfinished }: ArchiveBlocks, files: ArchiveFiles): readonly BlockTable[] {
  const found: (BlockTable | undefined)[] = finished.map(({ disk, path, tracks: text, packedIndex }) => {
    const [tracks, index] = [parseTracks(text), unpackIndex(packedIndex)];
    const content = tracks && index && { disk, path, tracks, index, isFinished: true };
    return content && tableOf(content, files.file(disk, join(disk, path)));
  });
  const finishedPaths = new Set(finished.map(({ disk, path }) => join(disk, path)));
  for (const content of unfinished) {
    const path = join(content.disk, content.path);
    if (!finishedPaths.has(path)) found.push(tableOf(content, files.file(content.disk, path)));
  }
  return recordedOnce(found.filter((table) => table !== undefined).sort((a, b) => a.startMs - b.startMs));
}

/** Calls to the server thread, each answered once. */
class Calls {
  readonly #post: (message: FromExportThread) => void;
  readonly #waiting = new Map<number, PromiseWithResolvers<unknown>>();
  #last = 0;

  constructor(post: (message: FromExportThread) => void) {
    this.#post = post;
  }

  async blocks(stream: string, time: TimeRange): Promise<ArchiveBlocks> {
    // The server thread is of the same build.
    return (await this.#call((call) => ({ type: 'blocks', call, stream, time }))) as ArchiveBlocks;
  }

  async encode(input: Parameters<CutPictures>[0]): ReturnType<CutPictures> {
    try {
      return (await this.#call((call) => ({ type: 'encode', call, input }))) as Awaited<ReturnType<CutPictures>>;
    } catch (error) {
      throw new ExportFailure('export_not_exact', because('pictures_not_encoded', { explanation: messageOf(error) }));
    }
  }

  async picture(stream: string, atMs: number): Promise<Uint8Array> {
    try {
      return (await this.#call((call) => ({ type: 'picture', call, stream, atMs }))) as Uint8Array;
    } catch (error) {
      throw new ExportFailure(
        'picture_not_available',
        because('picture_not_made', { stream, explanation: messageOf(error) }),
      );
    }
  }

  async #call(messageOfCall: (call: number) => FromExportThread): Promise<unknown> {
    const call = ++this.#last;
    const answer = Promise.withResolvers<unknown>();
    this.#waiting.set(call, answer);
    this.#post(messageOfCall(call));
    return answer.promise;
  }

  settle(message: ToExportThread): void {
    const answer = this.#waiting.get(message.call);
    this.#waiting.delete(message.call);
    if (message.type === 'answer') answer?.resolve(message.value);
    else answer?.reject(new Error(message.detail));
  }
}
