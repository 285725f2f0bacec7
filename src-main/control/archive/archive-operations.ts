import type { ArchiveLockAnswer } from '../../../src-preload/contract/api/archive/archive-locks.ts';
import { ARCHIVE_MAX_SECONDS } from '../../../src-preload/contract/api/archive/archive-locks.ts';
import { AirdeskError } from '../../../src-preload/contract/errors.ts';
import type { ARCHIVE_OPERATIONS } from '../../../src-preload/contract/operations/archive-operations.ts';
import type { Caller } from '../../operators/caller.ts';
import type { Handlers, OperationContext } from '../../operators/handlers.ts';
import { isInScope, requireInScope } from '../../operators/require.ts';
import type { Streams } from '../../streams/streams.ts';
import type { AlarmService } from '../alarms/alarm-service.ts';
import { loudnessReport } from '../alarms/loudness-report.ts';
import type { ArchiveService } from './archive-service.ts';

/** Recordings and the operations on them. Times are epoch milliseconds. */
export type RecordedArchive = Pick<
  ArchiveService,
  | ('ranges' | 'streams' | 'extent' | 'blocks' | 'remove')
  | ('locks' | 'lock' | 'unlock')
  | ('job' | 'startJob' | 'stopJob')
  | ('holds' | 'allowDeletion')
>;
/** Time range in epoch milliseconds; the end is exclusive. */
export type ArchiveTime = Parameters<RecordedArchive['locks']>[1];

export interface Recordings<A = RecordedArchive> {
  /** Undefined if recordings cannot be listed. */
  readonly archive?: A | undefined;
  readonly streams: Pick<Streams, 'get'>;
}

interface Context extends Recordings {
  readonly alarms: Pick<AlarmService, 'loudness'>;
}

/** Recorded and locked ranges of archives, and the loudness of streams. */
export function archiveOperations(context: Context): Handlers<typeof ARCHIVE_OPERATIONS> {
  const loudness = (): AlarmService['loudness'] => context.alarms.loudness;
  return {
    'archive.list_ranges': async ({ name, limit, ...time }, { caller }) => {
      const archive = await requireArchive(context, name, caller);
      const { ranges, nextMs } = await archive.ranges(name, timeOf(time), limit);
      return { name, ranges: ranges.map(inSeconds), next: nextMs === undefined ? null : Math.floor(nextMs / 1000) };
    },
    'archive.list_locks': async ({ name, limit, ...time }, { caller }) => {
      const found = (await requireArchive(context, name, caller)).locks(name, timeOf(time));
      const next = found[limit];
      const locks = found.slice(0, limit).map(lockAnswer);
      return { name, locks, next: next ? Math.floor(next.startMs / 1000) : null };
    },
    'archive.join_lock': async ({ name, note, ...range }, { caller, by }) => {
      const archive = await requireArchive(context, name, caller);
      return lockAnswer(archive.lock(name, { ...rangeOf(range), note }, by, { isAlone: false }));
    },
    'archive.set_lock': async ({ name, note, ...range }, { caller, by }) => {
      const archive = await requireArchive(context, name, caller);
      return lockAnswer(archive.lock(name, { ...rangeOf(range), note }, by, { isAlone: true }));
    },
    'archive.remove_lock': async ({ name, ...range }, { caller, by }) => {
      (await requireArchive(context, name, caller)).unlock(name, rangeOf(range), by);
    },
    'archive.remove': ({ name, ...removal }, by) => removeRange(context, name, removal, by),
    'loudness.log': ({ name, from, to }, { caller }) => loudness().log(name, { fromMs: from, toMs: to }, caller),
    'loudness.report': async ({ name, day }, { caller }) =>
      loudnessReport(await loudness().day(name, Date.parse(`${day}T00:00:00Z`), caller)),
  };
}

/**
 * Deletes the recordings of a range up to the current time. Raises the errors of `requireArchiveToChange` and of
 * `ArchiveService.remove`.
 * @param withLocked whether locked recordings are deleted too
 */
export async function removeRange(
  context: Recordings,
  name: string,
  { note, ...range }: Parameters<typeof rangeOf>[0] & { readonly note: string },
  { caller, by }: OperationContext,
  withLocked = false,
): ReturnType<RecordedArchive['remove']> {
  const archive = await requireArchiveToChange(context, name, caller);
  return archive.remove(name, rangeOf(range), by, { note, withLocked });
}

/** Converts a range in seconds to milliseconds. */
export function rangeOf({ from, duration }: { readonly from: number; readonly duration: number }): ArchiveTime {
  return { startMs: from * 1000, endMs: (from + duration) * 1000 };
}

/** Range in whole seconds that contains a range in milliseconds. */
export function inSeconds({ startMs, endMs }: ArchiveTime): { readonly from: number; readonly duration: number } {
  const from = Math.floor(startMs / 1000);
  return { from, duration: Math.ceil(endMs / 1000) - from };
}

function timeOf({
  from,
  to = ARCHIVE_MAX_SECONDS,
}: {
  readonly from: number;
  readonly to?: number | undefined;
}): ArchiveTime {
  return { startMs: from * 1000, endMs: to * 1000 };
}

function lockAnswer({ note, by, atMs, ...time }: ReturnType<RecordedArchive['lock']>): ArchiveLockAnswer {
  return { ...inSeconds(time), note, locked_by: by, locked_at: atMs };
}

/** Locks of a stream in a time range, for lists that show more than locks. Empty if locks cannot be read. */
export function readableLocks(
  archive: Pick<ArchiveService, 'locks'> | undefined,
  name: string,
  time: ArchiveTime,
): ReturnType<ArchiveService['locks']> {
  try {
    return archive?.locks(name, time) ?? [];
  } catch {
    return [];
  }
}

/** Returns a service that needs the catalog of archives. Raises `unavailable` if the catalog cannot be opened. */
export function requireCatalog<T>(service: T | undefined): T {
  if (service === undefined) throw new AirdeskError('unavailable', 'The catalog of archives cannot be opened');
  return service;
}

/**
 * Archive of a known or former stream. Raises `stream_not_found` if there is neither a stream nor an archive, or if the name is
 * outside the caller's scope.
 */
export async function requireArchive<A extends Pick<RecordedArchive, 'extent'>>(
  context: Recordings<A>,
  name: string,
  caller: Caller,
): Promise<A> {
  const missing = (): AirdeskError => new AirdeskError('stream_not_found', `There is no stream ${name}`);
  if (!isInScope(caller, name)) throw missing();
  const isKnown = context.streams.get(name) !== undefined;
  if (!isKnown && (await context.archive?.extent(name)) === undefined) throw missing();
  return requireCatalog(context.archive);
}

/** Archive of a stream for changes. Raises `forbidden` for a stream outside the caller's scope. */
export async function requireArchiveToChange(
  context: Recordings,
  name: string,
  caller: Caller,
): Promise<RecordedArchive> {
  requireInScope(caller, name);
  return requireArchive(context, name, caller);
}
