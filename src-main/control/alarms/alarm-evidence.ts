import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import {
  alarmEvidenceSchema,
  type AlarmEvidenceObject,
  type AlarmObject,
} from '../../../src-preload/contract/api/alarm-object.ts';
import type { Clock } from '../../lib/clock.ts';
import { every } from '../../lib/timers.ts';
import type { ValueGraph } from '../../monitor/value-history.ts';
import { keyFrameAt, newestKeyFrame, type WindowKeyFrame } from '../../packaging/mp4/key-frame.ts';
import type { SegmentWindow } from '../../segment/segment-window.ts';

export interface AlarmEvidenceOptions {
  readonly clock: Clock;
  /** Folder used only for evidence. */
  readonly folder: string;
  /**
   * Media of an alarm's stream, and how long the condition had lasted when the alarm was raised; undefined if the stream no
   * longer exists.
   */
  readonly stream: (alarm: AlarmObject) => { readonly window: SegmentWindow; readonly lastedMs: number } | undefined;
  readonly picture: (frame: WindowKeyFrame) => Promise<Uint8Array>;
  /** Recent values of a condition. */
  readonly graph: (name: string, alarm: AlarmObject['alarm']) => ValueGraph | undefined;
  /** Locks a range of a stream's archive. Returns false if the stream is not recorded. */
  readonly lock: (alarm: AlarmObject, time: { readonly startMs: number; readonly endMs: number }) => boolean;
  readonly failed: (error: unknown) => void;
}

/** Length of the locked archive before and after an alarm, in milliseconds. */
const LOCK_MARGIN_MS = 30_000;
/** Distance between the earlier picture and the start of the condition, in milliseconds. */
const BEFORE_MS = 4000;
/** Maximum number of alarms whose evidence is collected in parallel. Further alarms get none. */
const MAX_AT_ONCE = 50;
/**
 * Maximum number of locks of a stream in a day, so that an alarm that is raised again and again does not lock the complete
 * archive.
 */
const MAX_LOCKS = 24;
const DAY_MS = 86_400_000;
const RETENTION_MS = 90 * DAY_MS;
const MAX_STORED = 2000;
const CLEAN_UP_MS = 3_600_000;

/** Stores the evidence of an alarm: a picture of the stream before the alarm and one at its start, and the graph of the value. Also locks the archive around the alarm. */
export class AlarmEvidence {
  readonly #options: AlarmEvidenceOptions;
  readonly #stop: () => void;
  readonly #ends = new Set<() => void>();
  readonly #locks = new Map<string, { dayMs: number; count: number }>();
  #pending = 0;
  #work: Promise<void> = Promise.resolve();

  constructor(options: AlarmEvidenceOptions) {
    this.#options = options;
    this.#stop = every(options.clock, CLEAN_UP_MS, async () => this.cleanUp());
  }

