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
import { StreamRecorder, type RecordingHole } from './stream-recorder.ts';

/** Where and how a stream is recorded. */
export interface RecordingSettings {
  /** Name of the storage; null for a folder of the stream's own. */
  readonly storage: string | null;
  /** Folders of the disks that may be written. */
  readonly disks: readonly string[];
  /** Up to which use a disk is filled; default 100. */
  readonly mostUsedPercent?: number;
  /** How long blocks are kept, in milliseconds; default for ever. */
  readonly expirationMs?: number;
  /** How many of the disks are written at once; default all. */
  readonly mostActive?: number;
  /** Whether each disk has to be a mount point; default false. */
  readonly mustBeMounted?: boolean;
  /** When is recorded, in minutes of the day in UTC, the end not included; a range may go past midnight. Default always. */
  readonly schedule?: readonly DayRange[];
  /** Whether the archive is only kept, and nothing is recorded; default false. */
  readonly isOff?: boolean;
  /** How many bytes it may have on all disks together; default any. */
  readonly limitBytes?: number;
}

/** A range of each day in minutes from midnight. */
type DayRange = readonly [fromMinute: number, toMinute: number];

/** What recordings report. */
export interface RecordingReports {
  readonly finished: (block: RecordedBlock, storage: string | null) => void;
  readonly hole: (stream: string, storage: string | null, hole: RecordingHole) => void;
  /** Writes were gathered because the disk is slow. */
  readonly late: (stream: string, disk: string, waitedMs: number) => void;
  /** The end of the archive of a stream could not be looked at. */
  readonly unread: (stream: string, failure: BlockFailure) => void;
  /** A disk is there again, which was gone or gave errors: it may have other blocks than before. */
  readonly returned: (folder: string) => void;
}

/** What recordings need. */
export interface RecordingsOptions {
  readonly files: DiskFiles;
  readonly clock: Clock;
  readonly reports: RecordingReports;
  /** Takes a disk for this server, or says which other one has it; without it every disk is this server's. */
  readonly claim?: (folder: string) => Promise<string | undefined>;
  /** The threads that disks may hold. */
  readonly share?: PoolShare;
}

/** How long media waits in memory until it is known what lies on the disks, in milliseconds: less than a disk may let it wait. */
const MAX_LOOK_MS = 5000;
/** Streams that are remembered as looked at. */
const MAX_RECOVERED = 20_000;

/** A disk that has nothing of a stream, or was looked at before. */
const NOTHING_FOUND = { endMs: 0 };

interface Recording {
  settings: RecordingSettings;
  readonly recorder: StreamRecorder;
  readonly run: RunWindow;
}

/** All streams that are recorded, and the disks that they are recorded to. */
export class Recordings {
  readonly #options: RecordingsOptions;
  readonly #recordings = new Map<string, Recording>();
  /** Recorders that have ended, while their last blocks are on their way to disk. */
  readonly #ending = new Map<string, readonly StreamRecorder[]>();
  readonly #disks = new Map<string, Disk>();
  readonly #share: PoolShare;
  readonly #running: RunningClock;
  /** Streams whose newest blocks were looked at, with the folders. */
  readonly #recovered = new Set<string>();
  /** Those that were looked at on all their disks. */
  readonly #known = new Set<string>();
  /** What is known of the numbers in the archives of streams, the longest unused first. */
  readonly #numbers = new Map<string, ArchiveNumbers>();
  #isClosed = false;

  constructor(options: RecordingsOptions) {
    this.#options = options;
    this.#share = options.share ?? new PoolShare();
    this.#running = new RunningClock(options.clock);
  }

  /** Whether the stream is written to disk. */
  isRecording(stream: string): boolean {
    return this.#recordings.get(stream)?.recorder.isRecording ?? false;
  }

  /** Whether it was looked at what a killed server left of a stream, which is done when it is recorded first: before that its newest minute is not there. */
  isKnown(stream: string): boolean {
    return this.#known.has(stream);
  }

  /** Whether nothing is recorded of a stream, and nothing of it is on its way to disk. */
  isOver(stream: string): boolean {
    return this.#recordersOf(stream).length === 0;
  }

