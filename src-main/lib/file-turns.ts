import { setTimeout as delay } from 'node:timers/promises';
import type { Clock } from './clock.ts';
import { DelayedWork } from './timers.ts';
import { because } from '../../src-preload/contract/explanations/explanations.ts';
import { ExplainedError } from './error-message.ts';

export interface FileTurnsOptions {
  readonly clock: Clock;
  /** Maximum number of concurrent operations of all threads that share the memory. */
  readonly limit: number;
  /** Counters of running operations, an `Int32Array`: the total, then one per thread. Default: counters of this thread alone. */
  readonly memory?: SharedArrayBuffer;
  /** Index of the counter of this thread. */
  readonly place?: number;
  /** Time after which an operation counts as hanging, in milliseconds; default 5 s. */
  readonly hangMs?: number;
}

/** Interval of checks whether other threads have finished operations, in milliseconds. */
const CHECK_MS = 20;
const HANG_MS = 5000;

/**
 * Limits concurrent operations on files that may hang, for example on a lost network mount. The threads of a process share
 * one small pool for file operations: without a limit, a few hanging operations would stop all file access of the server.
 */
export class FileTurns {
  readonly #clock: Clock;
  readonly #limit: number;
  readonly #hangMs: number;
  readonly #counts: Int32Array;
  readonly #place: number;
  readonly #waiting: (() => void)[] = [];
  /** Number of hanging operations by path. */
  readonly #hung = new Map<string, number>();
  readonly #check: DelayedWork;

  constructor({ clock, limit, memory, place = 0, hangMs = HANG_MS }: FileTurnsOptions) {
    this.#clock = clock;
    this.#check = new DelayedWork(clock, CHECK_MS, () => {
      this.#next();
    });
    this.#limit = limit;
    this.#hangMs = hangMs;
    this.#counts = new Int32Array(memory ?? new SharedArrayBuffer(8));
    this.#place = place + 1;
  }

  /**
   * Runs work on a file as soon as fewer operations run than the limit allows. Rejects if the wait or the work takes too long,
   * and at once while an earlier operation on the same file hangs.
   */
  async run<T>(path: string, work: () => Promise<T>): Promise<T> {
    if (this.#hung.has(path)) throw new ExplainedError(because('disk_not_answering', { path }));
    const result = Promise.withResolvers<T>();
    let isHung = false;
    const start = (): void => {
      void work()
        .then(result.resolve, result.reject)
        .finally(() => {
          cancel();
          if (isHung) this.#countHung(path, -1);
          this.#leave();
        });
    };
    const cancel = this.#clock.after(this.#hangMs, () => {
      const index = this.#waiting.indexOf(start);
      isHung = index < 0;
      if (isHung) this.#countHung(path, 1);
      else this.#waiting.splice(index, 1);
      result.reject(new ExplainedError(because(isHung ? 'disk_not_answering' : 'disk_busy', { path })));
    });
    this.#waiting.push(start);
    this.#next();
    return result.promise;
  }

  /** Starts waiting work up to the limit. If some work still waits, checks again later. */
  #next(): void {
    while (this.#waiting.length > 0 && this.#take()) this.#waiting.shift()?.();
    if (this.#waiting.length > 0) this.#check.schedule();
    else this.#check.cancel();
  }

  #take(): boolean {
    if (Atomics.add(this.#counts, 0, 1) >= this.#limit) {
      Atomics.sub(this.#counts, 0, 1);
      return false;
    }
    Atomics.add(this.#counts, this.#place, 1);
    return true;
  }

  #leave(): void {
    Atomics.sub(this.#counts, 0, 1);
    Atomics.sub(this.#counts, this.#place, 1);
    this.#next();
  }

  #countHung(path: string, change: number): void {
    const count = (this.#hung.get(path) ?? 0) + change;
    if (count > 0) this.#hung.set(path, count);
    else this.#hung.delete(path);
  }
}

/** Ends the operations of a thread that has ended, so that they no longer count towards the limit. */
export function releaseFileTurns(memory: SharedArrayBuffer, place: number): void {
  const counts = new Int32Array(memory);
  Atomics.sub(counts, 0, Atomics.exchange(counts, place + 1, 0));
}

/** Maximum number of concurrent reads of inputs: a quarter of the pool of the process. The rest is for the server. */
export function fileShare(): number {
  const poolSize = Number(process.env['UV_THREADPOOL_SIZE']) || 4;
  return Math.max(2, Math.floor(poolSize / 4));
}

/**
 * Waits until no file operation of this thread runs, for at most `limitMs` milliseconds. If one runs longer, its disk
 * hangs, and Node would wait for it at exit.
 * @returns true if an operation still runs
 */
export async function areFilesBusy(limitMs: number): Promise<boolean> {
  const end = performance.now() + limitMs;
  const isBusy = (): boolean => process.getActiveResourcesInfo().some((kind) => kind.startsWith('FSReq'));
  while (isBusy() && performance.now() < end) await delay(CHECK_MS);
  return isBusy();
}
