import type { Explained } from '../../../src-preload/contract/explanations/explanations.ts';
import type { Transferable } from 'node:worker_threads';
import type { Clock } from '../clock.ts';
import { messageOf } from '../error-message.ts';

/** Reason why a call has no answer or a feed ended. The code is in the error catalogue of the contract. */
export interface ChannelEnd extends Explained {
  readonly code: string;
}

/** A call on the side that answers it. */
export interface Call<Answer> {
  /** Aborted when the caller no longer waits: the call was cancelled or has timed out, or the other side has exited. */
  readonly signal: AbortSignal;
  /**
   * Sends the answer; only the first one counts.
   * @param transfer objects to transfer instead of copying
   */
  answer(value: Answer, transfer?: readonly Transferable[]): void;
}

export interface CallOptions {
  /** Timeout in milliseconds, after which the call rejects with `media_thread_timeout`. Default: no timeout. */
  readonly timeoutMs?: number;
  /** Cancels the call, which rejects with the reason of the signal. */
  readonly signal?: AbortSignal;
  /** True if a cancelled call settles only with its answer, which arrives when the work has really ended. Default false. */
  readonly isEndAwaited?: boolean;
  /** Objects of the request to transfer instead of copying. */
  readonly transfer?: readonly Transferable[];
}

/** Error of a call that was not answered. `code` is in the error catalogue. */
export class CallError extends Error {
  readonly code: string;

  constructor({ code, detail }: ChannelEnd) {
    super(detail);
    this.code = code;
  }
}

/** Messages of calls. The side that asks numbers the calls. */
export type CallMessage =
  | readonly [kind: 'ask', call: number, name: string, request: unknown]
  | readonly [kind: 'cancel', call: number, isEndAwaited: boolean]
  | readonly [kind: 'answer', call: number, answer: unknown]
  | readonly [kind: 'refuse', call: number, end: ChannelEnd];

/** Functions that calls need from their channel. */
export interface CallPort {
  readonly clock: Clock;
  post(message: CallMessage, transfer?: readonly Transferable[]): void;
  /** Removes a request that waits to be sent; returns false if the request has already been sent. */
  unsend(call: number): boolean;
  /** Handles a request. Any error refuses the call. */
  handle(name: string, request: unknown, call: Call<unknown>): void | Promise<void>;
}

interface PendingCall {
  answered(value: unknown): void;
  refused(error: Error): void;
}

/**
 * Calls of a channel in both directions. Each settles once: by its answer, its timeout, its cancellation, or the end of
 * the channel.
 */
export class Calls {
  readonly #port: CallPort;
  readonly #pending = new Map<number, PendingCall>();
  readonly #answering = new Map<number, AbortController>();
  #last = 0;

  constructor(port: CallPort) {
    this.#port = port;
  }

  /** Number of open calls of both sides. */
  get openCount(): number {
    return this.#pending.size + this.#answering.size;
  }

  call(name: string, request: unknown, { signal, timeoutMs, isEndAwaited, transfer }: CallOptions): Promise<unknown> {
    // Callers abort a signal with an error; the type of its reason does not show that.
    if (signal?.aborted) return Promise.reject(signal.reason as Error);
    const call = ++this.#last;
    const { promise, resolve, reject } = Promise.withResolvers<unknown>();
    const giveUp = (error: Error): void => {
      if (!this.#port.unsend(call)) this.#port.post(['cancel', call, false]);
      refused(error);
    };
    const cancel = (): void => {
      if (isEndAwaited) this.#port.post(['cancel', call, true]);
      else giveUp(signal?.reason as Error);
    };
    const late = (): void => {
      giveUp(new CallError({ code: 'media_thread_timeout', detail: `${name}: no answer within ${timeoutMs} ms` }));
    };
    const stopTimer = timeoutMs === undefined ? undefined : this.#port.clock.after(timeoutMs, late);
    signal?.addEventListener('abort', cancel);
    const settled = (): void => {
      this.#pending.delete(call);
      signal?.removeEventListener('abort', cancel);
      stopTimer?.();
    };
    const refused = (error: Error): void => {
      settled();
      reject(error);
    };
    const answered = (answer: unknown): void => {
      settled();
      resolve(answer);
    };
    this.#pending.set(call, { answered, refused });
    try {
      this.#port.post(['ask', call, name, request], transfer);
    } catch (error) {
      // The request cannot be cloned.
      refused(error instanceof Error ? error : new Error(messageOf(error)));
    }
    return promise;
  }

  take(message: CallMessage): void {
    const [kind, call] = message;
    if (kind === 'answer') this.#pending.get(call)?.answered(message[2]);
    else if (kind === 'refuse') this.#pending.get(call)?.refused(new CallError(message[2]));
    else if (kind === 'ask') void this.#answer(call, message[2], message[3]);
    else {
      const answering = this.#answering.get(call);
      if (!message[2]) this.#answering.delete(call);
      answering?.abort();
    }
  }

  /** Ends all calls, because the other side has exited. */
  close(end: ChannelEnd): void {
    const answering = [...this.#answering.values()];
    this.#answering.clear();
    for (const { refused } of [...this.#pending.values()]) refused(new CallError(end));
    for (const abort of answering) abort.abort();
  }

  async #answer(call: number, name: string, request: unknown): Promise<void> {
    const abort = new AbortController();
    this.#answering.set(call, abort);
    const reply = (message: CallMessage, transfer?: readonly Transferable[]): void => {
      // Numbers are never reused, so an entry belongs to this call.
      if (!this.#answering.has(call)) return;
      this.#port.post(message, transfer);
      this.#answering.delete(call);
    };
    const refuse = (error: unknown): void => {
      const code =
        error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : 'internal';
      reply(['refuse', call, { code, detail: messageOf(error) }]);
    };
    const answer = (value: unknown, transfer?: readonly Transferable[]): void => {
      try {
        reply(['answer', call, value], transfer);
      } catch (error) {
        // The answer cannot be cloned.
        refuse(error);
      }
    };
    try {
      await this.#port.handle(name, request, { signal: abort.signal, answer });
    } catch (error) {
      refuse(error);
    }
  }
}
