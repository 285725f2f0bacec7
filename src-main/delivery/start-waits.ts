import type { Exchange } from './exchange.ts';
import { errorReply } from './media-error.ts';
import type { StreamOutput } from './stream-output.ts';

/** Maximum time that a request waits for a starting stream, in milliseconds. */
const START_WAIT_MS = 10_000;
/** Maximum number of waiting requests, per stream and in total. */
const MAX_OF_STREAM = 2000;
const MAX_OF_ALL = 8000;

/** A waiting request. */
export interface StartWait {
  /** Whether the wait is over: the stream has the needed media, or cannot get it any more. */
  readonly isOver: () => boolean;
  /** Epoch milliseconds. */
  readonly nowMs: number;
  /** Answers the request when the wait is over. */
  readonly reply: () => void;
}

/** Requests for starting streams: they wait until there is media to play, for a limited time and up to a limited number. */
export class StartWaits {
  #count = 0;

  /** Number of waiting requests. */
  get count(): number {
    return this.#count;
  }

  /** Lets an authorized request wait. Above the limit it is refused, so that the player tries again. */
  wait(exchange: Exchange, output: StreamOutput, { isOver, nowMs, reply }: StartWait): void {
    const { name } = output;
    if (this.#count >= MAX_OF_ALL || output.waitCount >= MAX_OF_STREAM) {
      exchange.reply(errorReply('unavailable', `Too many viewers wait for ${name} to start`));
      return;
    }
    this.#count++;
    let isWaiting = true;
    const release = (): void => {
      if (isWaiting) this.#count--;
      isWaiting = false;
    };
    const giveUp = output.wait(isOver, nowMs + START_WAIT_MS, (isInTime) => {
      release();
      if (isInTime) reply();
      else exchange.reply(errorReply('blocking_timeout', `${name} did not start in ${START_WAIT_MS / 1000} s`));
    });
    exchange.onClose(() => {
      release();
      giveUp();
    });
  }
}
