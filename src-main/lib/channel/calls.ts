import type { Transferable } from 'node:worker_threads';
import type { Clock } from '../clock.ts';
import { messageOf } from '../error-message.ts';

/** Why a call has no answer, or a feed ended. The code stands in the error catalogue of the contract. */
export interface ChannelEnd {
  readonly code: string;
  /** What happened, in words, for the operator. */
  readonly detail: string;
}

/** A call that waits for its answer, where it is answered. */
export interface Call<Answer> {
  /** Aborted when the answer is not waited for any more: cancelled, too late, or the other side is gone. */
  readonly signal: AbortSignal;
  /** Answers; the first answer counts. @param transfer what of it is handed over, not copied */
  answer(value: Answer, transfer?: readonly Transferable[]): void;
}

/** How a call is made. */
export interface CallOptions {
  /** Rejects with `media_thread_timeout` after so many milliseconds; default: it waits for as long as the channel is open. */
  readonly timeoutMs?: number;
  /** Cancels it: rejects with the reason of the signal. */
  readonly signal?: AbortSignal;
  /** Whether a call that is cancelled still waits for its answer: for what has to come to its end first. Default false. */
  readonly isEndAwaited?: boolean;
  /** What of the question is handed over, not copied. */
  readonly transfer?: readonly Transferable[];
}

/** Why a call has no answer; `code` stands in the error catalogue. */
export class CallError extends Error {
  readonly code: string;

  constructor({ code, detail }: ChannelEnd) {
    super(detail);
    this.code = code;
  }
}

/** What goes through the pipe for calls. Each is numbered by the side that asks. */
export type CallMessage =
  | readonly [kind: 'ask', call: number, name: string, question: unknown]
  | readonly [kind: 'cancel', call: number, isEndAwaited: boolean]
  | readonly [kind: 'answer', call: number, answer: unknown]
  | readonly [kind: 'refuse', call: number, end: ChannelEnd];

/** What calls need from their channel. */
export interface CallPort {
  readonly clock: Clock;
  post(message: CallMessage, transfer?: readonly Transferable[]): void;
  /** Takes back a question that was not sent yet; returns whether it was there. */
  unsend(call: number): boolean;
  /** Has a question answered. Whatever is raised refuses it. */
  handle(name: string, question: unknown, call: Call<unknown>): void | Promise<void>;
}

interface Asked {
  answered(value: unknown): void;
  refused(error: Error): void;
}

/** The calls of a channel, in both directions. Each settles once: by its answer, its time-out, its cancellation, or the end of the channel. */
export class Calls {
  readonly #port: CallPort;
  readonly #asked = new Map<number, Asked>();
  readonly #answering = new Map<number, AbortController>();
  #last = 0;

  constructor(port: CallPort) {
    this.#port = port;
  }

  /** Calls that wait for an answer, of both sides. */
  get openCount(): number {
    return this.#asked.size + this.#answering.size;
  }

  /** Asks the other side. */
  ask(name: string, question: unknown, { signal, timeoutMs, isEndAwaited, transfer }: CallOptions): Promise<unknown> {
    // The reason of a signal is an error unless its owner chose otherwise.
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
      this.#asked.delete(call);
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
    this.#asked.set(call, { answered, refused });
    try {
      this.#port.post(['ask', call, name, question], transfer);
    } catch (error) {
      // What cannot be copied to another thread.
      refused(error instanceof Error ? error : new Error(messageOf(error)));
    }
    return promise;
  }

  take(message: CallMessage): void {
    const [kind, call] = message;
    if (kind === 'answer') this.#asked.get(call)?.answered(message[2]);
    else if (kind === 'refuse') this.#asked.get(call)?.refused(new CallError(message[2]));
    else if (kind === 'ask') void this.#answer(call, message[2], message[3]);
    else {
      const answering = this.#answering.get(call);
      if (!message[2]) this.#answering.delete(call);
      answering?.abort();
    }
  }

  /** Nothing comes from the other side any more. */
  close(end: ChannelEnd): void {
    const answering = [...this.#answering.values()];
    this.#answering.clear();
    for (const { refused } of [...this.#asked.values()]) refused(new CallError(end));
    for (const abort of answering) abort.abort();
  }

  async #answer(call: number, name: string, question: unknown): Promise<void> {
    const abort = new AbortController();
    this.#answering.set(call, abort);
    const reply = (message: CallMessage, transfer?: readonly Transferable[]): void => {
      // Numbers are never used twice, so what is there is this call.
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
        // What cannot be copied to another thread.
        refuse(error);
      }
    };
    try {
      await this.#port.handle(name, question, { signal: abort.signal, answer });
    } catch (error) {
      refuse(error);
    }
  }
}
