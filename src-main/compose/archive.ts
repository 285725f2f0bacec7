import { randomUUID } from 'node:crypto';
import type { Config } from '../config/schema/config.ts';
import type { CatalogStore } from '../dvr/catalog/catalog-store.ts';
import { codeOf, systemDiskFiles } from '../dvr/disk-files.ts';
import { Recordings, type RecordingReports } from '../dvr/recordings.ts';
import type { EpisodeStore } from '../dvr/keep/archive-episodes.ts';
import type { LockStore } from '../dvr/keep/archive-locks.ts';
import type { RecordingGap } from '../dvr/stream-recorder.ts';
import { endOf } from '../dvr/recovery.ts';
import type { EventEmitter } from '../events/event-bus.ts';
import { isoTime } from '../lib/clock.ts';
import { messageOf } from '../lib/error-message.ts';
import { CountedReport } from '../lib/timers.ts';
import { runInTurns } from '../lib/turns.ts';
import type { StreamEntry } from '../streams/stream-entry.ts';
import type { Recorded } from '../delivery/recorded.ts';
import { openArchivePlayback, type ArchivePlaybackUnit } from './archive-playback.ts';
import { openArchiveCatalog } from './archive-catalog.ts';
import { openExports, type ExportDeps, type ExportUnit } from './exports.ts';
import type { ProtectionPort } from './guard/archive-guard.ts';
import { openArchiveKeeping, type ArchiveKeeping } from './archive-keeping.ts';
import { ArchivedStreams } from '../control/archive/archived-streams.ts';
import { ArchivedTimes } from '../control/archive/archived-times.ts';
import type { Fault } from '../../src-preload/contract/api/alarm-faults.ts';
import type { DiskSpace } from '../control/server-alerts.ts';
import { ArchiveFigures } from '../control/archive/archive-figures.ts';
import { recordedPicture } from '../control/archive/recorded-picture.ts';
import { openDiskOwners } from './guard/open-disk-owners.ts';
import { ownedFolders, recordingSettings, shownStorages } from './recording-settings.ts';
import type { ServerOptions } from './server-options.ts';
import type { StreamsUnit } from './streams.ts';
import { because, type Explained, type Explanation } from '../../src-preload/contract/explanations/explanations.ts';

/** Dependencies of `openArchive`. */
export interface ArchiveDeps {
  readonly options: Pick<ServerOptions, 'clock' | 'log' | 'dataFolder' | 'exportThreadEntry' | 'machine'>;
  readonly config: Config;
  readonly events: EventEmitter;
  /** Store of the catalog; undefined if it could not be opened. */
  readonly store: CatalogStore | undefined;
  /** Registers a listener, which is called each time an empty catalog was created; at once if that has already happened. */
  readonly onCatalogCreated: (listener: () => void) => void;
  /** Store of locks; undefined if it could not be opened. */
  readonly locks: LockStore | undefined;
  /** Store of episodes; undefined if it could not be opened. */
  readonly episodes: EpisodeStore | undefined;
  /** Identity of the database with the locks; undefined if it could not be opened. */
  readonly protection: ProtectionPort | undefined;
  /** Store of exports; undefined if it could not be opened. */
  readonly exportJobs: ExportDeps['repository'];
  /** Re-encodes pictures, for exports that are cut to the frame. */
  readonly cutPictures: ExportDeps['cutPictures'];
  readonly pictures: Parameters<typeof recordedPicture>[1];
  /** Called only after a configuration is in force. */
  readonly streams: () => {
    readonly streams: Pick<
      StreamsUnit['streams'],
      'applied' | 'list' | 'get' | 'outputs' | 'ensureArchiveStream' | 'dropArchive'
    >;
  };
}

