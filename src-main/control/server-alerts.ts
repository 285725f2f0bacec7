import { constants } from 'node:fs';
import { access, statfs } from 'node:fs/promises';
import type { Fault } from '../../src-preload/contract/api/alarm-faults.ts';
import type { Clock } from '../lib/clock.ts';
import type { Configuration } from '../configuration/configuration.ts';
import { messageOf } from '../lib/error-message.ts';
import { every } from '../lib/timers.ts';

/** Measures a disk. */
export interface DiskPort {
  readonly access: (path: string, mode: number) => Promise<void>;
  readonly statfs: (
    path: string,
  ) => Promise<{ readonly bavail: number; readonly bsize: number; readonly blocks: number }>;
}

/** Free and total space of a folder's disk. */
export interface DiskSpace {
  readonly folder: string;
  readonly freeBytes: number;
  readonly totalBytes: number;
}

/** Interval between two checks of the disk, in milliseconds. */
const CHECK_MS = 30_000;
/**
 * Minimum number of free bytes; below it, a disk counts as full. A configuration, its history and some events would still fit.
 */
const MIN_FREE_BYTES = 64 * 1024 * 1024;

/**
 * Monitors the disk of a folder: whether it is writable and has free space. While a request to a hanging disk waits, no second
 * request is sent.
 */
export class DiskWatch {
  readonly #folder: string;
  readonly #clock: Clock;
  readonly #port: DiskPort;
  #stop: (() => void) | undefined;
  #fault: Fault | null = null;
  #space: DiskSpace | null = null;

  constructor(folder: string, clock: Clock, port: DiskPort = { access, statfs }) {
    this.#folder = folder;
    this.#clock = clock;
    this.#port = port;
  }

  /** Fault of the disk; null while it works. */
  get fault(): Fault | null {
    return this.#fault;
  }

  /** Free and total space at the last check; null if it could not be measured. */
  get space(): DiskSpace | null {
    return this.#space;
  }

  /** Checks now, and every 30 seconds from now on. Resolves after the first check. */
  start(): Promise<void> {
    const check = async (): Promise<void> => {
      this.#fault = await this.#check();
    };
    const first = check();
    this.#stop = every(this.#clock, CHECK_MS, check, first);
    return first;
  }

  close(): void {
    this.#stop?.();
  }

  async #check(): Promise<Fault | null> {
    this.#space = null;
    try {
      await this.#port.access(this.#folder, constants.W_OK);
      const { bavail, bsize, blocks } = await this.#port.statfs(this.#folder);
      const free = bavail * bsize;
      this.#space = { folder: this.#folder, freeBytes: free, totalBytes: blocks * bsize };
      return free < MIN_FREE_BYTES ? { fault: 'disk_full', facts: { free_mib: Math.floor(free / 1024 / 1024) } } : null;
    } catch (cause) {
      return { fault: 'disk_unwritable', facts: { explanation: messageOf(cause) } };
    }
  }
}

/** Alerts about faults of the server itself, which no stream shows and which need an operator; by subject. */
export function serverAlerts(facts: {
  readonly configuration: Pick<Configuration, 'error'> | undefined;
  readonly disk: Fault | null;
  readonly database: string | null;
  readonly history: string | null;
}): Record<string, Fault> {
  const { configuration, disk, database, history } = facts;
  const error = configuration?.error ?? null;
  return {
    ...(error === null ? {} : { configuration: because('config_unreadable', error) }),
    ...(disk === null ? {} : { disk }),
    ...(database === null ? {} : { database: because('database_closed', database) }),
    ...(history === null ? {} : { history: because('history_not_kept', history) }),
  };
}

function because(fault: 'config_unreadable' | 'database_closed' | 'history_not_kept', reason: string): Fault {
  return { fault, facts: { explanation: reason } };
}
