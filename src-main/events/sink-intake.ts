import type { Clock } from '../lib/clock.ts';
import type { DiskQueue } from './disk-queue.ts';
import { MAX_RECORD_BYTES } from './queue-record.ts';
import { messageOf } from '../lib/error-message.ts';
import { DelayedWork, Wakeable } from '../lib/timers.ts';

/** Reason for dropping events. */
export type DropReason = 'too_fast' | 'queue_full' | 'disk_failed' | 'too_large';

/** Maximum number of events, and of characters, waiting in memory for the disk. */
const MAX_BUFFERED = 20_000;
const MAX_BUFFERED_CHARS = 16 * 1024 * 1024;
/** Maximum number of events per write. */
const WRITE_COUNT = 1000;
const RETRY_MS = 1000;
const SYNC_MS = 1000;

export interface IntakeOptions {
  readonly clock: Clock;
  /** Maximum size of the queue on disk, in bytes. Above it, events are dropped. */
  readonly maxFileBytes: number;
  /** Called when events were lost. */
  readonly dropped: (reason: DropReason, count: number) => void;
  /** Called when the disk refused a write (with the error), or accepts writes again (with null). */
  readonly diskError: (error: string | null) => void;
  /** Called after an append. */
  readonly appended: () => void;
}

/**
 * Writes events into the queue of a sink. `add` never waits and never throws. Events for which neither memory nor disk has room
 * are dropped and counted.
 */
export class SinkIntake {
  readonly #options: IntakeOptions;
  readonly #wake: Wakeable;
  #queue: DiskQueue | undefined;
  #sync: (() => Promise<void>) | undefined;
  #buffer: string[] = [];
  #chars = 0;
  #hasFailed = false;
  #isClosing = false;
  #loop: Promise<void> | undefined;
  readonly #syncSoon: DelayedWork;
  #settled: (() => void)[] = [];

  constructor(options: IntakeOptions) {
    this.#options = options;
    this.#wake = new Wakeable(options.clock);
    this.#syncSoon = new DelayedWork(options.clock, SYNC_MS, () => this.#sync?.().catch(() => undefined));
  }

  /** Number of events waiting in memory. */
  get buffered(): number {
    return this.#buffer.length;
  }

  /** Fill level of the memory buffer, 0 to 1. */
  get fill(): number {
    return Math.max(this.#buffer.length / MAX_BUFFERED, this.#chars / MAX_BUFFERED_CHARS);
  }

  /** Takes events as JSON. */
  add(texts: readonly string[]): void {
    if (this.#isClosing) return;
    const lost: Record<DropReason, number> = { too_fast: 0, queue_full: 0, disk_failed: 0, too_large: 0 };
    for (const text of texts) {
      // A UTF-16 unit takes at most three bytes.
      if (text.length * 3 > MAX_RECORD_BYTES) lost.too_large++;
      else if (this.#queue && this.#queue.fileBytes > this.#options.maxFileBytes) lost.queue_full++;
      else if (this.#buffer.length >= MAX_BUFFERED || this.#chars + text.length > MAX_BUFFERED_CHARS)
        lost[this.#hasFailed ? 'disk_failed' : 'too_fast']++;
      else {
        this.#buffer.push(text);
        this.#chars += text.length;
      }
    }
    // The object has exactly the keys of its type.
    for (const [reason, count] of Object.entries(lost) as [DropReason, number][])
      if (count > 0) this.#options.dropped(reason, count);
    if (this.#buffer.length > 0) this.#wake.notify();
  }

  /**
   * Starts to write into a queue.
   * @param sync waits until written bytes are on the disk
   */
  start(queue: DiskQueue, sync: () => Promise<void>): void {
    this.#queue = queue;
    this.#sync = sync;
    this.#loop = this.#run(queue);
  }

  /** Resolves when all events added so far are in the queue, or cannot be written at the moment. */
  settled(): Promise<void> {
    if (!this.#queue || this.#buffer.length === 0 || this.#hasFailed) return Promise.resolve();
    return new Promise((resolve) => {
      this.#settled.push(resolve);
    });
  }

  /** Writes the waiting events and stops. Events that the disk refuses now are lost and counted. */
  async close(): Promise<void> {
    this.#isClosing = true;
    this.#wake.notify();
    await this.#loop;
    this.#syncSoon.cancel();
    await this.#sync?.().catch(() => undefined);
    if (this.#buffer.length > 0) this.#options.dropped('disk_failed', this.#buffer.length);
  }

  async #run(queue: DiskQueue): Promise<void> {
    for (;;) {
      while (this.#buffer.length > 0 && (await this.#write(queue)));
      this.#settle();
      if (this.#isClosing) return;
      await this.#wake.wait(this.#hasFailed ? RETRY_MS : undefined);
    }
  }

  async #write(queue: DiskQueue): Promise<boolean> {
    const texts = this.#buffer.slice(0, WRITE_COUNT);
    try {
      await queue.append(texts);
    } catch (error) {
      if (!this.#hasFailed) this.#options.diskError(messageOf(error));
      this.#hasFailed = true;
      return false;
    }
    if (this.#hasFailed) this.#options.diskError(null);
    this.#hasFailed = false;
    this.#buffer = this.#buffer.slice(texts.length);
    this.#chars = this.#buffer.length === 0 ? 0 : this.#chars - texts.reduce((sum, text) => sum + text.length, 0);
    this.#syncSoon.schedule();
    this.#options.appended();
    if (this.#buffer.length === 0) this.#settle();
    return true;
  }

  #settle(): void {
    const waiting = this.#settled;
    this.#settled = [];
    for (const resolve of waiting) resolve();
  }
}
