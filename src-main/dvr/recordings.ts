import type { Clock } from '../lib/clock.ts';
import { deadline, RunningClock } from '../lib/timers.ts';
import { keepNewest, newestOf } from '../lib/limits/newest.ts';
import type { RunWindow } from '../segment/run-window.ts';
import { ArchiveNumbers, type ArchiveEnd } from './archive-numbers.ts';
import type { BlockFailure, BlockWriter, RecordedBlock } from './block-writer.ts';
import { Disk } from './disk.ts';
import { diskFault } from './disk-fault.ts';
import { codeOf, type DiskFiles } from './disk-files.ts';
import { PoolShare } from './pool-share.ts';
import { laterEnd, recoverStream } from './recovery.ts';
import { StreamRecorder, type RecordingGap } from './stream-recorder.ts';
import { because } from '../../src-preload/contract/explanations/explanations.ts';
import { explained, ExplainedError } from '../lib/error-message.ts';

/** Destination and rules for recording a stream. */
export interface RecordingSettings {
  /** Name of the storage; null for a folder of the stream. */
  readonly storage: string | null;
  /** Folders of the disks that may be written. */
  readonly disks: readonly string[];
  /** Maximum use of a disk in percent; default 100. */
  readonly maxUsedPercent?: number;
  /** Retention of blocks in milliseconds; default: forever. */
  readonly expirationMs?: number;
  /** Maximum number of disks written at once; default: all. */
  readonly maxActive?: number;
  /** Whether each disk has to be a mount point; default false. */
  readonly mustBeMounted?: boolean;
  /** Recording times in minutes of the day in UTC, end exclusive; a range may pass midnight. Default: always. */
  readonly schedule?: readonly DayRange[];
  /** Whether nothing is recorded, while the existing archive stays; default false. */
  readonly isOff?: boolean;
  /** Maximum bytes on all disks together; default: any. */
  readonly limitBytes?: number;
}

/** Daily range in minutes from midnight. */
type DayRange = readonly [fromMinute: number, toMinute: number];

/** Reports of recordings. */
export interface RecordingReports {
  readonly finished: (block: RecordedBlock, storage: string | null) => void;
  /** Called when a block was finished before the start of the server, perhaps too late to be in the catalog. */
  readonly found?: (block: RecordedBlock) => void;
  readonly gap: (stream: string, storage: string | null, gap: RecordingGap) => void;
  /** Called when writes were delayed because the disk is slow. */
  readonly late: (stream: string, disk: string, waitedMs: number) => void;
  /** Called when the end of the archive of a stream could not be read. */
  readonly unread: (stream: string, failure: BlockFailure) => void;
  /** Called when a disk is available again after it was missing or had failed. It may have other blocks than before. */
  readonly returned: (folder: string) => void;
}

export interface RecordingsOptions {
  readonly files: DiskFiles;
  readonly clock: Clock;
  readonly reports: RecordingReports;
  /** Claims a disk for this server, or returns the name of its owner; without it every disk belongs to this server. */
  readonly claim?: (folder: string) => Promise<string | undefined>;
  /** Limit on the threads that disks may occupy. */
  readonly share?: PoolShare;
}

/**
 * Maximum time for which media waits in memory until the disks were read, in milliseconds; less than the maximum age
 * of pending data.
 */
const RECOVERY_DEADLINE_MS = 5000;
/** Maximum number of entries of the caches by stream. */
const MAX_RECOVERED = 20_000;

/** Result for a disk that has no block of a stream, was read before, or cannot be read. */
const NOTHING_FOUND = { endMs: 0 };

interface Recording {
  settings: RecordingSettings;
  readonly recorder: StreamRecorder;
  readonly run: RunWindow;
}

