import { createHash } from 'node:crypto';
import { mkdir, open, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { LoudnessRow } from '../../../src-preload/contract/api/loudness-object.ts';
import type { Clock } from '../../lib/clock.ts';
import { every } from '../../lib/timers.ts';
import { HOUR_BYTES, HOUR_MS, offsetOf, ENTRY_MS, readBlocks, shortTermOf, writeBlocks } from './loudness-file.ts';
import { LoudnessTally, type LoudnessBlock } from './loudness-tally.ts';

/** Storage of the loudness figures of hours and days. */
interface LoudnessStore {
  write(row: LoudnessRow): void;
  has(name: string, span: LoudnessRow['span'], fromMs: number): boolean;
  removeBefore(timeMs: number): number;
}

export interface LoudnessLogOptions {
  readonly clock: Clock;
  /** Folder used only by the log. */
  readonly folder: string;
  readonly store: LoudnessStore;
  /** Called when figures could not be written, read or removed. */
  readonly failed: (error: unknown) => void;
}

/** Interval of writes, in milliseconds. */
const WRITE_MS = 10_000;
/** Interval of maintenance, in milliseconds: the figures of hours are computed and old files are removed. */
const MAINTENANCE_MS = 300_000;
/** Time from the end of an hour until its figures are computed, in milliseconds, because sound may arrive late. */
const LATE_MS = 60_000;
/** Retention of a file after the end of its hour, in milliseconds, until the figures of the day exist. */
const KEPT_HOURS_MS = 26 * HOUR_MS;
/** Retention of figures, in milliseconds: 90 days. */
const KEPT_FIGURES_MS = 7_776_000_000;
const DAY_MS = 86_400_000;
/** Maximum number of queued blocks of one stream while the disk cannot be written: ten minutes. */
const MAX_WAITING = 6000;
/** Name of the file that contains the name of the stream of a folder. */
const NAME_FILE = 'name.txt';

/** An hour or a day of one stream. */
interface Span {
  readonly name: string;
  readonly span: LoudnessRow['span'];
  readonly fromMs: number;
}

interface Waiting {
  readonly fromMs: number;
  readonly blocks: readonly LoudnessBlock[];
}

/** Loudness log of 24 hours in steps of 100 ms, one file per hour, with the figures of hours and days. */
export class LoudnessLog {
  readonly #options: LoudnessLogOptions;
  readonly #waiting = new Map<string, Waiting[]>();
  readonly #stops: readonly (() => void)[];
  #work: Promise<void> = Promise.resolve();

  constructor(options: LoudnessLogOptions) {
    this.#options = options;
    const { clock } = options;
    this.#stops = [
      every(clock, WRITE_MS, async () => this.write()),
      every(clock, MAINTENANCE_MS, async () => this.maintain()),
    ];
  }

  /**
   * Queues consecutive blocks.
   * @param fromMs start of the first block, in epoch milliseconds
   */
  add(name: string, fromMs: number, blocks: readonly LoudnessBlock[]): void {
    const waiting = this.#waiting.get(name) ?? [];
    this.#waiting.set(name, waiting);
    waiting.push({ fromMs, blocks });
    let count = waiting.reduce((sum, one) => sum + one.blocks.length, 0);
    while (count > MAX_WAITING) count -= waiting.shift()?.blocks.length ?? count;
  }

  /**
   * Blocks of 100 ms of an hour; undefined for gaps.
   * @param hourMs epoch milliseconds
   */
  async hour(name: string, hourMs: number): Promise<(LoudnessBlock | undefined)[]> {
    await this.write();
    return [...readBlocks(await this.#read(folderOf(name), hourMs))];
  }

  /**
   * Short-term loudness of an hour in equal parts: lowest and highest of each, in LUFS; null for gaps.
   * @param hourMs epoch milliseconds
   */
  async curve(name: string, hourMs: number, parts: number): Promise<(readonly [low: number, high: number] | null)[]> {
    await this.write();
    const bytes = await this.#read(folderOf(name), hourMs);
    const entries = HOUR_MS / ENTRY_MS;
    return Array.from({ length: parts }, (_, part) =>
      shortTermOf(bytes, Math.floor((part * entries) / parts), Math.floor(((part + 1) * entries) / parts)),
    );
  }

  /**
   * Figures of an hour or a day from the existing files.
   * @param fromMs start, in epoch milliseconds
   */
  async figures(name: string, span: LoudnessRow['span'], fromMs: number): Promise<LoudnessRow> {
    await this.write();
    const hours = Array.from({ length: span === 'hour' ? 1 : 24 }, (_, index) => fromMs + index * HOUR_MS);
    return this.#row(folderOf(name), { name, span, fromMs }, hours);
  }

  /** Writes the queued blocks. Never rejects. */
  write(): Promise<void> {
    return this.#inTurn(async () => {
      const streams = [...this.#waiting];
      this.#waiting.clear();
      for (const [name, waiting] of streams) for (const one of waiting) await this.#writeBlocks(name, one);
    });
  }

  /** Calculates the figures of finished hours and days, and removes old files. Never rejects. */
  maintain(): Promise<void> {
    return this.#inTurn(async () => {
      const { folder, store, clock } = this.#options;
      const folders = await readdir(folder).catch(() => []);
      for (const one of folders) await this.#maintainFolder(one);
      while (store.removeBefore(clock.now() - KEPT_FIGURES_MS) > 0);
    });
  }

  /** Writes the queued blocks; resolves when no work runs any more. */
  async close(): Promise<void> {
    for (const stop of this.#stops) stop();
    await this.write();
  }

  #inTurn(work: () => Promise<void>): Promise<void> {
    this.#work = this.#work.then(work).catch((error: unknown) => {
      this.#options.failed(error);
    });
    return this.#work;
  }

  async #writeBlocks(name: string, { fromMs, blocks }: Waiting): Promise<void> {
    const own = join(this.#options.folder, folderOf(name));
    for (let at = 0; at < blocks.length;) {
      const atMs = fromMs + at * ENTRY_MS;
      const hourMs = startOf(atMs, HOUR_MS);
      const bytes = writeBlocks(blocks.slice(at, at + Math.ceil((hourMs + HOUR_MS - atMs) / ENTRY_MS)));
      at += bytes.length / writeBlocks(blocks.slice(0, 1)).length;
      const file = await this.#openHour(name, own, hourMs);
      try {
        await file.write(bytes, 0, bytes.length, offsetOf(atMs));
      } finally {
        await file.close();
      }
    }
  }

  async #openHour(name: string, own: string, hourMs: number): ReturnType<typeof open> {
    const path = join(own, fileOf(hourMs));
    try {
      return await open(path, 'r+');
    } catch {
      await mkdir(own, { recursive: true });
      await writeFile(join(own, NAME_FILE), name);
      return open(path, 'w+');
    }
  }

  async #read(own: string, hourMs: number): Promise<Buffer> {
    const file = await open(join(this.#options.folder, own, fileOf(hourMs)), 'r').catch(() => undefined);
    if (!file) return Buffer.alloc(0);
    try {
      const bytes = Buffer.alloc(HOUR_BYTES);
      const { bytesRead } = await file.read(bytes, 0, HOUR_BYTES, 0);
      return bytes.subarray(0, bytesRead);
    } finally {
      await file.close();
    }
  }

  async #maintainFolder(own: string): Promise<void> {
    const path = join(this.#options.folder, own);
    const nowMs = this.#options.clock.now();
    const hours: number[] = [];
    const files = await readdir(path).catch(() => []);
    for (const file of files) {
      const hourMs = hourOf(file);
      if (hourMs === undefined) continue;
      if (hourMs + HOUR_MS < nowMs - KEPT_HOURS_MS) await rm(join(path, file), { force: true });
      else hours.push(hourMs);
    }
    if (hours.length === 0) return rm(path, { recursive: true, force: true });
    const name = await readFile(join(path, NAME_FILE), 'utf8');
    const isFinished = (endMs: number): boolean => endMs + LATE_MS <= nowMs;
    for (const hourMs of hours)
      if (isFinished(hourMs + HOUR_MS)) await this.#sum(own, { name, span: 'hour', fromMs: hourMs }, [hourMs]);
    for (const dayMs of new Set(hours.map((hourMs) => startOf(hourMs, DAY_MS)))) {
      // If the first hours of a day were removed, the figures of the day are already stored or can no longer be calculated.
      const isComplete = dayMs + HOUR_MS >= nowMs - KEPT_HOURS_MS;
      if (!isComplete || !isFinished(dayMs + DAY_MS)) continue;
      const hoursOfDay = hours.filter((hourMs) => startOf(hourMs, DAY_MS) === dayMs);
      await this.#sum(own, { name, span: 'day', fromMs: dayMs }, hoursOfDay);
    }
  }

  async #sum(own: string, span: Span, hours: readonly number[]): Promise<void> {
    const { store } = this.#options;
    if (!store.has(span.name, span.span, span.fromMs)) store.write(await this.#row(own, span, hours));
  }

  async #row(own: string, { name, span, fromMs }: Span, hours: readonly number[]): Promise<LoudnessRow> {
    const tally = new LoudnessTally();
    for (const hourMs of hours)
      for (const block of readBlocks(await this.#read(own, hourMs))) if (block) tally.add(block);
    const { integrated, range, maxMomentary, maxShortTerm, truePeak, measuredMs } = tally.figures();
    return {
      id: `${span}-${own}-${fromMs}`,
      name,
      span,
      from_at: fromMs,
      measured_ms: measuredMs,
      integrated,
      range,
      max_momentary: maxMomentary,
      max_short_term: maxShortTerm,
      true_peak: truePeak,
    };
  }
}

function startOf(atMs: number, spanMs: number): number {
  return Math.floor(atMs / spanMs) * spanMs;
}

function folderOf(name: string): string {
  return createHash('sha256').update(name).digest('hex').slice(0, 32);
}

function fileOf(hourMs: number): string {
  return `${hourMs / HOUR_MS}.r128`;
}

function hourOf(file: string): number | undefined {
  const [, hour] = /^([0-9]{1,9})\.r128$/.exec(file) ?? [];
  return hour === undefined ? undefined : Number(hour) * HOUR_MS;
}
