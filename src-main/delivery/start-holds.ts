import type { Exchange } from './exchange.ts';
import { errorReply } from './media-error.ts';
import type { StreamOutput } from './stream-output.ts';

/** How long a request is held for a stream that starts, in milliseconds. */
const START_WAIT_MS = 10_000;
/** Most requests that are held for one stream, and for all of them. */
const MOST_OF_STREAM = 2000;
const MOST_OF_ALL = 8000;

/** What a request is held for. */
export interface StartHold {
  /** Whether there is nothing to wait for any more: the stream has what is needed, or will not have it. */
  readonly isOver: () => boolean;
  /** Epoch milliseconds. */
  readonly nowMs: number;
  /** Answers the request when the wait is over. */
  readonly reply: () => void;
}

/** Requests for streams that are starting: held until there is something to play, not for long and not too many. */
export class StartHolds {
  #count = 0;

  /** Requests that are held. */
  get count(): number {
    return this.#count;
  }

  /** Holds a request whose viewer may have what it asks for. One too many is sent away, to ask again. */
  hold(exchange: Exchange, output: StreamOutput, { isOver, nowMs, reply }: StartHold): void {
    const { name } = output;
    if (this.#count >= MOST_OF_ALL || output.waitCount >= MOST_OF_STREAM) {
      exchange.reply(errorReply('unavailable', `Too many wait for ${name} to start`));
      return;
    }
    this.#count++;
    let isHeld = true;
    const release = (): void => {
      if (isHeld) this.#count--;
      isHeld = false;
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