/** Recording of streams, and their archives. */
export interface ArchiveUnit {
  /** Records a run of a stream according to its settings. */
  follow(entry: StreamEntry): void;
  /** Reports whether a stream has recordings. */
  hasArchive(this: void, name: string): Promise<boolean>;
  /** Creates streams for archives of published streams whose encoder is not connected. Resolves when they exist. */
  find(): Promise<void>;
  /** Applies a configuration, after its streams exist. */
  apply(config: Config): Promise<void>;
  /** Alerts for streams that should be recorded but are not; empty if all are. */
  readonly alerts: Readonly<Record<string, Fault>>;
  /** Locks a range of a stream's archive; false if locks cannot be stored. */
  lockForAlarm(
    this: void,
    name: string,
    time: { readonly startMs: number; readonly endMs: number; readonly note: string },
  ): boolean;
  /** Free and total space of the disks with recordings. */
  readonly diskSpaces: readonly DiskSpace[];
  /** Switches the recording of a stream on or off until its next restart. */
  switch(entry: StreamEntry, isOn: boolean): void;
  /** Plays recordings; undefined if they cannot be found. */
  readonly recorded: Recorded | undefined;
  /** Finds recorded and live splice points of a stream in a time range, oldest first; undefined if there is no catalog. */
  readonly splices: ArchivePlaybackUnit['splices'] | undefined;
  /** Use cases of archives; undefined if recordings cannot be listed. */
  readonly service: ArchiveKeeping['service'];
  /** Named ranges that are protected from all limits. */
  readonly episodes: ArchiveKeeping['episodes'];
  /** State of storages and disks. */
  readonly figures: ArchiveFigures;
  /** Exports into files; undefined if recordings cannot be found. */
  readonly exports: ExportUnit['service'] | undefined;
  /** Resolves when all recordings are on disk. */
  close(): Promise<void>;
}

/** Minimum interval between two reports of a slow disk, in milliseconds. */
const LATE_PERIOD_MS = 60_000;

