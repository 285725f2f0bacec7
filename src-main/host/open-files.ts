import { readdir, readFile } from 'node:fs/promises';
import { silentEvents, type EventEmitter } from '../events/event-bus.ts';
import type { Clock } from '../lib/clock.ts';
import type { Log } from '../lib/log.ts';
import { every } from '../lib/timers.ts';

/** Access to the counters of the operating system. */
export interface OpenFilesPort {
  /** Number of open files and connections of this process. */
  readonly count: () => Promise<number>;
  /** Maximum number; Infinity without a limit. */
  readonly limit: () => Promise<number>;
}

/** Open files and connections of this process. */
export interface OpenFiles {
  /** Number of open files and connections. */
  readonly count: number;
  /** Maximum number; Infinity without a limit. */
  readonly limit: number;
}

export interface OpenFilesOptions {
  readonly clock: Clock;
  readonly log: Log;
  /** Receives `open_files_exhausted` and `open_files_restored`; default: no events. */
  readonly events?: EventEmitter;
  /** Called with the figures of each check. */
  readonly measured?: (files: OpenFiles) => void;
  /** Default: this system. */
  readonly port?: OpenFilesPort;
}

/** Interval of checks, in milliseconds. */
const CHECK_MS = 5000;
/** Share of the limit at which the handles count as exhausted. */
const FULL_FROM = 0.9;

/**
 * Watches the number of open files and connections of this process. At the limit the system drops connections before
 * they reach the server (EMFILE), so they can be noticed only by this number.
 */
export class OpenFilesWatch {
  readonly #port: OpenFilesPort;
  readonly #clock: Clock;
  readonly #log: Log;
  readonly #events: EventEmitter;
  readonly #measured: ((files: OpenFiles) => void) | undefined;
  #stop: (() => void) | undefined;
  #isClosed = false;
  #fault: string | null = null;
  #figures: OpenFiles | undefined;

  constructor(options: OpenFilesOptions) {
    this.#events = options.events ?? silentEvents;
    this.#measured = options.measured;
    this.#clock = options.clock;
    this.#log = options.log;
    this.#port = options.port ?? SYSTEM;
  }

  /** Description of the fault; null while there are enough handles. */
  get fault(): string | null {
    return this.#fault;
  }

  /** Figures of the last check; undefined if the system does not report them. */
  get figures(): OpenFiles | undefined {
    return this.#figures;
  }

  /** Checks now and every five seconds. Resolves after the first check. */
  async start(): Promise<void> {
    // Only Linux reports the figures.
    const isKnown = await this.#check();
    if (isKnown && !this.#isClosed) this.#stop = every(this.#clock, CHECK_MS, () => this.#check());
  }

  close(): void {
    this.#isClosed = true;
    this.#stop?.();
  }

  /** @returns false if the system reports no counters */
  async #check(): Promise<boolean> {
    try {
      const [count, limit] = await Promise.all([this.#port.count(), this.#port.limit()]);
      this.#figures = { count, limit };
      this.#measured?.(this.#figures);
      const isFull = count >= limit * FULL_FROM;
      this.#set(isFull ? `${count} of ${limit} files and connections are open` : null, { count, limit });
    } catch (error) {
      // Reading the counters needs a file handle itself.
      if (!isExhausted(error)) return false;
      this.#set('no file handle is left', { count: null, limit: this.#figures?.limit ?? null });
    }
    return true;
  }

  #set(fault: string | null, figures: { readonly count: number | null; readonly limit: number | null }): void {
    const before = this.#fault;
    this.#fault = fault && `${fault}, and new ones are dropped: raise the limit (ulimit -n, LimitNOFILE)`;
    if (this.#fault !== null && before === null) {
      this.#log.error(this.#fault, { event: 'open_files_exhausted', ...figures });
      this.#events.emit('open_files_exhausted', figures);
    } else if (fault === null && before !== null) {
      this.#log.info('file handles are available again', { event: 'open_files_restored', ...figures });
      this.#events.emit('open_files_restored', figures);
    }
  }
}

function isExhausted(error: unknown): boolean {
  return error instanceof Error && 'code' in error && (error.code === 'EMFILE' || error.code === 'ENFILE');
}

/** Linux reports both under `/proc/self`. */
const SYSTEM: OpenFilesPort = {
  count: async () => (await readdir('/proc/self/fd')).length,
  limit: async () => {
    const limits = await readFile('/proc/self/limits', 'utf8');
    const soft = /^Max open files\s+(\d+)/m.exec(limits)?.[1];
    return soft === undefined ? Infinity : Number(soft);
  },
};