  /** What of a stream is on disk in blocks that are not finished, in epoch milliseconds; undefined where nothing is. */
  unfinished(stream: string): { readonly startMs: number; readonly endMs: number } | undefined {
    const times = this.#recordersOf(stream).flatMap(({ unfinished }) => unfinished ?? []);
    return times.length === 0
      ? undefined
      : {
          startMs: Math.min(...times.map(({ startMs }) => startMs)),
          endMs: Math.max(...times.map(({ endMs }) => endMs)),
        };
  }

  /** The blocks of a stream that have something on disk and are not finished, oldest first. */
  unfinishedBlocks(stream: string): readonly BlockWriter[] {
    return this.#recordersOf(stream).flatMap((recorder) => recorder.unfinishedBlocks);
  }

  /** How much higher the numbers of segments are in the archive of a stream than live; undefined while nothing is known. */
  shiftOf(stream: string): number | undefined {
    return this.#numbers.get(stream)?.shift;
  }

  /** Ends the blocks of a stream that begin before a time with the next segment; resolves when they are over. */
  async cut(stream: string, beforeMs: number): Promise<void> {
    await this.#recordings.get(stream)?.recorder.cut(beforeMs);
  }

  /** Bytes that are not on disk yet, of all streams. */
  get unwrittenBytes(): number {
    let bytes = 0;
    for (const { recorder } of this.#recordings.values()) bytes += recorder.unwrittenBytes;
    return bytes;
  }

  /** The disks that were used or looked at, by their folders. */
  get disks(): ReadonlyMap<string, Disk> {
    return this.#disks;
  }

  /** Has disks measured from now on that nothing may have been written to. */
  look(folders: Iterable<string>): void {
    if (!this.#isClosed) for (const folder of folders) this.#disk(folder);
  }

  /** How many streams are written to disk, by the names of their storages; null for folders of their own. */
  get counts(): ReadonlyMap<string | null, number> {
    const counts = new Map<string | null, number>();
    for (const { recorder, settings } of this.#recordings.values())
      if (recorder.isRecording) counts.set(settings.storage, (counts.get(settings.storage) ?? 0) + 1);
    return counts;
  }

  /**
   * Records a run from its next segment on; with other settings the next block goes elsewhere. What a killed server left behind is repaired first, and
   * media waits in memory meanwhile.
   */
  record(stream: string, run: RunWindow, settings: RecordingSettings): void {
    if (this.#isClosed) return;
    const known = this.#recordings.get(stream);
    if (known?.run === run) {
      known.settings = settings;
      return;
    }
    this.stop(stream);
    const recording: Recording = { settings, run, recorder: this.#recorder(stream, settings.storage) };
    this.#recordings.set(stream, recording);
    run.onEnd(() => {
      if (this.#recordings.get(stream) === recording) this.stop(stream);
    });
    recording.recorder.attach(run);
    void this.#begin(stream, recording);
  }

  /** Does work on a disk in its turn, between blocks. Raises what the work raises. */
  async onDisk<T>(folder: string, work: (disk: Disk) => Promise<T>): Promise<T> {
    const disk = this.#disk(folder);
    return disk.do(async () => work(disk));
  }

  /** A disk that takes a block, which is not recorded but copied; why there is none. */
  choose(settings: RecordingSettings): Disk | BlockFailure {
    return this.#choose(settings, undefined);
  }

  /** Ends the recording of a stream. */
  stop(stream: string): void {
    const recorder = this.#recordings.get(stream)?.recorder;
    this.#recordings.delete(stream);
    if (!recorder) return;
    recorder.detach();
    // What was recorded is played up to its end meanwhile.
    this.#ending.set(stream, [...(this.#ending.get(stream) ?? []), recorder]);
    void recorder.whenOver().then(() => {
      const others = this.#ending.get(stream)?.filter((one) => one !== recorder) ?? [];
      if (others.length > 0) this.#ending.set(stream, others);
      else this.#ending.delete(stream);
    });
  }

  /** Ends every recording; resolves when all of it is on disk. */
  async close(): Promise<void> {
    this.#isClosed = true;
    for (const stream of [...this.#recordings.keys()]) this.stop(stream);
    await Promise.all([...this.#disks.values()].map(async (disk) => disk.close()));
    this.#running.close();
  }

  /** Those that have blocks of a stream, the newest last. */
  #recordersOf(stream: string): readonly StreamRecorder[] {
    const recorder = this.#recordings.get(stream)?.recorder;
    const ending = this.#ending.get(stream) ?? [];
    return recorder ? [...ending, recorder] : ending;
  }

  async #begin(stream: string, recording: Recording): Promise<void> {
    const { disks } = recording.settings;
    const found = await Promise.all(disks.map(async (folder) => this.#recover(stream, recording, folder)));
    const end = found.reduce<ArchiveEnd | undefined>((latest, one) => laterEnd(latest, one.end), undefined);
    this.#known.add(stream);
    keepNewest(this.#known, MAX_RECOVERED);
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
      const looked = this.onDisk(folder, async (disk) => recoverStream(files, disk, stream));
      const found = await this.#inTime(looked, folder);
      for (const block of found.repaired) reports.finished(block, settings.storage);
      return found;
    } catch (error) {
      const detail = error instanceof Error ? error.message : String(error);
      reports.unread(stream, { code: codeOf(error) || 'disk_error', detail });
      return NOTHING_FOUND;
    }
  }

  /** A disk is there again: what broke off when it went is repaired in its next turns. */
  #returned(folder: string): void {
    for (const [stream, recording] of this.#recordings) {
      if (!recording.settings.disks.includes(folder)) continue;
      this.#recovered.delete(recoveredKey(stream, folder));
      void this.#recover(stream, recording, folder);
    }
    this.#options.reports.returned(folder);
  }

  /** One disk that does not answer must not keep a stream from being recorded to the others. */
  async #inTime<T>(looked: Promise<T>, folder: string): Promise<T> {
    return new Promise((resolve, reject) => {
      const cancel = deadline(this.#options.clock, MAX_LOOK_MS, () => {
        reject(Object.assign(new Error(`${folder} does not answer`), { code: 'disk_slow' }));
      });
      looked.then(resolve, reject).finally(cancel);
    });
  }

  /** @param storage where its first block goes */
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
      hole: (hole) => {
        reports.hole(stream, storage, hole);
      },
    });
  }

  /** The disk with the most room among those that can be written; the one that failed last only where there is no other. */
  #choose(settings: RecordingSettings | undefined, avoid: Disk | undefined): Disk | BlockFailure {
    const disks = (settings?.disks ?? []).map((folder) => this.#disk(folder));
    const limit = (settings?.mostUsedPercent ?? 100) / 100;
    let failure: BlockFailure = { code: 'no_disk', detail: 'no disk of the storage may be written' };
    const usable = disks.filter((disk) => {
      if (settings?.mustBeMounted === true) disk.requireMount();
      const fault = diskFault(disk, limit);
      if (fault) failure = fault;
      return !fault;
    });
    return active(usable, settings?.mostActive, avoid).sort((a, b) => rank(b, avoid) - rank(a, avoid))[0] ?? failure;
  }

  #disk(folder: string): Disk {
    const known = this.#disks.get(folder);
    if (known) return known;
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

/** Those that are written at the moment go on; others come only while there are fewer than wanted. */
function active(usable: Disk[], most = Infinity, avoid?: Disk): Disk[] {
  if (usable.length <= most) return usable;
  const others = usable.filter((disk) => disk !== avoid);
  const order = (disk: Disk): number => (disk.isWritten ? 1e18 : 0) + rank(disk, avoid);
  return others.sort((a, b) => order(b) - order(a)).slice(0, most);
}

/** Whether media of this time is recorded. @param startMs epoch milliseconds */
function isScheduled(schedule: readonly DayRange[] = [], startMs: number): boolean {
  const minute = Math.floor(startMs / 60_000) % 1440;
  const isWithin = ([from, to]: DayRange): boolean =>
    from < to ? minute >= from && minute < to : minute >= from || minute < to;
  return schedule.length === 0 || schedule.some(isWithin);
}

function rank(disk: Disk, avoid: Disk | undefined): number {
  return disk === avoid ? -1 : (disk.room?.freeBytes ?? 0);
}
