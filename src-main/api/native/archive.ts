import type { NativeDvrCatalog, NativeHold, NativeJob } from '../../../src-preload/contract/api/native.ts';
import { AirdeskError, badParameter } from '../../../src-preload/contract/errors.ts';
import { changedBy } from '../../operators/caller.ts';
import { requireAllStreams } from '../../operators/require.ts';
import {
  inSeconds,
  requireCatalog,
  type ArchiveTime,
  type RecordedArchive,
} from '../../control/archive/archive-operations.ts';
import type { ApiContext } from '../endpoints/api-context.ts';
import type { EndpointRequest } from '../endpoints/endpoint.ts';
import { integerOf } from '../endpoints/query-flag.ts';

export type ArchiveJobName = Parameters<RecordedArchive['job']>[0];

/** Default and maximum number of streams in an answer. */
const DEFAULT_STREAMS = 100;
export const NATIVE_CATALOG_MAX = 1000;
/** Maximum number of ranges listed for each stream, oldest first. */
const MAX_RANGES = 100;
const ALL_TIME: ArchiveTime = { startMs: 0, endMs: 253_402_300_799_000 };

/** Recordings of a page of streams, by name. Raises `bad_query` and `bad_cursor`. */
export async function nativeDvrCatalog(
  context: ApiContext,
  query: EndpointRequest['query'],
): Promise<NativeDvrCatalog> {
  const archive = requireCatalog(context.archive);
  const text = query.find(({ name }) => name === 'limit')?.value ?? String(DEFAULT_STREAMS);
  const limit = integerOf(text, 'limit', { min: 1, max: NATIVE_CATALOG_MAX });
  const cursor = cursorOf(query);
  const names = await archive.streams(cursor, limit + 1);
  const streams: NativeDvrCatalog['streams'] = [];
  for (const name of names.slice(0, limit)) {
    const { ranges, nextMs } = await archive.ranges(name, ALL_TIME, MAX_RANGES);
    const { blocks = 0, bytes = 0 } = (await archive.extent(name)) ?? {};
    streams.push({
      name,
      blocks,
      bytes,
      next_range: nextMs === undefined ? null : Math.floor(nextMs / 1000),
      ranges: ranges.map(inSeconds),
    });
  }
  const last = names.length > limit ? names[limit - 1] : undefined;
  const next = last === undefined ? null : Buffer.from(last).toString('base64url');
  return { streams, estimated_count: await streamCount(context, names, cursor), next, prev: null };
}

/**
 * Number of streams on all pages, at most five seconds old.
 * @param names names on this page, and the first name of the next page
 */
async function streamCount(
  { archiveFigures }: Pick<ApiContext, 'archiveFigures'>,
  names: readonly string[],
  cursor: string,
): Promise<number> {
  await archiveFigures?.refresh();
  const counted = archiveFigures?.state.streams ?? 0;
  return Math.max(counted, names.length + (cursor === '' ? 0 : 1));
}

function cursorOf(query: EndpointRequest['query']): string {
  const value = query.find(({ name }) => name === 'cursor')?.value ?? '';
  const name = Buffer.from(value, 'base64url').toString();
  if (Buffer.from(name).toString('base64url') === value) return name;
  throw badParameter('cursor', 'This cursor is not from this list', 'bad_cursor');
}

/** Starts a job on all archives. Raises `job_running`, and `forbidden` for callers limited to some streams. */
export function startDvrJob(context: ApiContext, name: ArchiveJobName, { caller, query }: EndpointRequest): NativeJob {
  requireAllStreams(caller);
  const isDeep = query.some((one) => one.name === 'deep' && one.value !== 'false');
  return nativeJob(requireCatalog(context.archive).startJob(name, { isDeep }));
}

/** State of the latest run of a job on the archives. Raises `job_not_found`. */
export function dvrJob(context: ApiContext, name: ArchiveJobName): NativeJob {
  const job = requireCatalog(context.archive).job(name);
  if (!job) throw new AirdeskError('job_not_found', 'The job has not run since the server started');
  return nativeJob(job);
}

/** Stops a job on the archives. Raises `job_not_found` if it does not run. */
export async function stopDvrJob(context: ApiContext, name: ArchiveJobName): Promise<void> {
  if (!(await requireCatalog(context.archive).stopJob(name)))
    throw new AirdeskError('job_not_found', 'The job is not running');
}

/** Reasons why no limit deletes recordings at present. */
export function deletionHold(context: ApiContext): NativeHold {
  return {
    reasons: requireCatalog(context.archive).holds.map(({ reason, sinceMs, jumpMs, restored, unread }) => ({
      reason,
      since: Math.round(sinceMs),
      jump: jumpMs === undefined ? null : Math.round(jumpMs / 1000),
      restored: restored ?? null,
      unread: unread ?? null,
    })),
  };
}

/** Allows deletion by limits again. Raises `forbidden` for callers limited to some streams. */
export function allowDeletion(context: ApiContext, { caller }: Pick<EndpointRequest, 'caller'>): void {
  requireAllStreams(caller);
  requireCatalog(context.archive).allowDeletion(changedBy(caller, 'api'));
}

function nativeJob({
  status,
  progress,
  startedMs,
  finishedMs,
  error,
  ...found
}: ReturnType<RecordedArchive['startJob']>): NativeJob {
  const { blocks, bytes, faultCount, faults } = found;
  return {
    status,
    progress,
    started_at: startedMs,
    finished_at: finishedMs,
    error,
    blocks,
    bytes,
    fault_count: faultCount,
    faults: faults.map((fault) => ({ ...fault })),
  };
}
