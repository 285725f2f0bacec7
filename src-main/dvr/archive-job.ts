import type { Clock } from '../lib/clock.ts';

/** Fault of a block. */
export interface BlockFault {
  readonly disk: string;
  /** Path below the folder of the disk; empty for the disk itself. */
  readonly path: string;
  /**
   * `damaged`; `missing` from the catalog; `gone` from the disk; `different` from the catalog; `misplaced`; `unread`:
   * the disk could not be read; `uncopied`: a required copy on another disk could not be made.
   */
  readonly kind: 'damaged' | 'missing' | 'gone' | 'different' | 'misplaced' | 'unread' | 'uncopied';
  readonly detail: string;
}

/** State of a job on archives. */
export interface ArchiveJobState {
  readonly status: 'running' | 'done' | 'stopped' | 'error';
  /** Percent, 0 to 100. */
  readonly progress: number;
  /** Epoch milliseconds. */
  readonly startedMs: number;
  readonly finishedMs: number | null;
  /** Reason for failure. */
  readonly error: string | null;
  /** Blocks processed or deleted, and their bytes. */
  readonly blocks: number;
  readonly bytes: number;
  /** Number of faults, and the first ones. */
  readonly faultCount: number;
  readonly faults: readonly BlockFault[];
}

/** Maximum number of listed faults. */
const MAX_FAULTS = 1000;

/** Background job on archives: at most one run at a time. Its last state stays available. */
export class ArchiveJob {
  readonly #clock: Clock;
  readonly #work: (job: ArchiveJob) => Promise<void>;
  readonly #ended: (state: ArchiveJobState) => void;
  #state: ArchiveJobState | undefined;
  #faults: BlockFault[] = [];
  #isStopped = false;
  #turn: Promise<void> = Promise.resolve();

  /** @param work the work; must end soon when `isRunning` becomes false @param ended called with the result */
  constructor(clock: Clock, work: (job: ArchiveJob) => Promise<void>, ended: (state: ArchiveJobState) => void) {
    this.#clock = clock;
    this.#work = work;
    this.#ended = ended;
  }

  /** Current or last state; undefined before the first start. */
  get state(): ArchiveJobState | undefined {
    return this.#state;
  }

  /** False after the job was stopped. Its work checks this and ends soon. */
  get isRunning(): boolean {
    return !this.#isStopped;
  }

  /** Starts the job. @returns its state; undefined if it is running already */
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

  /** Stops the job; resolves when it has ended. @returns whether it was running */
  async stop(): Promise<boolean> {
    const isRunning = this.#state?.status === 'running';
    this.#isStopped = true;
    await this.#turn;
    return isRunning;
  }

  /** Reports progress. @param done fraction, 0 to 1 */
  progress(done: number): void {
    this.#change({ progress: Math.round(Math.min(1, Math.max(0, done)) * 1000) / 10 });
  }

  /** Reports processed blocks. */
  count(blocks: number, bytes: number): void {
    if (this.#state) this.#change({ blocks: this.#state.blocks + blocks, bytes: this.#state.bytes + bytes });
  }

  /** Reports a fault. */
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
