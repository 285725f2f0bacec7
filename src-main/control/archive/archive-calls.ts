import {
  ARCHIVE_DESK_MAX,
  ARCHIVE_SPLICES_MS,
  ARCHIVE_STREAMS_MAX,
  type ARCHIVE_CALLS,
  type ArchivedSplice,
  type ArchivedStream,
} from '../../../src-preload/contract/operations/archive-calls.ts';
import { AirdeskError, type CallOutput } from '../../../src-preload/contract/index.ts';
import type { TimeRange } from '../../dvr/catalog/catalog-store.ts';
import type { Caller } from '../../operators/caller.ts';
import type { Handlers } from '../../operators/handlers.ts';
import { isInScope } from '../../operators/require.ts';
import type { Streams } from '../../streams/streams.ts';
import type { AlarmService } from '../alarms/alarm-service.ts';
import { readableLocks, requireArchive, requireCatalog } from './archive-operations.ts';
import type { ArchiveService } from './archive-service.ts';
import { exportCalls, type ExportDeps } from './export-operations.ts';
import type { NoteService } from './note-service.ts';

export interface ArchiveCallsDeps extends ExportDeps {
  /** Undefined if recordings cannot be listed. */
  readonly archive:
    Pick<ArchiveService, 'streams' | 'extent' | 'ranges' | 'locks' | 'lock' | 'unlock' | 'allowDeletion'> | undefined;
  /**
   * Finds the splice points of a stream in a time range, recorded or live, oldest first; undefined if recordings cannot be read.
   */
  readonly splices: ((name: string, time: TimeRange) => Promise<readonly FoundSplice[]>) | undefined;
  readonly streams: Pick<Streams, 'get'>;
  readonly notes: NoteService;
  readonly alarms: Pick<AlarmService, 'activeIn' | 'loudness'>;
}

/** Splice point on the timeline of a stream, in milliseconds. */
interface FoundSplice {
  readonly atMs: number;
  readonly kind: 'out' | 'in' | 'cancel' | 'other';
  readonly durationMs: number | null;
}

/** Number of names that are searched in one step. */
const STEP_NAMES = 1000;

export function archiveCalls(deps: ArchiveCallsDeps): Handlers<typeof ARCHIVE_CALLS> {
  const { notes } = deps;
  return {
    'archive.streams': ({ after = '' }, { caller }) => archivedStreams(requireCatalog(deps.archive), after, caller),
    'archive.recorded': async ({ names, from, to }) => {
      const archive = requireCatalog(deps.archive);
      const streams = [];
      for (const name of names) {
        const { ranges, nextMs } = await archive.ranges(name, { startMs: from, endMs: to }, ARCHIVE_DESK_MAX);
        const shown = ranges.map(({ startMs, endMs }) => ({ from: Math.floor(startMs), to: Math.ceil(endMs) }));
        streams.push({ name, ranges: shown, is_more: nextMs !== undefined });
      }
      return { streams };
    },
    'archive.marks': ({ names, from, to }) => marksOf(deps, names, { startMs: from, endMs: to }),
    'archive.splices': async ({ names, from, to }) => {
      requireLength(from, to);
      if (to - from > ARCHIVE_SPLICES_MS)
        throw new AirdeskError('bad_value', 'Splice points can be listed for at most one day', { pointer: '/to' });
      const splicesOf = requireCatalog(deps.splices);
      const splices: ArchivedSplice[] = [];
      for (const name of names)
        for (const { atMs, kind, durationMs } of await splicesOf(name, { startMs: from, endMs: to }))
          if (kind !== 'cancel') splices.push({ name, at: Math.round(atMs), kind, duration: durationMs });
      return { splices };
    },
    'archive.loudness': async ({ name, from, to, points }, { caller }) => {
      const time = { fromMs: from, toMs: to };
      const { fromMs, stepMs, curve } = await deps.alarms.loudness.curve(name, time, points, caller);
      return {
        from: fromMs,
        step_ms: stepMs,
        low: curve.map((step) => step?.[0] ?? null),
        high: curve.map((step) => step?.[1] ?? null),
      };
    },
    'archive.lock': async ({ name, from, to, note }, { caller, by }) => {
      requireLength(from, to);
      const archive = await requireArchive(deps, name, caller);
      archive.lock(name, { startMs: from, endMs: to, note }, by, { isAlone: false });
    },
    'archive.unlock': async ({ name, from, to }, { caller, by }) => {
      requireLength(from, to);
      (await requireArchive(deps, name, caller)).unlock(name, { startMs: from, endMs: to }, by);
    },
    'archive.allow_deletion': (_, { by }) => {
      requireCatalog(deps.archive).allowDeletion(by);
    },
    'archive.add_note': ({ name, at, text }, { by }) => notes.add(name, at, text, by.who),
    'archive.remove_note': ({ name, id }) => {
      notes.remove(name, id);
    },
    'archive.restore_note': ({ name, id }) => notes.restore(name, id),
    ...exportCalls(deps),
  };
}

/** Streams with recordings in the caller's scope, with their extents. */
async function archivedStreams(
  archive: NonNullable<ArchiveCallsDeps['archive']>,
  after: string,
  caller: Pick<Caller, 'prefixes'>,
): Promise<{ streams: ArchivedStream[]; is_more: boolean }> {
  const streams: ArchivedStream[] = [];
  for (let last = after; ;) {
    const names = await archive.streams(last, STEP_NAMES);
    for (const name of names) {
      if (!isInScope(caller, name)) continue;
      if (streams.length === ARCHIVE_STREAMS_MAX) return { streams, is_more: true };
      const extent = await archive.extent(name);
      if (!extent) continue;
      const { startMs, endMs, bytes } = extent;
      streams.push({ name, from: Math.floor(startMs), to: Math.ceil(endMs), bytes });
    }
    last = names.at(-1) ?? last;
    if (names.length < STEP_NAMES) return { streams, is_more: false };
  }
}

function marksOf(
  { archive, alarms, notes }: ArchiveCallsDeps,
  names: readonly string[],
  time: TimeRange,
): CallOutput<'archive.marks'> {
  const locks = names.flatMap((name) =>
    readableLocks(archive, name, time).map(({ startMs, endMs, note, by }) => ({
      name,
      from: Math.floor(startMs),
      to: Math.ceil(endMs),
      note,
      by,
    })),
  );
  const lasted = names.flatMap((name) => [...alarms.activeIn(name, time, ARCHIVE_DESK_MAX)]);
  const written = names.flatMap((name) => notes.list(name, time, ARCHIVE_DESK_MAX));
  return {
    alarms: lasted.slice(0, ARCHIVE_DESK_MAX),
    locks: locks.slice(0, ARCHIVE_DESK_MAX),
    notes: written.slice(0, ARCHIVE_DESK_MAX),
    is_more: Math.max(locks.length, lasted.length, written.length) >= ARCHIVE_DESK_MAX,
  };
}

function requireLength(from: number, to: number): void {
  if (to <= from) throw new AirdeskError('bad_value', 'The end must be after the start', { pointer: '/to' });
}
