import { CounterRate } from '../lib/counter-rate.ts';

/** Over how long rates are measured, in milliseconds. */
const RATE_MS = 10_000;
/** Of how long at least the slowest write is shown, in milliseconds. */
const SLOWEST_MS = 60_000;

/** What a disk counts since the server started, and how it does at the moment. */
export interface DiskFigures {
  /** Writes that came back, each of all that had gathered, with its synchronisation. */
  readonly writes: number;
  readonly writtenBytes: number;
  /** How long they took together, in milliseconds. */
  readonly writingMs: number;
  /** Writes whose oldest part waited longer than two seconds. */
  readonly lateWrites: number;
  /** Blocks that could not go on. */
  readonly failedBlocks: number;
  /** Of the last ten seconds. */
  readonly writtenBytesPerSecond: number;
  /** Share of the last ten seconds in which something was being written, 0 to 1. */
  readonly busyRatio: number;
  /** Of the last minute or two, in milliseconds. */
  readonly slowestWriteMs: number;
}

/** Counts what is written to one disk. */
export class DiskMeter {
  readonly #bytes = new CounterRate(RATE_MS);
  readonly #busy = new CounterRate(RATE_MS);
  #writes = 0;
  #writtenBytes = 0;
  #writingMs = 0;
  #lateWrites = 0;
  #failedBlocks = 0;
  /** The slowest write since then, and that of the time before. */
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

  /** A write came back. @param tookMs how long it took, in milliseconds */
  wrote(bytes: number, tookMs: number): void {
    this.#writes++;
    this.#writtenBytes += Math.max(0, bytes);
    this.#writingMs += Math.max(0, tookMs);
    this.#slowest.ms = Math.max(this.#slowest.ms, tookMs);
  }

  /** A write was gathered because the disk is slow. */
  late(): void {
    this.#lateWrites++;
  }

  /** A block could not go on. */
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
