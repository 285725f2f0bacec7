import { BackOff } from '../lib/back-off.ts';
import type { Clock } from '../lib/clock.ts';
import type { AccessUnit, FormatProblem, SpliceMessage } from '../media/access-unit.ts';
import type { Track } from '../media/track.ts';
import type { Input, InputEnd, InputSink } from './input.ts';

/** What a supervised input does at the moment. */
export type SupervisorPhase = 'opening' | 'running' | 'error';

/** How an input is kept alive. */
export interface SupervisorOptions {
  readonly clock: Clock;
  /** Makes the input anew for each attempt. May throw an `InputEnd` for an address that can never work. */
  readonly make: (sink: InputSink) => Input;
  /** Receives what the input finds. */
  readonly sink: Pick<InputSink, 'tracks' | 'accessUnit' | 'splice' | 'problem' | 'received'>;
  /** Without a frame for this long the input is closed and opened again, in milliseconds. */
  readonly sourceTimeoutMs: number;
  /** Hears when the frames stop: the input ended, timed out or was closed. */
  readonly lost: (end: InputEnd) => void;
  readonly backOff?: BackOff;
}

const WATCH_MS = 500;

/**
 * Keeps one input open: watches that frames come, closes what stands still, and opens it again after a wait that grows
 * from failure to failure.
 */
export class InputSupervisor {
  phase: SupervisorPhase = 'opening';
  /** Attempts to get the input back since frames last came. */
  retryCount = 0;
  readonly #options: SupervisorOptions;
  readonly #backOff: BackOff;
  #input: Input | undefined;
  #attempt = 0;
  #lastUnitMs = 0;
  #cancelTimer: (() => void) | undefined;
  #isClosed = false;
  /** Inputs that are still closing. */
  readonly #closing = new Set<Promise<void>>();

  constructor(options: SupervisorOptions) {
    this.#options = options;
    this.#backOff = options.backOff ?? new BackOff();
  }

  start(): void {
    this.#open();
  }

  /** Resolves when the input and all its forerunners are closed. */
  async close(): Promise<void> {
    this.#isClosed = true;
    this.#cancelTimer?.();
    this.#drop();
    await Promise.all(this.#closing);
  }

  #open(): void {
    if (this.#isClosed) return;
    this.phase = 'opening';
    this.#lastUnitMs = this.#options.clock.now();
    const attempt = ++this.#attempt;
    try {
      this.#input = this.#options.make(this.#sinkOf(attempt));
      this.#input.start();
    } catch (error) {
      this.#failed(asInputEnd(error));
      return;
    }
    this.#watch(attempt);
  }

  #watch(attempt: number): void {
    if (attempt !== this.#attempt || this.#isClosed) return;
    const { clock, sourceTimeoutMs } = this.#options;
    this.#cancelTimer = clock.after(WATCH_MS, () => {
      if (attempt !== this.#attempt) return;
      const quietMs = clock.now() - this.#lastUnitMs;
      if (quietMs < sourceTimeoutMs) {
        this.#watch(attempt);
        return;
      }
      this.#drop();
      this.#failed({ code: 'input_timed_out', detail: `no frame for ${Math.round(quietMs / 1000)} s` });
    });
  }

  #sinkOf(attempt: number): InputSink {
    const { sink, clock } = this.#options;
    const isCurrent = (): boolean => attempt === this.#attempt && !this.#isClosed;
    return {
      tracks: (tracks: readonly Track[]) => {
        if (isCurrent()) sink.tracks(tracks);
      },
      accessUnit: (unit: AccessUnit) => {
        if (!isCurrent()) return;
        this.#lastUnitMs = clock.now();
        if (this.phase !== 'running') {
          this.phase = 'running';
          this.retryCount = 0;
          this.#backOff.reset();
        }
        sink.accessUnit(unit);
      },
      splice: (message: SpliceMessage) => {
        if (isCurrent()) sink.splice(message);
      },
      problem: (problem: FormatProblem) => {
        if (isCurrent()) sink.problem(problem);
      },
      received: (bytes: number) => {
        sink.received(bytes);
      },
      ended: (end: InputEnd) => {
        if (!isCurrent()) return;
        this.#cancelTimer?.();
        this.#drop();
        this.#failed(end);
      },
    };
  }

  #drop(): void {
    const input = this.#input;
    this.#input = undefined;
    this.#attempt++;
    if (!input) return;
    const closing = input.close().finally(() => {
      this.#closing.delete(closing);
    });
    this.#closing.add(closing);
  }

  #failed(end: InputEnd): void {
    this.phase = 'error';
    this.#options.lost(end);
    if (this.#isClosed) return;
    this.#cancelTimer = this.#options.clock.after(this.#backOff.next(), () => {
      this.retryCount++;
      this.#open();
    });
  }
}

/** What a failed attempt is told as, when it threw something else than an `InputEnd`. */
function asInputEnd(error: unknown): InputEnd {
  if (typeof error === 'object' && error !== null && 'code' in error && 'detail' in error) {
    return { code: String(error.code), detail: String(error.detail) };
  }
  return { code: 'input_unreachable', detail: error instanceof Error ? error.message : String(error) };
}
