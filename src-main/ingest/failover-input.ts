import type { Clock } from '../lib/clock.ts';
import type { AccessUnit } from '../media/access-unit.ts';
import type { FailoverEffect, FailoverInputEvent, InputFault, InputPhase, InputState } from './failover-state.ts';
import type { Input, InputEnd, InputSink } from './input.ts';

/** Encoder that publishes to an input. */
export interface Publisher {
  /** Address and software, for the operator. */
  readonly label: string;
  close(reason: InputEnd): void;
}

/** Receives the output of an input. */
export interface FailoverInputOwner {
  readonly clock: Clock;
  unit(input: InputState, attempt: number, unit: AccessUnit): void;
  /** Called for all other events of its connection. */
  happened(event: Exclude<FailoverInputEvent, { type: 'unit' }>): void;
  received(bytes: number): void;
}

/**
 * Time after which a connection that does not close is abandoned, in milliseconds. A read of a file may never return.
 */
const CLOSE_MS = 2000;

/**
 * One input of a stream: opens and closes its connection as `step` of `failover-step.ts` requests, and reports its state. All
 * decisions are in `step`.
 */
export class FailoverInput {
  /** State kept by `step`. */
  readonly state: Readonly<InputState>;
  readonly #owner: FailoverInputOwner;
  /** Connection and its number. */
  #input: { readonly input: Input; readonly attempt: number } | undefined;
  #publisher: Publisher | undefined;
  #publisherLeft: (() => void) | undefined;
  readonly #closing = new Set<Promise<void>>();

  constructor(state: InputState, owner: FailoverInputOwner) {
    this.state = state;
    this.#owner = owner;
  }

  get spec(): InputState['spec'] {
    return this.state.spec;
  }

  get phase(): InputPhase {
    return this.state.link.phase;
  }

  /** Epoch milliseconds of the newest frame; 0 before the first. */
  get lastUnitMs(): number {
    return this.state.lastUnitMs;
  }

  /** Attempts to restore the input since the last frames. */
  get retryCount(): number {
    return this.state.retryCount;
  }

  /** Number of faults so far, of its bytes and its connections. */
  get errorCount(): number {
    return this.state.errorCount;
  }

  get lastFault(): InputFault | undefined {
    return this.state.lastFault;
  }

  get publisher(): Publisher | undefined {
    return this.#publisher;
  }

  /**
   * Accepts a publisher after the previous one was released. Calls `left` when the publisher leaves. Returns the sink for its
   * frames.
   */
  take(publisher: Publisher, left: () => void): InputSink {
    this.#publisher = publisher;
    this.#publisherLeft = left;
    return this.#sinkOf(this.state.attempt);
  }

  /** Executes an effect of `step`. */
  carryOut(effect: Extract<FailoverEffect, { readonly input: InputState }>): void {
    switch (effect.type) {
      case 'open':
        this.#open(effect.attempt);
        return;
      case 'disconnect':
        if (this.#input?.attempt === effect.attempt) this.#disconnect();
        return;
      case 'release': {
        const publisher = this.#publisher;
        const left = this.#publisherLeft;
        this.#publisher = undefined;
        this.#publisherLeft = undefined;
        if (effect.isGone) left?.();
        if (effect.end) publisher?.close(effect.end);
        return;
      }
      default:
        effect satisfies never;
    }
  }

  /** Resolves when all connections are closed. */
  async closed(): Promise<void> {
    await Promise.all(this.#closing);
  }

  #open(attempt: number): void {
    const { state } = this;
    const { make } = state.spec;
    if (!make || attempt !== state.attempt) return;
    // A step inside another one may open the input before the `disconnect` of the outer step is executed.
    this.#disconnect();
    try {
      const input = make(this.#sinkOf(attempt));
      if (attempt === this.#attempt) {
        this.#input = { input, attempt };
        input.start();
      } else this.#release(input);
    } catch (error) {
      this.#owner.happened({ type: 'ended', input: state, attempt, end: asInputEnd(error) });
    }
  }

  /** Number of the current attempt. It may change during `make`, because an input can end while it is created. */
  get #attempt(): number {
    return this.state.attempt;
  }

  #sinkOf(attempt: number): InputSink {
    const owner = this.#owner;
    const input = this.state;
    return {
      problem: (problem) => {
        owner.happened({ type: 'problem', input, attempt, problem });
      },
      tracks: (tracks) => {
        owner.happened({ type: 'tracks', input, attempt, tracks });
      },
      accessUnit: (unit) => {
        owner.unit(input, attempt, unit);
      },
      splice: (message) => {
        owner.happened({ type: 'splice', input, attempt, message });
      },
      received: (bytes) => {
        owner.received(bytes);
      },
      ended: (end) => {
        owner.happened({ type: 'ended', input, attempt, end });
      },
    };
  }

  #disconnect(): void {
    const connection = this.#input;
    this.#input = undefined;
    if (connection) this.#release(connection.input);
  }

  #release(input: Input): void {
    const { promise, resolve } = Promise.withResolvers<void>();
    const cancel = this.#owner.clock.after(CLOSE_MS, resolve);
    const closing = Promise.race([input.close(), promise]).finally(() => {
      cancel();
      this.#closing.delete(closing);
    });
    this.#closing.add(closing);
  }
}

/** Converts an error of an attempt to an `InputEnd`; returns an `InputEnd` unchanged. */
export function asInputEnd(error: unknown): InputEnd {
  if (typeof error === 'object' && error !== null && 'code' in error && 'detail' in error) {
    return error as InputEnd;
  }
  return { code: 'input_unreachable', detail: error instanceof Error ? error.message : String(error) };
}
