import { CounterRate } from '../lib/counter-rate.ts';

/** Interval over which rates are measured, in milliseconds. */
const RATE_MS = 10_000;
/** Minimum interval covered by the slowest write, in milliseconds. */
const SLOWEST_MS = 60_000;

/** Counters of a disk since the start of the server, and its current state. */
export interface DiskFigures {
  /** Completed writes; each covers all pending data of a turn, with its sync. */
  readonly writes: number;
  readonly writtenBytes: number;
  /** Total duration of the writes in milliseconds. */
  readonly writingMs: number;
  /** Writes whose oldest part waited longer than two seconds. */
  readonly lateWrites: number;
  /** Blocks that failed. */
  readonly failedBlocks: number;
  /** Bytes written per second, over the last ten seconds. */
  readonly writtenBytesPerSecond: number;
  /** Fraction of the last ten seconds in which a write was in progress, 0 to 1. */
  readonly busyRatio: number;
  /** Duration of the slowest write of the last one or two minutes, in milliseconds. */
  readonly slowestWriteMs: number;
}

/** Counts writes to one disk. */
export class DiskMeter {
  readonly #bytes = new CounterRate(RATE_MS);
  readonly #busy = new CounterRate(RATE_MS);
  #writes = 0;
  #writtenBytes = 0;
  #writingMs = 0;
  #lateWrites = 0;
  #failedBlocks = 0;
  /** Slowest write of the current and of the previous interval. */
  #slowest = { sinceMs: 0, ms: 0, beforeMs: 0 };

  get figures(): DiskFigures {
    return {
      writes: this.#writes,
      writtenBytes: this.#writtenBytes,
      writingMs: this.#writingMs,
      lateWrites: this.#lateWrites,
      failedBlocks: this.#failedBlocks,
      writtenBytesPerSecond: this.#bytes.perSecond,
      busyRatio: Math.min(1, this.#busy.perSecond / 1000),
      slowestWriteMs: Math.max(this.#slowest.ms, this.#slowest.beforeMs),
    };
  }

  /** Records a completed write. @param tookMs duration in milliseconds */
  wrote(bytes: number, tookMs: number): void {
    this.#writes++;
    this.#writtenBytes += Math.max(0, bytes);
    this.#writingMs += Math.max(0, tookMs);
    this.#slowest.ms = Math.max(this.#slowest.ms, tookMs);
  }

  /** Records that a write was delayed because the disk is slow. */
  late(): void {
    this.#lateWrites++;
  }

  /** Records that a block failed. */
  failed(): void {
    this.#failedBlocks++;
  }

  /** Measures rates; called about once a second. @param nowMs epoch milliseconds */
  measure(nowMs: number): void {
    this.#bytes.take(this.#writtenBytes, nowMs);
    this.#busy.take(this.#writingMs, nowMs);
    if (Math.abs(nowMs - this.#slowest.sinceMs) < SLOWEST_MS) return;
    this.#slowest = { sinceMs: nowMs, ms: 0, beforeMs: this.#slowest.ms };
  }
}