/** All recorded streams, and their disks. */
export class Recordings {
  readonly #options: RecordingsOptions;
  readonly #recordings = new Map<string, Recording>();
  /** Ended recorders whose last blocks are still being written. */
  readonly #ending = new Map<string, readonly StreamRecorder[]>();
  readonly #disks = new Map<string, Disk>();
  readonly #share: PoolShare;
  readonly #running: RunningClock;
  /** Keys of a stream and a disk folder whose newest blocks were read. */
  readonly #recovered = new Set<string>();
  /** Streams that were read on all their disks. */
  readonly #checked = new Set<string>();
  /** Archive numbers of streams, least recently used first. */
  readonly #numbers = new Map<string, ArchiveNumbers>();
  #isClosed = false;

  constructor(options: RecordingsOptions) {
    this.#options = options;
    this.#share = options.share ?? new PoolShare();
    this.#running = new RunningClock(options.clock);
  }

  /** Whether the stream is being written to disk. */
  isRecording(stream: string): boolean {
    return this.#recordings.get(stream)?.recorder.isRecording ?? false;
  }

  /**
   * Whether the archive of a stream was checked after a crash. The check runs when the stream is first recorded; before
   * it, the last minute before the crash is not available.
   */
  isChecked(stream: string): boolean {
    return this.#checked.has(stream);
  }

  /** Whether the stream is neither being recorded nor being written. */
  isOver(stream: string): boolean {
    return this.#recordersOf(stream).length === 0;
  }

  /**
   * Ranges of the unfinished blocks of a stream that are on disk, in epoch milliseconds. After a step of the clock
   * they may be far apart.
   */
  unfinishedTimes(stream: string): readonly { readonly startMs: number; readonly endMs: number }[] {
    return this.#recordersOf(stream).flatMap(({ unfinishedTimes }) => unfinishedTimes);
  }

