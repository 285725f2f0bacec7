import { join, resolve } from 'node:path';
import { statfs } from 'node:fs/promises';
import { AirdeskError } from '../../src-preload/contract/errors.ts';
import { because } from '../../src-preload/contract/explanations/explanations.ts';
import { findTemplate, type Config } from '../config/schema/config.ts';
import { ExportService } from '../control/archive/export-service.ts';
import type { JobRepository } from '../db/job-repository.ts';
import type { ArchiveCatalog } from '../dvr/catalog/archive-catalog.ts';
import type { TimeRange } from '../dvr/catalog/catalog-store.ts';
import type { LockList } from '../dvr/keep/lock-set.ts';
import type { Recordings } from '../dvr/recordings.ts';
import type { EventEmitter } from '../events/event-bus.ts';
import { ExportJobs, type ExportJob } from '../export/export-jobs.ts';
import type { ExportRoot } from '../export/export-paths.ts';
import type { CutPictures } from '../export/thread/exact-format.ts';
import { resumeExports } from '../export/export-start.ts';
import { ExportThreads } from '../export/export-threads.ts';
import { messageOf } from '../lib/error-message.ts';
import { readVodPath } from '../vod/vod-location.ts';
import { jobStore } from './job-store.ts';
import { recordingSettings } from './recording-settings.ts';
import type { ServerOptions } from './server-options.ts';
import { locationsOf } from './vod.ts';

/** Exports of archives into files. */
export interface ExportUnit {
  readonly service: ExportService;
  /** Reports whether an unfinished export needs a range of a stream. */
  needs(stream: string, time: TimeRange): boolean;
  close(): Promise<void>;
}

/** Dependencies of `openExports`. */
export interface ExportDeps {
  readonly options: Pick<ServerOptions, 'clock' | 'log' | 'dataFolder' | 'exportThreadEntry'>;
  readonly config: () => Config;
  readonly events: EventEmitter;
  readonly catalog: ArchiveCatalog;
  readonly recordings: Pick<Recordings, 'unfinishedBlocks' | 'isChecked'>;
  /** Store of the jobs; undefined if jobs cannot be stored. */
  readonly repository: JobRepository | undefined;
  readonly locks: (stream: string, time: TimeRange) => LockList;
  /** Re-encodes pictures. */
  readonly cutPictures: CutPictures;
  /** JPEG of a stream's picture at a time; undefined if there is none. */
  readonly picture: (stream: string, atMs: number) => Promise<Uint8Array | undefined>;
}

/** Folder of exports on a disk of an archive. The name cannot be the name of a stream. */
const FOLDER = '.exports';
/** Opens the exports. Unfinished exports of the previous run of the server restart. */
export function openExports(deps: ExportDeps): ExportUnit {
  const { options, config, catalog, locks, recordings } = deps;
  const { clock } = options;
  const jobs = openJobs(deps);
  const waiting = (): string[] =>
    jobs?.list().flatMap(({ status, request }) => (status === 'queued' ? request.streams : [])) ?? [];
  const cancel = resumeExports({
    clock,
    streams: waiting,
    isChecked: (stream) => recordings.isChecked(stream),
    start: () => {
      jobs?.start();
    },
  });
  return {
    service: new ExportService({
      clock,
      jobs,
      catalog,
      locks,
      locate: (path) => rootOf(config(), path, options.dataFolder),
      folderOf: async (stream, time) => folderOf(deps, stream, time),
    }),
    needs: (stream, time) => jobs?.needs(stream, time) ?? false,
    async close() {
      cancel();
      await jobs?.close();
    },
  };
}

function openJobs({
  options,
  repository,
  events,
  catalog,
  recordings,
  cutPictures,
  picture,
}: ExportDeps): ExportJobs | undefined {
  const { clock, log, exportThreadEntry: entry } = options;
  if (!repository) return undefined;
  const unstored = (error: unknown): void => {
    log.error('export jobs cannot be stored', { error: messageOf(error) });
  };
  const runner = new ExportThreads({
    entry,
    encode: cutPictures,
    async picture(stream, atMs) {
      const found = await picture(stream, atMs);
      if (!found) throw new Error('there is no picture at that time');
      return found;
    },
    blocks: async (stream, time) => ({
      finished: await catalog.map(
        stream,
        time,
        () => undefined,
        (_name, block) => block,
      ),
      unfinished: recordings
        .unfinishedBlocks(stream)
        .map(({ disk, path, head, index }) => ({ disk, path, tracks: head.tracks, index, isFinished: false })),
    }),
  });
  try {
    return new ExportJobs({
      codes: { failed: 'export_failed', cancelled: 'export_cancelled' },
      clock,
      store: jobStore<ExportJob>(repository),
      runner,
      unstored,
      ended: (job) => {
        emitEnded(events, job);
      },
    });
  } catch (error) {
    log.error('exports cannot be read', { error: messageOf(error) });
    return undefined;
  }
}

function emitEnded(events: EventEmitter, { id, by, request, files, failure }: ExportJob): void {
  for (const media of request.streams) {
    const streamFiles = files.filter(({ stream }) => stream === media);
    events.emit('dvr_export_finished', {
      media,
      id,
      by,
      path: streamFiles[0]?.path ?? null,
      sha256: streamFiles[0]?.sha256 ?? null,
      bytes: streamFiles.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0),
      code: failure?.code ?? null,
      detail: failure?.detail ?? null,
      explanation: failure?.explanation,
    });
  }
}

/** Folder of the VOD location of a path. Throws `vod_not_found` and `path_not_allowed`. */
function rootOf(config: Config, path: string, dataFolder: string): ExportRoot {
  const locations = new Map(locationsOf(config, dataFolder).map((location) => [location.prefix, location]));
  const found = readVodPath(locations, path.replace(/^\/+/, ''));
  const pointer = { pointer: '/path' };
  if (!found) {
    const isKnown = [...locations.keys()].some((prefix) => path.replace(/^\/+/, '').startsWith(`${prefix}/`));
    if (isKnown) throw new AirdeskError('path_not_allowed', because('path_outside_location'), pointer);
    throw new AirdeskError('vod_not_found', because('path_without_location'), pointer);
  }
  const [folder] = found.location.roots;
  if (folder === undefined) throw new AirdeskError('vod_storage_not_supported', because('location_not_local'), pointer);
  return { folder, steps: found.steps };
}

/** Export folder on the disk of an archive with the most free space; if no disk may be written, on the disk with the range. */
async function folderOf(
  { options, config, catalog }: ExportDeps,
  stream: string,
  time: TimeRange,
): Promise<string | undefined> {
  const { dataFolder } = options;
  const settings = config().streams.get(stream) ?? findTemplate(config(), stream);
  const disks = settings ? (recordingSettings(config(), settings, dataFolder)?.disks ?? []) : [];
  const [block] = disks.length > 0 ? [] : await catalog.blockPositions(stream, time, 1);
  const found = block ? [block.disk] : disks;
  let best: { readonly disk: string; readonly bytes: number } | undefined;
  for (const disk of found) {
    const room = await statfs(disk).catch(() => undefined);
    const bytes = room ? room.bsize * room.bavail : -1;
    if (!best || bytes > best.bytes) best = { disk, bytes };
  }
  return best && join(resolve(best.disk), FOLDER);
}
