import type { Clock } from '../lib/clock.ts';
import type { AccessUnit } from '../media/access-unit.ts';
import type { FailoverEffect, FailoverInputEvent, InputFault, InputPhase, InputState } from './failover-state.ts';
import type { Input, InputEnd, InputSink } from './input.ts';

/** Gives the frames of an input that waits for them. */
export interface Publisher {
  /** Address and software, for the operator. */
  readonly label: string;
  close(reason: InputEnd): void;
}

/** Receives what an input brings. */
export interface FailoverInputOwner {
  readonly clock: Clock;
  unit(input: InputState, attempt: number, unit: AccessUnit): void;
  /** Hears everything else that its connection brings. */
  happened(event: Exclude<FailoverInputEvent, { type: 'unit' }>): void;
  received(bytes: number): void;
}

/** A connection that is not closed after this long is left behind, in milliseconds: a read of a file may never come back. */
const CLOSE_MS = 2000;

/** One input of a stream: its connection, made and closed as `step` says, and how well it does. It decides nothing. */
export class FailoverInput {
  /** What `step` knows of it. */
  readonly state: Readonly<InputState>;
  readonly #owner: FailoverInputOwner;
  /** The connection, and its number. */
  #input: { readonly input: Input; readonly attempt: number } | undefined;
  #publisher: Publisher | undefined;
  #publisherGone: (() => void) | undefined;
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

  /** Attempts to get the input back since frames last came. */
  get retryCount(): number {
    return this.state.retryCount;
  }

  /** Faults so far, in its bytes and of its connections. */
  get errorCount(): number {
    return this.state.errorCount;
  }

  get lastFault(): InputFault | undefined {
    return this.state.lastFault;
  }

  get publisher(): Publisher | undefined {
    return this.#publisher;
  }

  /** Takes a publisher; the one before it was released. `gone` hears when it left. Returns where its frames go. */
  take(publisher: Publisher, gone: () => void): InputSink {
    this.#publisher = publisher;
    this.#publisherGone = gone;
    return this.#sinkOf(this.state.attempt);
  }

  /** Carries out what `step` asks for. */
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
        const gone = this.#publisherGone;
        this.#publisher = undefined;
        this.#publisherGone = undefined;
        if (effect.isGone) gone?.();
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
    // What it is asked to close may still be asked for, where one step has led to the next.
    this.#disconnect();
    try {
      const input = make(this.#sinkOf(attempt));
      if (attempt === this.#attempt) {
        this.#input = { input, attempt };
        input.start();
      } else this.#letGo(input);
    } catch (error) {
      this.#owner.happened({ type: 'ended', input: state, attempt, end: asInputEnd(error) });
    }
  }

  /** Number of the connection, read anew: making one may end it. */
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
    if (connection) this.#letGo(connection.input);
  }

  #letGo(input: Input): void {
    const { promise, resolve } = Promise.withResolvers<void>();
    const cancel = this.#owner.clock.after(CLOSE_MS, resolve);
    const closing = Promise.race([input.close(), promise]).finally(() => {
      cancel();
      this.#closing.delete(closing);
    });
    this.#closing.add(closing);
  }
}

/** How a failed attempt is reported that threw something else than an `InputEnd`. */
function asInputEnd(error: unknown): InputEnd {
  if (typeof error === 'object' && error !== null && 'code' in error && 'detail' in error) {
    return { code: String(error.code), detail: String(error.detail) };
  }
  return { code: 'input_unreachable', detail: error instanceof Error ? error.message : String(error) };
}