  /** Names of the streams that have unfinished blocks on disk. */
  get unfinishedStreams(): readonly string[] {
    return [...this.#recordings.keys(), ...this.#ending.keys()].filter((name) => this.unfinishedTimes(name).length > 0);
  }

  /** Extent on disk of the unfinished blocks of a stream, in epoch milliseconds; undefined if none. */
  unfinished(stream: string): { readonly startMs: number; readonly endMs: number } | undefined {
    const times = this.unfinishedTimes(stream);
    return times.length === 0
      ? undefined
      : {
          startMs: Math.min(...times.map(({ startMs }) => startMs)),
          endMs: Math.max(...times.map(({ endMs }) => endMs)),
        };
  }

  /** Unfinished blocks of a stream that have media on disk, oldest first. */
  unfinishedBlocks(stream: string): readonly BlockWriter[] {
    return this.#recordersOf(stream).flatMap((recorder) => recorder.unfinishedBlocks);
  }

  /** Archive number minus live number of the segments of a stream; undefined if unknown. */
  shiftOf(stream: string): number | undefined {
    return this.#numbers.get(stream)?.shift;
  }

  /** Ends blocks of a stream that start before a time, at the next segment; resolves when they have ended. */
  async cut(stream: string, beforeMs: number): Promise<void> {
    await this.#recordings.get(stream)?.recorder.cut(beforeMs);
  }

  /** Bytes of all current recordings that are not on disk yet. */
  get unwrittenBytes(): number {
    let bytes = 0;
    for (const { recorder } of this.#recordings.values()) bytes += recorder.unwrittenBytes;
    return bytes;
  }

  /** Disks used or checked so far, by folder. */
  get disks(): ReadonlyMap<string, Disk> {
    return this.#disks;
  }

  /** Starts measuring disks that may never have been written. */
  watchDisks(folders: Iterable<string>): void {
    if (!this.#isClosed) for (const folder of folders) this.#disk(folder);
  }

  /** Number of streams being written, by name of the storage; null for folders of streams. */
  get counts(): ReadonlyMap<string | null, number> {
    const counts = new Map<string | null, number>();
    for (const { recorder, settings } of this.#recordings.values())
      if (recorder.isRecording) counts.set(settings.storage, (counts.get(settings.storage) ?? 0) + 1);
    return counts;
  }

  /**
   * Records a run from its next segment on. Changed settings apply from the next block on. Blocks of a crashed server
   * are repaired first; meanwhile media waits in memory.
   */
  record(stream: string, run: RunWindow, settings: RecordingSettings): void {
    if (this.#isClosed) return;
    const existing = this.#recordings.get(stream);
    if (existing?.run === run) {
      existing.settings = settings;
      return;
    }
    this.stop(stream);
    const recording: Recording = { settings, run, recorder: this.#recorder(stream, settings.storage) };
    this.#recordings.set(stream, recording);
    run.onEnd(() => {
      if (this.#recordings.get(stream) === recording) this.stop(stream);
    });
    recording.recorder.attach(run);
    void this.#startRecording(stream, recording);
  }

  /** Runs work on a disk in its turn, between blocks. Throws errors of the work. */
  async onDisk<T>(folder: string, work: (disk: Disk) => Promise<T>): Promise<T> {
    const disk = this.#disk(folder);
    return disk.do(async () => work(disk));
  }

  /** Disk for a copied block, or the reason why there is none. */
  choose(settings: RecordingSettings): Disk | BlockFailure {
    return this.#choose(settings, undefined);
  }

  /** Ends the recording of a stream. */
  stop(stream: string): void {
    const recorder = this.#recordings.get(stream)?.recorder;
    this.#recordings.delete(stream);
    if (!recorder) return;
    recorder.detach();
    // The recorded media stays playable up to its end until the last blocks are written.
    this.#ending.set(stream, [...(this.#ending.get(stream) ?? []), recorder]);
    void recorder.whenOver().then(() => {
      const others = this.#ending.get(stream)?.filter((one) => one !== recorder) ?? [];
      if (others.length > 0) this.#ending.set(stream, others);
      else this.#ending.delete(stream);
    });
  }

  /** Ends all recordings. Resolves when all media is on disk. */
  async close(): Promise<void> {
    this.#isClosed = true;
    for (const stream of [...this.#recordings.keys()]) this.stop(stream);
    await Promise.all([...this.#disks.values()].map(async (disk) => disk.close()));
    this.#running.close();
  }

  /** Recorders that have blocks of a stream, newest last. */
  #recordersOf(stream: string): readonly StreamRecorder[] {
    const recorder = this.#recordings.get(stream)?.recorder;
    const ending = this.#ending.get(stream) ?? [];
    return recorder ? [...ending, recorder] : ending;
  }

  async #startRecording(stream: string, recording: Recording): Promise<void> {
    const { disks } = recording.settings;
    const found = await Promise.all(disks.map(async (folder) => this.#recover(stream, recording, folder)));
    const end = found.reduce<ArchiveEnd | undefined>((latest, one) => laterEnd(latest, one.end), undefined);
    this.#checked.add(stream);
    keepNewest(this.#checked, MAX_RECOVERED);
    recording.recorder.settle(Math.max(0, ...found.map(({ endMs }) => endMs)), end);
  }

  async #recover(
    stream: string,
    { settings }: Recording,
    folder: string,
  ): Promise<{ readonly endMs: number; readonly end?: ArchiveEnd }> {
    const key = recoveredKey(stream, folder);
    if (this.#recovered.has(key)) return NOTHING_FOUND;
    this.#recovered.add(key);
    keepNewest(this.#recovered, MAX_RECOVERED);
    const { files, reports } = this.#options;
    try {
      const recovery = this.onDisk(folder, async (disk) => recoverStream(files, disk, stream));
      const found = await this.#inTime(recovery, folder);
      for (const block of found.finished) reports.found?.(block);
      for (const block of found.repaired) reports.finished(block, settings.storage);
      return found;
    } catch (error) {
      reports.unread(stream, { code: codeOf(error) || 'disk_error', ...explained(error) });
      return NOTHING_FOUND;
    }
  }

  /** Repairs interrupted blocks on a disk that is available again, in its next turns. */
  #returned(folder: string): void {
    for (const [stream, recording] of this.#recordings) {
      if (!recording.settings.disks.includes(folder)) continue;
      this.#recovered.delete(recoveredKey(stream, folder));
      void this.#recover(stream, recording, folder);
    }
    this.#options.reports.returned(folder);
  }

  /** Limits the wait: a hanging disk must not prevent recording to other disks. */
  async #inTime<T>(recovery: Promise<T>, folder: string): Promise<T> {
    return new Promise((resolve, reject) => {
      const cancel = deadline(this.#options.clock, RECOVERY_DEADLINE_MS, () => {
        reject(
          Object.assign(new ExplainedError(because('disk_not_answering', { path: folder })), { code: 'disk_slow' }),
        );
      });
      recovery.then(resolve, reject).finally(cancel);
    });
  }

  /** @param storage destination of its first block */
  #recorder(stream: string, storage: string | null): StreamRecorder {
    const { clock, reports } = this.#options;
    return new StreamRecorder({
      stream,
      clock,
      running: this.#running,
      numbers: newestOf(this.#numbers, stream, MAX_RECOVERED, () => new ArchiveNumbers()),
      choose: (avoid) => this.#choose(this.#recordings.get(stream)?.settings, avoid),
      isDue: (startMs) => isScheduled(this.#recordings.get(stream)?.settings.schedule, startMs),
      finished: (block) => {
        reports.finished(block, storage);
      },
      gap: (gap) => {
        reports.gap(stream, storage, gap);
      },
    });
  }

  /**
   * Chooses the writable disk with the most free space. The disk that failed last is chosen only if no other disk is
   * available.
   */
  #choose(settings: RecordingSettings | undefined, avoid: Disk | undefined): Disk | BlockFailure {
    const disks = (settings?.disks ?? []).map((folder) => this.#disk(folder));
    const limit = (settings?.maxUsedPercent ?? 100) / 100;
    let failure: BlockFailure = { code: 'no_disk', ...because('disk_none_writable') };
    const usable = disks.filter((disk) => {
      if (settings?.mustBeMounted === true) disk.requireMount();
      const fault = diskFault(disk, limit);
      if (fault) failure = fault;
      return !fault;
    });
    return active(usable, settings?.maxActive, avoid).sort((a, b) => rank(b, avoid) - rank(a, avoid))[0] ?? failure;
  }

  #disk(folder: string): Disk {
    const existing = this.#disks.get(folder);
    if (existing) return existing;
    const { files, reports, claim } = this.#options;
    const disk = new Disk(folder, {
      files,
      clock: this.#running,
      share: this.#share,
      claim: claim && (async () => claim(folder)),
      late: ({ head }, waitedMs) => {
        reports.late(head.stream, folder, waitedMs);
      },
      returned: () => {
        this.#returned(folder);
      },
    });
    this.#disks.set(folder, disk);
    return disk;
  }
}

function recoveredKey(stream: string, folder: string): string {
  return JSON.stringify([stream, folder]);
}

/** Disks that may be written, up to the configured number. Disks that are already written come first. */
function active(usable: Disk[], limit = Infinity, avoid?: Disk): Disk[] {
  if (usable.length <= limit) return usable;
  const others = usable.filter((disk) => disk !== avoid);
  const order = (disk: Disk): number => (disk.isWritten ? 1e18 : 0) + rank(disk, avoid);
  return others.sort((a, b) => order(b) - order(a)).slice(0, limit);
}

/** Whether media that starts at a time is recorded. @param startMs epoch milliseconds */
function isScheduled(schedule: readonly DayRange[] = [], startMs: number): boolean {
  const minute = Math.floor(startMs / 60_000) % 1440;
  const isWithin = ([from, to]: DayRange): boolean =>
    from < to ? minute >= from && minute < to : minute >= from || minute < to;
  return schedule.length === 0 || schedule.some(isWithin);
}

function rank(disk: Disk, avoid: Disk | undefined): number {
  return disk === avoid ? -1 : (disk.space?.freeBytes ?? 0);
}
