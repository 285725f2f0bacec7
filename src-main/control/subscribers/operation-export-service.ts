import { randomBytes, timingSafeEqual } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import {
  type OperationExport,
  type OperationExportCreate,
  SUBSCRIBERS_PREFIX,
} from '../../../src-preload/contract/api/subscribers/operation-export-objects.ts';
import { AirdeskError } from '../../../src-preload/contract/errors.ts';
import { isoTime, type Clock } from '../../lib/clock.ts';
import { JobQueue, type StoredJob } from '../../lib/jobs/job-queue.ts';
import type { OperationExportFile, OperationExportProgress, OperationExportTask } from './operation-export-writer.ts';
import type { PortalCaller } from './portal-service.ts';

/** Request of an export, and the key with which the file can be read without a login. */
interface OperationExportRequest {
  readonly request: OperationExportCreate;
  readonly key: string;
}

export type OperationExportJob = StoredJob<OperationExportRequest, OperationExportTask, OperationExportFile>;
/** Exports of operations logs: waiting, running and finished ones. */
export class OperationExportJobs extends JobQueue<
  OperationExportRequest,
  OperationExportTask,
  OperationExportFile,
  OperationExportProgress
> {}

export interface OperationExportDeps {
  readonly clock: Clock;
  /** Undefined if exports cannot be stored. */
  readonly jobs: OperationExportJobs | undefined;
  /** Folder of the files. */
  readonly folder: string;
}

/** Maximum number of exports of a portal, finished or not. */
const MAX_PER_PORTAL = 20;
/** Time for which a finished export is stored, in milliseconds. */
const RETENTION_MS = 86_400_000;

/** Exports of a portal's operations log into files. */
export class OperationExportService {
  readonly #deps: OperationExportDeps;

  constructor(deps: OperationExportDeps) {
    this.#deps = deps;
  }

  /** Exports of a portal, newest first. */
  list({ portalId }: Pick<PortalCaller, 'portalId'>): readonly OperationExport[] {
    const jobs = this.#deps.jobs?.list() ?? [];
    return jobs
      .filter(({ task }) => task.portalId === portalId)
      .map((job) => this.#shown(job))
      .reverse();
  }

  /** Raises `job_not_found`. */
  get(caller: Pick<PortalCaller, 'portalId'>, exportId: string): OperationExport {
    return this.#shown(this.#require(caller, exportId));
  }

  /** Queues an export of the current log. Raises `export_queue_full`, and `unavailable` if exports cannot be stored. */
  create({ portalId, keyName }: PortalCaller, request: OperationExportCreate): OperationExport {
    const { jobs, clock, folder } = this.#deps;
    if (!jobs) throw new AirdeskError('unavailable', 'Exports cannot be stored; see the log');
    if (this.list({ portalId }).length >= MAX_PER_PORTAL)
      throw new AirdeskError('export_queue_full', `A portal has at most ${MAX_PER_PORTAL} exports. Remove one first`);
    const exportId = randomBytes(16).toString('hex');
    const nowMs = clock.now() + 1;
    const beforeMs = request.before === undefined ? nowMs : Math.min(nowMs, Date.parse(request.before));
    const filter = {
      subscriberIds: request.subscriberIds,
      packageId: request.packageId,
      types: request.types,
      fromMs: request.from === undefined ? undefined : Date.parse(request.from),
      beforeMs,
    };
    const { format } = request;
    const task = { portalId, format, filter, path: join(folder, `${exportId}.${format}`) };
    const key = randomBytes(16).toString('hex');
    const job = jobs.add(exportId, { request, key }, task, keyName);
    if (!job) throw new AirdeskError('export_queue_full');
    return this.#shown(job);
  }

  /** Cancels an export that is not finished, and removes its file. Raises `job_not_found`. */
  async remove(caller: Pick<PortalCaller, 'portalId'>, exportId: string): Promise<void> {
    const { task } = this.#require(caller, exportId);
    await this.#deps.jobs?.remove(exportId);
    await rm(task.path, { force: true });
  }

  /** Removes exports that finished more than a day ago. */
  async removeOld(): Promise<void> {
    const { jobs, clock } = this.#deps;
    for (const { id, finishedMs, task } of jobs?.list() ?? []) {
      if (finishedMs === null || clock.now() - finishedMs < RETENTION_MS) continue;
      await jobs?.remove(id);
      await rm(task.path, { force: true });
    }
  }

  /** File of a finished export, in pieces. Raises `job_not_found`, and `export_not_done` before it is finished. */
  file(caller: Pick<PortalCaller, 'portalId'>, exportId: string): ExportedText {
    return textOf(this.#require(caller, exportId));
  }

  /** File of an export for a caller with its key; undefined if the key is wrong. */
  fileOfKey(exportId: string, key: string): ExportedText | undefined {
    const job = this.#deps.jobs?.get(exportId);
    const [given, right] = [Buffer.from(key), Buffer.from(job?.request.key ?? '')];
    return job && given.length === right.length && timingSafeEqual(given, right) ? textOf(job) : undefined;
  }

  #require({ portalId }: Pick<PortalCaller, 'portalId'>, exportId: string): OperationExportJob {
    const job = this.#deps.jobs?.get(exportId);
    // Exports of other portals are treated as missing.
    if (job?.task.portalId !== portalId) throw new AirdeskError('job_not_found');
    return job;
  }

  #shown({ id, status, request, files, createdMs, finishedMs, failure }: OperationExportJob): OperationExport {
    const [file] = files;
    const progress = this.#deps.jobs?.progress(id);
    return {
      exportId: id,
      status,
      request: request.request,
      operations: file?.operations ?? progress?.operations ?? 0,
      progress: status === 'done' ? 1 : (progress?.share ?? 0),
      sizeBytes: file?.sizeBytes ?? null,
      sha256: file?.sha256 ?? null,
      file: file ? `${SUBSCRIBERS_PREFIX}/exports/${id}/file?key=${request.key}` : null,
      createdAt: isoTime(createdMs),
      expiresAt: finishedMs === null ? null : isoTime(finishedMs + RETENTION_MS),
      error: failure,
    };
  }
}

/** Text file that is read while it is sent. */
export interface ExportedText {
  readonly name: string;
  readonly format: 'csv' | 'jsonl';
  readonly pieces: AsyncIterable<string>;
}

function textOf({ status, task, createdMs }: OperationExportJob): ExportedText {
  if (status !== 'done') throw new AirdeskError('export_not_done');
  const name = `operations-${isoTime(createdMs).slice(0, 19).replaceAll(':', '')}.${task.format}`;
  return { name, format: task.format, pieces: createReadStream(task.path, 'utf8') };
}