  /** Collects the evidence of a raised alarm. */
  raised(alarm: AlarmObject): void {
    if (alarm.name === null || this.#pending >= MAX_AT_ONCE) return;
    this.#pending++;
    const { name } = alarm;
    const isLocked = this.#lock(name, alarm);
    const pictures = this.#pictures(alarm);
    const write = async (): Promise<void> => {
      await this.#write(alarm, { ...(await pictures), graph: this.#graph(name, alarm), is_locked: isLocked });
    };
    void this.#inTurn(write);
    // The graph ends at the same time as the locked range of the archive.
    const end = this.#options.clock.after(LOCK_MARGIN_MS, () => {
      this.#ends.delete(end);
      this.#pending--;
      void this.#inTurn(write);
    });
    this.#ends.add(end);
  }

  /** Stored evidence of a stream's alarm; undefined if there is none. */
  async find(name: string, id: string): Promise<AlarmEvidenceObject | undefined> {
    let evidence: AlarmEvidenceObject | undefined;
    // Waits its turn, so that no file is being written.
    await this.#inTurn(async () => {
      const file = (await this.#files()).find((one) => one.endsWith(`-${id}.json`));
      if (file === undefined) return;
      const text = await readFile(join(this.#options.folder, file), 'utf8');
      evidence = alarmEvidenceSchema.safeParse(JSON.parse(text)).data;
    });
    return evidence?.name === name ? evidence : undefined;
  }

  /** Removes evidence that is too old, or exceeds the limit. Never rejects. */
  cleanUp(): Promise<void> {
    return this.#inTurn(async () => {
      const files = (await this.#files()).toSorted((a, b) => timeOf(b) - timeOf(a));
      const oldestMs = this.#options.clock.now() - RETENTION_MS;
      for (const [index, file] of files.entries())
        if (index >= MAX_STORED || timeOf(file) < oldestMs) await rm(join(this.#options.folder, file), { force: true });
    });
  }

  /** Resolves when no work is in progress. */
  async close(): Promise<void> {
    this.#stop();
    for (const end of this.#ends) end();
    await this.#work;
  }

  #inTurn(work: () => Promise<void>): Promise<void> {
    this.#work = this.#work.then(work).catch((error: unknown) => {
      this.#options.failed(error);
    });
    return this.#work;
  }

  async #files(): Promise<readonly string[]> {
    const files = await readdir(this.#options.folder).catch(() => []);
    return files.filter((file) => /^[0-9]+-.+\.json$/.test(file));
  }

  #lock(name: string, alarm: AlarmObject): boolean {
    const { clock, lock, failed } = this.#options;
    const dayMs = Math.floor(clock.now() / DAY_MS) * DAY_MS;
    for (const [stream, dayCount] of this.#locks) if (dayCount.dayMs !== dayMs) this.#locks.delete(stream);
    const dayCount = this.#locks.get(name) ?? { dayMs, count: 0 };
    if (alarm.severity === 'info' || dayCount.count >= MAX_LOCKS) return false;
    try {
      const isLocked = lock(alarm, {
        startMs: alarm.raised_at - LOCK_MARGIN_MS,
        endMs: alarm.raised_at + LOCK_MARGIN_MS,
      });
      if (isLocked) this.#locks.set(name, { dayMs, count: dayCount.count + 1 });
      return isLocked;
    } catch (error) {
      failed(error);
      return false;
    }
  }

  #graph(name: string, { alarm }: AlarmObject): AlarmEvidenceObject['graph'] {
    const graph = this.#options.graph(name, alarm);
    return graph ? { from_at: graph.fromMs, step_ms: graph.stepMs, values: [...graph.values] } : null;
  }

  async #pictures(alarm: AlarmObject): Promise<Pick<AlarmEvidenceObject, 'before_jpeg' | 'at_jpeg'>> {
    const { window, lastedMs } = this.#options.stream(alarm) ?? {};
    const bounds = window?.bounds();
    if (!window || !bounds) return { before_jpeg: null, at_jpeg: null };
    const beforeMs = Math.max(bounds.fromMs, alarm.raised_at - (lastedMs ?? 0) - BEFORE_MS);
    const [before, at] = [keyFrameAt(window, beforeMs), newestKeyFrame(window)];
    return { before_jpeg: await this.#jpeg(before), at_jpeg: await this.#jpeg(at) };
  }

  async #jpeg(frame: WindowKeyFrame | undefined): Promise<string | null> {
    try {
      return frame ? Buffer.from(await this.#options.picture(frame)).toString('base64') : null;
    } catch {
      // A picture that cannot be decoded is left out.
      return null;
    }
  }

  async #write(
    { id, name, alarm, raised_at: raisedMs }: AlarmObject,
    found: Omit<AlarmEvidenceObject, 'id' | 'name' | 'alarm' | 'raised_at'>,
  ): Promise<void> {
    const { folder } = this.#options;
    await mkdir(folder, { recursive: true });
    const evidence = { id, name, alarm, raised_at: raisedMs, ...found };
    await writeFile(join(folder, `${raisedMs}-${id}.json`), JSON.stringify(evidence));
  }
}

function timeOf(file: string): number {
  return Number(file.split('-')[0]);
}