/** Opens the unit that records streams; nothing is written before a stream runs. */
export function openArchive({
  options,
  config: first,
  events,
  store,
  onCatalogCreated,
  locks,
  episodes,
  protection,
  exportJobs,
  cutPictures,
  pictures,
  streams,
}: ArchiveDeps): ArchiveUnit {
  const { clock, dataFolder } = options;
  let config = first;
  const broken = new Map<string, string>();
  /** Streams that are recorded as soon as they have media. */
  const recorded = new WeakSet<StreamEntry>();
  const reports = reportsOf(options, events, broken);
  const owners = openDiskOwners({
    options,
    server: protection?.read().id ?? randomUUID(),
    folders: () => ownedFolders(config, dataFolder),
  });
  const recordings = new Recordings({
    files: systemDiskFiles,
    clock,
    claim: owners.claim,
    reports: {
      ...reports,
      finished: (block, storage) => {
        listed?.catalog.add(block);
        figures.finished(storage, block.sizeBytes);
        keeping.recorded(block, storage);
        reports.finished(block, storage);
      },
      found: (block) => listed?.catalog.add(block),
      gap: (stream, storage, gap) => {
        figures.countGap(storage, gap.toMs === undefined ? undefined : gap.toMs - gap.fromMs);
        reports.gap(stream, storage, gap);
      },
      returned: (folder) => {
        options.log.info('a disk of the archive is available again', { folder });
        listed?.forget(folder);
        keeping.returned(folder);
        void runInTurns(followAll(streams().streams.list()));
      },
    },
  });
  const listed =
    store &&
    openArchiveCatalog({
      options,
      store,
      recordings,
      added: (block) => {
        playback?.blockAdded(block);
        archived?.added(block.stream);
      },
      removed: (path) => archived?.removed(path),
    });
  const figures = new ArchiveFigures({
    clock,
    recordings,
    usage: listed && (async () => listed.catalog.usage()),
    storages: () => shownStorages(config, dataFolder),
  });
  const watchDisks = (): void => {
    recordings.watchDisks(
      shownStorages(config, dataFolder).flatMap(({ disks }) => disks.flatMap(({ folder }) => folder ?? [])),
    );
  };
  watchDisks();
  const playback =
    listed &&
    openArchivePlayback({
      clock,
      catalog: listed.catalog,
      recordings,
      streamOf: (name) => streams().streams.get(name)?.settings,
      output: (name) => streams().streams.outputs.get(name),
      isRecorded: (name) => {
        const entry = streams().streams.get(name);
        return entry !== undefined && recorded.has(entry);
      },
      hasEnded: (name) => streams().streams.get(name)?.hasEnded(clock.now()) === true,
      damaged({ stream, disk, path, startMs }) {
        options.log.warn('media of an archive is damaged: players skip it', {
          stream,
          disk,
          path,
          from: isoTime(startMs),
        });
      },
    });
  const keeping = openArchiveKeeping({
    options,
    events,
    recordings,
    locks,
    episodes,
    protection,
    store,
    onCatalogCreated,
    catalog: listed?.catalog,
    needed: (stream, time) => exports?.needs(stream, time) ?? false,
    removed: (folder, path) => playback?.blockRemoved(folder, path),
    config: () => config,
    entries: () => streams().streams.list(),
  });
  const exports =
    listed &&
    openExports({
      options,
      events,
      recordings,
      cutPictures,
      repository: exportJobs,
      catalog: listed.catalog,
      config: () => config,
      picture: async (stream, atMs) => recordedPicture(playback?.recorded, pictures, { stream, atMs, isExact: true }),
      locks: (stream, time) => (locks && keeping.service?.locks(stream, time)) ?? [],
    });
  const times = new ArchivedTimes({
    clock,
    extents: async (names) => listed?.catalog.extents(names) ?? [],
    unfinished: (name) => recordings.unfinished(name),
  });
  const timesOf = new WeakMap<StreamEntry, ReturnType<ArchivedTimes['of']>>();
  const follow = (entry: StreamEntry): void => {
    const { name, run, settings } = entry;
    const time = timesOf.get(entry) ?? times.of(name);
    timesOf.set(entry, time);
    const recording = recordingSettings(config, settings, dataFolder, entry.isRecordingSwitched);
    entry.recordedBy(() => recordings.isRecording(name), time);
    if (recording && !entry.isArchiveOnly) listed?.compare({ stream: name, settings: recording });
    if (recording && recording.isOff !== true) recorded.add(entry);
    else recorded.delete(entry);
    if (!recorded.has(entry)) recordings.stop(name);
    else if (run && recording) recordings.record(name, run, recording);
  };
  function* followAll(entries: readonly StreamEntry[]): Generator<void, void> {
    for (const entry of entries) {
      follow(entry);
      yield;
    }
  }
  const archived =
    listed &&
    new ArchivedStreams({
      clock,
      catalog: listed.catalog,
      recordings,
      streams: () => streams().streams,
      streamAdded: (entry, endMs) => {
        follow(entry);
        // After a crash, the catalog does not contain the newest minutes.
        const settings = recordingSettings(config, entry.settings, dataFolder);
        if (settings) listed.compare({ stream: entry.name, settings }, { startMs: endMs, endMs: clock.now() });
      },
      failed: (error) => {
        options.log.error('streams of archives cannot be found', { error: messageOf(error) });
      },
      full: (limit) => {
        options.log.warn('there are too many streams; the archives of the remaining streams are not listed', { limit });
      },
    });
  return {
    follow,
    hasArchive: async (name) => archived?.has(name) ?? false,
    async find() {
      await runInTurns(followAll(streams().streams.list()));
      await archived?.find();
    },
    async apply(changed) {
      config = changed;
      watchDisks();
      const { streams: all } = streams();
      await all.applied;
      await runInTurns(followAll(all.list()));
      keeping.apply();
      void archived?.find();
    },
    switch(entry, isOn) {
      entry.isRecordingSwitched = isOn;
      follow(entry);
    },
    get alerts() {
      return { ...brokenAlert(broken), ...inUseAlert(recordings), ...keeping.alerts };
    },
    lockForAlarm(name, time) {
      keeping.service?.lock(name, time, { who: 'alarms', fromWhere: 'timer' }, { isAlone: false });
      return keeping.service !== undefined;
    },
    get diskSpaces() {
      return [...recordings.disks].flatMap(([folder, { space }]) => (space ? [{ folder, ...space }] : []));
    },
    recorded: playback?.recorded,
    splices: playback?.splices,
    service: keeping.service,
    episodes: keeping.episodes,
    figures,
    exports: exports?.service,
    async close() {
      archived?.close();
      await exports?.close();
      await playback?.close();
      await keeping.close();
      listed?.stop();
      await recordings.close();
      await owners.close();
      await listed?.catalog.settled();
    },
  };
}

