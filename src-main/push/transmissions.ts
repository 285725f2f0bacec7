import type { PushFault } from './target/push-target.ts';

/**
 * A connection that sent frames for `STEADY_MS`, or until the push ended; or attempts in a row without such a
 * connection.
 */
export interface PushTransmission {
  /** Time of the first frame, or of the first attempt if no frame was sent; epoch milliseconds. */
  readonly startedMs: number;
  /** Epoch milliseconds; null while it runs. */
  readonly endedMs: number | null;
  /** Whether a frame was sent. */
  readonly hasSent: boolean;
  readonly bytes: number;
  /** Number of attempts up to the one that sent frames. */
  readonly tries: number;
  /** Reason for the end; absent while it runs. */
  readonly end?: PushFault;
}

/** Current transmission, or the attempts to start one. */
interface CurrentTransmission {
  startedMs: number;
  hasSent: boolean;
  isSteady: boolean;
  tries: number;
  readonly bytesBefore: number;
}

/** Follows the transmissions of a push, and reports each when it runs steadily and when it has ended. */
export class Transmissions {
  readonly #report: (transmission: PushTransmission) => void;
  #current: CurrentTransmission | undefined;
  #lastFault: PushFault | undefined;

  constructor(report: (transmission: PushTransmission) => void) {
    this.#report = report;
  }

  /** Counts an attempt. @param bytes bytes that the push has sent so far, as in the other methods */
  attempt(nowMs: number, bytes: number): void {
    this.#current ??= { startedMs: nowMs, hasSent: false, isSteady: false, tries: 0, bytesBefore: bytes };
    this.#current.tries++;
  }

  /** Notes the first frame of a connection. */
  sent(nowMs: number): void {
    if (this.#current) Object.assign(this.#current, { startedMs: nowMs, hasSent: true });
  }

  /** Notes that the connection has sent frames for `STEADY_MS`. */
  steady(bytes: number): void {
    if (!this.#current || this.#current.isSteady) return;
    this.#current.isSteady = true;
    this.#emit(this.#current, bytes, null);
  }

  /** Notes a failed attempt or connection. After steady frames, the next attempt begins a new transmission. */
  failed(nowMs: number, bytes: number, fault: PushFault, isLast: boolean): void {
    this.#lastFault = fault;
    if (isLast || this.#current?.isSteady) this.ended(nowMs, bytes, fault);
  }

  /** Ends the transmission. If all attempts failed, the reason is their last fault. */
  ended(nowMs: number, bytes: number, reason: PushFault): void {
    const current = this.#current;
    const end = current && !current.hasSent ? (this.#lastFault ?? reason) : reason;
    this.#current = undefined;
    this.#lastFault = undefined;
    if (current) this.#emit(current, bytes, nowMs, end);
  }

  #emit(
    { startedMs, hasSent, tries, bytesBefore }: CurrentTransmission,
    bytes: number,
    endedMs: number | null,
    end?: PushFault,
  ): void {
    this.#report({ startedMs, endedMs, hasSent, tries, bytes: bytes - bytesBefore, ...(end ? { end } : {}) });
  }
}
