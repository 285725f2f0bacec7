import type { Clock } from '../../lib/clock.ts';

/** A block that is not as it should be. */
export interface BlockFault {
  readonly disk: string;
  /** Below the folder of the disk; empty for the disk itself. */
  readonly path: string;
  /**
   * `damaged`, `missing` in the catalog, `gone` from the disk, `different` from the catalog, `misplaced`, `unread`: the disk could not be read, or `uncopied`: it is to be on another
   * disk, and could not be copied.
   */
  readonly kind: 'damaged' | 'missing' | 'gone' | 'different' | 'misplaced' | 'unread' | 'uncopied';
  readonly detail: string;
}

/** How a job on archives does. */
export interface ArchiveJobState {
  readonly status: 'running' | 'done' | 'stopped' | 'error';
  /** Percent, 0 to 100. */
  readonly progress: number;
  /** Epoch milliseconds. */
  readonly startedMs: number;
  readonly finishedMs: number | null;
  /** Why it failed. */
  readonly error: string | null;
  /** Blocks that were looked at, or deleted, and their bytes. */
  readonly blocks: number;
  readonly bytes: number;
  /** How many faults there are, and the first of them. */
  readonly faultCount: number;
  readonly faults: readonly BlockFault[];
}

/** Faults that are named. */
const MAX_FAULTS = 1000;

/** A job on archives in the background: once at a time, with its last state. */
export class ArchiveJob {
  readonly #clock: Clock;
  readonly #work: (job: ArchiveJob) => Promise<void>;
  readonly #ended: (state: ArchiveJobState) => void;
  #state: ArchiveJobState | undefined;
  #faults: BlockFault[] = [];
  #isStopped = false;
  #turn: Promise<void> = Promise.resolve();

  /** @param work what it does; ends soon when `goesOn` says that it is to @param ended called with how it ended */
  constructor(clock: Clock, work: (job: ArchiveJob) => Promise<void>, ended: (state: ArchiveJobState) => void) {
    this.#clock = clock;
    this.#work = work;
    this.#ended = ended;
  }

  /** How it does, or did; undefined before it was started first. */
  get state(): ArchiveJobState | undefined {
    return this.#state;
  }

  /** Whether it was not stopped. */
  get goesOn(): boolean {
    return !this.#isStopped;
  }

  /** Starts it. @returns its state; undefined where it runs already */
  start(): ArchiveJobState | undefined {
    if (this.#state?.status === 'running') return undefined;
    this.#isStopped = false;
    this.#faults = [];
    const started: ArchiveJobState = {
      status: 'running',
      progress: 0,
      startedMs: this.#clock.now(),
      finishedMs: null,
      error: null,
      blocks: 0,
      bytes: 0,
      faultCount: 0,
      faults: this.#faults,
    };
    this.#state = started;
    this.#turn = this.#run();
    return started;
  }

  /** Stops it; resolves when it does nothing any more. @returns whether it ran */
  async stop(): Promise<boolean> {
    const isRunning = this.#state?.status === 'running';
    this.#isStopped = true;
    await this.#turn;
    return isRunning;
  }

  /** It is so far. @param done of 1 */
  progress(done: number): void {
    this.#change({ progress: Math.round(Math.min(1, Math.max(0, done)) * 1000) / 10 });
  }

  /** It dealt with blocks. */
  count(blocks: number, bytes: number): void {
    if (this.#state) this.#change({ blocks: this.#state.blocks + blocks, bytes: this.#state.bytes + bytes });
  }

  /** It found a fault. */
  fault(fault: BlockFault): void {
    if (this.#faults.length < MAX_FAULTS) this.#faults.push(fault);
    if (this.#state) this.#change({ faultCount: this.#state.faultCount + 1 });
  }

  async #run(): Promise<void> {
    let error: string | null = null;
    try {
      await this.#work(this);
    } catch (cause) {
      error = cause instanceof Error ? cause.message : String(cause);
    }
    const status = error !== null ? 'error' : this.#isStopped ? 'stopped' : 'done';
    const finished = { status, error, finishedMs: this.#clock.now() } as const;
    this.#change(status === 'done' ? { ...finished, progress: 100 } : finished);
    if (this.#state) this.#ended(this.#state);
  }

  #change(changed: Partial<ArchiveJobState>): void {
    if (this.#state) this.#state = { ...this.#state, ...changed };
  }
}
