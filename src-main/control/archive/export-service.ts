import { randomUUID } from 'node:crypto';
import { statfs } from 'node:fs/promises';
import type { ExportJobBody } from '../../../src-preload/contract/api/export-job-object.ts';
import { AirdeskError } from '../../../src-preload/contract/errors.ts';
import type { ArchiveCatalog } from '../../dvr/catalog/archive-catalog.ts';
import type { TimeRange } from '../../dvr/catalog/catalog-store.ts';
import type { LockList } from '../../dvr/keep/lock-set.ts';
import type { ExportJob, ExportJobs } from '../../export/export-jobs.ts';
import { fileNameOf, filePaths, folderPath, type ExportRoot, type PathRefusal } from '../../export/export-paths.ts';
import type { ExportRequest } from '../../export/thread/export-request.ts';
import type { ExportMark, ExportTask, StreamTask } from '../../export/thread/export-task.ts';
import { timeInFileName, type Clock } from '../../lib/clock.ts';
import { caseRequest, caseTask, type CaseToExport } from './case-export.ts';
import { ExportDownloads } from './export-downloads.ts';

export interface ExportServiceDeps {
  readonly clock: Clock;
  /** Undefined if jobs cannot be stored. */
  readonly jobs: ExportJobs | undefined;
  readonly catalog: Pick<ArchiveCatalog, 'ranges' | 'extent'>;
  /** Locks of a stream that overlap a time range. */
  readonly locks: (stream: string, time: TimeRange) => LockList;
  /** Folder of a path of a VOD location. Raises the fault of the path. */
  readonly locate: (path: string) => ExportRoot;
  /** Export folder of a stream's archive; undefined if it has none. */
  readonly folderOf: (stream: string, time: TimeRange) => Promise<string | undefined>;
}

/** Number of bytes that stay free on a disk. */
const RESERVE_BYTES = 64 << 20;
/** Maximum number of ranges that are read to estimate the size of an export. */
const MAX_RANGES = 10_000;

/** Exports of archives into files. */
export class ExportService {
  readonly downloads: ExportDownloads;
  readonly #deps: ExportServiceDeps;

  constructor(deps: ExportServiceDeps) {
    this.#deps = deps;
    this.downloads = new ExportDownloads(deps.clock);
  }

  /** All jobs, in the order of their creation. */
  list(): readonly ExportJob[] {
    return this.#deps.jobs?.list() ?? [];
  }

  get(id: string): ExportJob | undefined {
    return this.#deps.jobs?.get(id);
  }

  /** Progress of a running job; undefined before the first report. */
  progress(id: string): ReturnType<ExportJobs['progress']> {
    return this.#deps.jobs?.progress(id);
  }

