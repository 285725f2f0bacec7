import { createHash } from 'node:crypto';
import { mkdir, open, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { Operation } from '../../../src-preload/contract/api/subscribers/operation-object.ts';
import type { SubscribersOnThread } from '../../db/thread/subscribers-on-thread.ts';
import { messageOf } from '../../lib/error-message.ts';
import { isFullDisk } from '../../lib/full-disk.ts';
import { withoutDiskPaths } from '../../lib/mask-secrets.ts';
import type { JobOutcome, JobRunner, RunningJob } from '../../lib/jobs/job-queue.ts';
import { canonicalJson } from '../../subscribers/canonical-json.ts';
import type { OperationQuery } from '../../subscribers/subscriber-query.ts';

/** Content and target of an export. */
export interface OperationExportTask {
  readonly portalId: string;
  readonly format: 'csv' | 'jsonl';
  readonly filter: Omit<OperationQuery, 'afterId' | 'limit' | 'isDescending'>;
  readonly path: string;
}

export interface OperationExportFile {
  readonly path: string;
  readonly sizeBytes: number;
  readonly sha256: string;
  readonly operations: number;
}

/** Progress of an export. */
export interface OperationExportProgress {
  readonly operations: number;
  /** Progress from 0 to 1, by the time of the operation that was written last. */
  readonly share: number;
}

/** Number of operations that are read at once: few enough for one turn of the server. */
const BATCH_SIZE = 200;
/** Columns of operations in CSV, before the payload as JSON. */
const COLUMNS = ['operationId', 'type', 'portalId', 'subscriberId', 'packageId', 'createdAt', 'updatedAt'] as const;
export const CSV_HEAD = `${COLUMNS.join(',')},payload`;

/**
 * Writes operations to files, page by page, so an export of any length needs only the memory of one page. The file gets its
 * name when it is complete.
 */
export class OperationExportWriter implements JobRunner<
  OperationExportTask,
  OperationExportFile,
  OperationExportProgress
> {
  readonly #store: () => Promise<SubscribersOnThread>;

  /** @param store opens the database if it is not open */
  constructor(store: () => Promise<SubscribersOnThread>) {
    this.#store = store;
  }

  run(
    task: OperationExportTask,
    progress: (progress: OperationExportProgress) => void,
  ): RunningJob<OperationExportFile> {
    const stop = new AbortController();
    const work = this.#write(task, progress, stop.signal);
    const outcome = work.then(
      (file): JobOutcome<OperationExportFile> => ({ files: [file] }),
      (error: unknown) => ({ code: codeOf(error), detail: withoutDiskPaths(messageOf(error)) }),
    );
    return {
      outcome,
      async stop() {
        stop.abort();
        await outcome;
      },
    };
  }

  async #write(
    { portalId, format, filter, path }: OperationExportTask,
    progress: (progress: OperationExportProgress) => void,
    signal: AbortSignal,
  ): Promise<OperationExportFile> {
    const store = await this.#store();
    const temporary = `${path}.tmp`;
    await mkdir(dirname(path), { recursive: true });
    const file = await open(temporary, 'w', 0o600);
    try {
      const hash = createHash('sha256');
      let [operations, sizeBytes] = [0, 0];
      let firstMs: number | undefined;
      let afterId: string | undefined;
      const append = async (text: string): Promise<void> => {
        const bytes = Buffer.from(text);
        hash.update(bytes);
        sizeBytes += bytes.length;
        await file.appendFile(bytes);
      };
      if (format === 'csv') await append(`${CSV_HEAD}\r\n`);
      for (;;) {
        signal.throwIfAborted();
        const page = await store.operations(portalId, { ...filter, afterId, limit: BATCH_SIZE, isDescending: false });
        const last = page.items.at(-1);
        if (!last) break;
        await append(page.items.map(format === 'csv' ? (one) => csvOperation(one) : jsonLine).join(''));
        afterId = last.operationId;
        operations += page.items.length;
        firstMs ??= filter.fromMs ?? Date.parse(page.items[0]?.createdAt ?? '');
        const spanMs = (filter.beforeMs ?? Infinity) - firstMs;
        progress({ operations, share: spanMs > 0 ? Math.min(1, (Date.parse(last.createdAt) - firstMs) / spanMs) : 1 });
        if (!page.hasMore) break;
      }
      await file.sync();
      await file.close();
      await rename(temporary, path);
      return { path, sizeBytes, sha256: hash.digest('hex'), operations };
    } catch (error) {
      await file.close().catch(() => undefined);
      await rm(temporary, { force: true }).catch(() => undefined);
      throw error;
    }
  }
}

function codeOf(error: unknown): string {
  return isFullDisk(error) ? 'export_no_room' : 'export_not_written';
}

function jsonLine(operation: Operation): string {
  return `${JSON.stringify(operation)}\n`;
}

/** Operation as a line of CSV (RFC 4180). @param more cells of additional columns */
export function csvOperation(operation: Operation, more: readonly string[] = []): string {
  const cells = [...COLUMNS.map((name) => operation[name] ?? ''), canonicalJson(operation.payload), ...more];
  return `${cells.map((cell) => (/[",\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell)).join(',')}\r\n`;
}