/** Maximum number of streams that an alert names. */
const MAX_NAMED = 5;

function brokenAlert(broken: ReadonlyMap<string, string>): Record<string, Fault> {
  if (broken.size === 0) return {};
  const named = [...broken].slice(0, MAX_NAMED).map(([stream, why]) => `${stream} (${why})`);
  const more = broken.size > MAX_NAMED ? ` and ${broken.size - MAX_NAMED} more` : '';
  return { archive: { fault: 'streams_not_recorded', facts: { streams: named.join(', ') + more } } };
}

function inUseAlert({ disks }: Pick<Recordings, 'disks'>): Record<string, Fault> {
  const used = [...disks.values()].flatMap(({ fault }) => (codeOf(fault) === 'disk_in_use' ? messageOf(fault) : []));
  if (used.length === 0) return {};
  const more = used.length > MAX_NAMED ? ` and ${used.length - MAX_NAMED} more` : '';
  return { archive_disks: { fault: 'disks_in_use', facts: { disks: used.slice(0, MAX_NAMED).join('; ') + more } } };
}

/** @param broken receives the streams whose recording is interrupted, with the reason */
function reportsOf(
  { clock, log }: ArchiveDeps['options'],
  events: EventEmitter,
  broken: Map<string, string>,
): Omit<RecordingReports, 'returned'> {
  const late = new CountedReport<{ media: string; why: Explained }>(clock, LATE_PERIOD_MS, (last, count) => {
    log.warn('a disk of the archive is slow; writes are combined', {
      stream: last.media,
      detail: last.why.detail,
      count,
    });
    events.emit('dvr_collapsed_write', { media: last.media, storage: null, ...last.why });
  });
  return {
    finished({ head, index, sizeBytes }, storage) {
      const durationMs = Math.max(0, Math.round(endOf(head, index) - head.startMs));
      const { stream: media, startMs: from } = head;
      events.emit('dvr_new_fragment', { media, storage, from, duration_ms: durationMs, bytes: sizeBytes });
    },
    gap(stream, storage, gap) {
      const facts = { stream, code: gap.failure.code, error: gap.failure.detail, event: 'dvr_drop_write' };
      if (gap.toMs === undefined) broken.set(stream, gap.failure.detail);
      else broken.delete(stream);
      if (gap.toMs === undefined) log.error('the recording was interrupted', { ...facts, from: isoTime(gap.fromMs) });
      else {
        const [from, to] = [isoTime(gap.fromMs), isoTime(gap.toMs)];
        log.warn('the archive has a gap', { ...facts, from, to });
      }
      events.emit('dvr_drop_write', { media: stream, storage, ...gapFields(gap) });
    },
    late(media, disk, waitedMs) {
      late.add({ media, why: because('disk_writes_waited', { disk, ms: Math.round(waitedMs) }) });
    },
    unread(stream, { code, detail }) {
      log.error('the end of an archive cannot be read', { stream, code, error: detail });
    },
  };
}

function gapFields({ fromMs, toMs, failure }: RecordingGap): {
  code: string;
  detail: string;
  explanation: Explanation | undefined;
  from: number;
  duration_ms: number | null;
} {
  const duration = toMs === undefined ? null : Math.max(0, Math.round(toMs - fromMs));
  return { ...failure, explanation: failure.explanation, from: Math.round(fromMs), duration_ms: duration };
}