  /**
   * Queues an export. Raises `archive_empty`, `archive_not_yet`, `export_no_room`, `export_file_exists`, `export_queue_full`,
   * and the fault of the path.
   * @param by login of the caller, or another name of the caller
   */
  async create(body: ExportJobBody, by: string): Promise<ExportJob> {
    const request = requestOf(body);
    const { fromMs, toMs, streams, packing, trackIds, isExact = false } = request;
    const time = { startMs: fromMs, endMs: toMs };
    if (!(await this.#isPast(streams, time)))
      throw new AirdeskError('archive_not_yet', 'The end of this range is in the future', { pointer: '/duration' });
    let bytes = 0;
    for (const stream of streams) bytes += (await this.#bytesOf(stream, time)) ?? noArchive(stream);
    const root = await this.#rootOf(request, time);
    const waiting = this.list().filter(({ status }) => status === 'queued' || status === 'running');
    const taken = new Set(waiting.flatMap(({ task }) => task.streams.map(({ stem }) => stem)));
    const placed = await filePaths(root, request, taken);
    if ('code' in placed) throw refused(placed);
    await this.#requireRoom(root.folder, bytes);
    const tasks: StreamTask[] = placed.map(({ stream, stem }) => ({ stream, stem, marks: this.#marks(stream, time) }));
    const id = randomUUID();
    const task = { id, fromMs, toMs, packing, trackIds, isExact, streams: tasks, reserveBytes: RESERVE_BYTES };
    return this.#add(request, task, by);
  }

  /**
   * Queues the export of a case: its clips and stills with a manifest in a folder of their own. Raises the errors of `create`.
   */
  async createOfCase(found: CaseToExport, body: Parameters<typeof caseRequest>[1], by: string): Promise<ExportJob> {
    const request = caseRequest(found, body);
    const atMs = this.#deps.clock.now();
    let bytes = 0;
    let empty: string | undefined;
    let isRecorded = false;
    for (const { kind, stream, fromMs, toMs } of found.items) {
      if (!(await this.#isPast([stream], { startMs: fromMs, endMs: toMs ?? fromMs })))
        throw new AirdeskError('archive_not_yet', `The end of a clip of ${stream} is in the future`);
      if (kind === 'mark') continue;
      const streamBytes = await this.#bytesOf(stream, { startMs: fromMs, endMs: toMs ?? fromMs + 1 });
      if (streamBytes === undefined) empty ??= stream;
      else isRecorded = true;
      bytes += streamBytes ?? 0;
    }
    // Ranges that were not recorded are left out and reported, but at least one range must be recorded.
    if (empty !== undefined && !isRecorded) noArchive(empty);
    const root = await this.#rootOf(request, { startMs: request.fromMs, endMs: request.toMs });
    const folder = await folderPath(root, `${fileNameOf(found.title)}-${timeInFileName(atMs)}`);
    if (typeof folder !== 'string') throw refused(folder);
    await this.#requireRoom(root.folder, bytes);
    const { fromMs, toMs, packing, isExact } = request;
    const files = caseTask(found, folder, { by, atMs }, (stream, time) => this.#marks(stream, time));
    return this.#add(
      request,
      { id: randomUUID(), fromMs, toMs, packing, isExact: isExact === true, ...files, reserveBytes: RESERVE_BYTES },
      by,
    );
  }

  #add(request: ExportRequest, task: ExportTask, by: string): ExportJob {
    const job = this.#jobs().add(task.id, request, task, by);
    if (!job) throw new AirdeskError('export_queue_full', 'The maximum number of exports is already waiting');
    return job;
  }

  /**
   * Offers a file of a finished job for download, or all of them. Raises `job_not_found`, `export_not_done`, `not_found`.
   *
   * @returns ticket of its address
   */
  announce(id: string, number: number | 'all'): string {
    const job = this.get(id);
    if (!job) throw missing(id);
    return this.downloads.announce(job, number);
  }

  /** Removes a job, and cancels it if it is not finished; complete files stay. Raises `job_not_found`. */
  async remove(id: string): Promise<void> {
    if (!(await this.#jobs().remove(id))) throw missing(id);
  }

  /** Whether no more media of a range will be recorded. Media ahead of the clock was recorded before the clock was set back. */
  async #isPast(streams: readonly string[], { startMs, endMs }: TimeRange): Promise<boolean> {
    const nowMs = this.#deps.clock.now();
    if (endMs <= nowMs) return true;
    if (startMs <= nowMs) return false;
    const extents = await Promise.all(streams.map(async (stream) => this.#deps.catalog.extent(stream)));
    return extents.every((extent) => extent !== undefined && extent.endMs >= endMs);
  }

  /**
   * Estimated size of a time range, by the average bit rate of the archive. Undefined if nothing of it is recorded.
   */
  async #bytesOf(stream: string, time: TimeRange): Promise<number | undefined> {
    const { ranges } = await this.#deps.catalog.ranges(stream, time, MAX_RANGES);
    const recordedMs = ranges.reduce((sum, { startMs, endMs }) => sum + endMs - startMs, 0);
    if (recordedMs === 0) return undefined;
    const extent = await this.#deps.catalog.extent(stream);
    return extent ? (extent.bytes * recordedMs) / Math.max(recordedMs, extent.endMs - extent.startMs) : 0;
  }

  async #rootOf({ path, streams }: ExportRequest, time: TimeRange): Promise<ExportRoot> {
    if (path !== undefined) return this.#deps.locate(path);
    const [first = ''] = streams;
    const folder = await this.#deps.folderOf(first, time);
    if (folder === undefined)
      throw new AirdeskError('no_disk', `No disk of the archive of ${first} is writable. Give a path`, {
        pointer: '/path',
      });
    return { folder, steps: [] };
  }

  async #requireRoom(folder: string, bytes: number): Promise<void> {
    const room = await statfs(folder).catch(() => undefined);
    const free = room ? room.bsize * room.bavail - RESERVE_BYTES : Infinity;
    if (free >= bytes) return;
    const text = `About ${Math.ceil(bytes)} bytes are needed, and ${Math.max(0, free)} are free`;
    throw new AirdeskError('export_no_room', text);
  }

  #marks(stream: string, time: TimeRange): ExportMark[] {
    return this.#deps.locks(stream, time).flatMap(({ startMs, endMs, note }) => {
      const name = note === '' ? '' : `: ${note.split('\n', 1)[0] ?? ''}`;
      return [
        { atMs: startMs, title: `Lock${name}` },
        { atMs: endMs, title: `End of lock${name}` },
      ].filter(({ atMs }) => atMs > time.startMs && atMs < time.endMs);
    });
  }

  #jobs(): ExportJobs {
    const { jobs } = this.#deps;
    if (!jobs) throw new AirdeskError('unavailable', 'Exports cannot be stored, because the database cannot be opened');
    return jobs;
  }
}

function noArchive(stream: string): never {
  throw new AirdeskError('archive_empty', `${stream} has no recording at that time`);
}

function refused({ code, ...why }: PathRefusal): AirdeskError {
  return new AirdeskError(code, why, code === 'export_not_written' ? {} : { pointer: '/path' });
}

function missing(id: string): AirdeskError {
  return new AirdeskError('job_not_found', `There is no export ${id.slice(0, 200)}`);
}

function requestOf({
  name,
  names,
  from,
  duration,
  packing = 'mp4',
  exact = false,
  filter,
  path,
  file_name: fileName,
}: ExportJobBody): ExportRequest {
  if ((name === undefined) === (names === undefined))
    throw new AirdeskError('bad_value', 'Give the streams either in name or in names', { pointer: '/name' });
  const streams = [...new Set(names ?? [name ?? ''])];
  const trackIds = filter?.tracks.match(/[va][0-9]+/g) ?? undefined;
  return { streams, fromMs: from, toMs: from + duration, packing, trackIds, path, fileName, isExact: exact };
}
