import { Worker } from 'node:worker_threads';
import { Channel, type MessagePipe, type Silence } from '../../lib/channel/channel.ts';
import { localPipes, portPipe } from '../../lib/channel/message-pipe.ts';
import type { Clock } from '../../lib/clock.ts';
import { messageOf } from '../../lib/error-message.ts';
import { IndexThread } from './index-thread.ts';
import type { IndexThreadStart, ToIndexThread } from './messages.ts';

export interface OneThreadOptions {
  readonly clock: Clock;
  /** Entry of the thread; default: everything runs in the calling thread, for tests. */
  readonly threadEntry?: URL;
  /** Whether viewers wait for indexes: the thread then runs at normal priority and never ends when unused. Default: false. */
  readonly isPrompt?: boolean;
}

/** Maximum memory for JavaScript objects of a thread, in MiB: exceeding it ends the thread, not the process. */
const HEAP_MB = 512;
/** An unused thread ends after this time, in milliseconds. */
const IDLE_MS = 10_000;
/** Time to finish writing indexes at shutdown, in milliseconds. */
const SETTLE_MS = 2000;

/** Code of a call whose thread was ended because it did not answer in time. */
export const THREAD_LATE = 'index_thread_late';
/** Code of a call whose thread has ended. */
export const THREAD_ENDED = 'index_thread_gone';

interface Launched {
  readonly channel: Channel<ToIndexThread, Silence>;
  /** Ends the thread at once; its calls are rejected with `code`. */
  end(code: string, detail: string): void;
}

/** Thread that starts with the first call, and again with the first call after its end. */
export class OneThread {
  readonly #options: OneThreadOptions;
  readonly #start: IndexThreadStart;
  #launched: Launched | undefined;
  #calls = 0;
  #cancelIdle: () => void = () => undefined;

  constructor(options: OneThreadOptions, start: IndexThreadStart) {
    this.#options = options;
    this.#start = start;
  }

  /**
   * Calls the thread. Rejects with `THREAD_LATE`, `THREAD_ENDED`, or the error of the thread.
   *
   * @param signal aborted when the answer is not needed any more: the thread ends its work, and the answer is a refusal
   */
  async call<Name extends keyof ToIndexThread['calls']>(
    name: Name,
    question: ToIndexThread['calls'][Name][0],
    timeoutMs: number,
    signal?: AbortSignal,
  ): Promise<ToIndexThread['calls'][Name][1]> {
    signal?.throwIfAborted();
    const { clock } = this.#options;
    this.#cancelIdle();
    const launched = (this.#launched ??= this.#launch());
    this.#calls++;
    // Waits for the end of a cancelled call, because the thread is busy until then.
    const answer = launched.channel.call(name, question, signal ? { signal, isEndAwaited: true } : {});
    const cancel = clock.after(timeoutMs, () => {
      launched.end(THREAD_LATE, `no answer within ${timeoutMs} ms`);
    });
    try {
      return await answer;
    } finally {
      cancel();
      if (--this.#calls === 0 && this.#options.isPrompt !== true)
        this.#cancelIdle = clock.after(IDLE_MS, () => {
          this.#launched?.end(THREAD_ENDED, 'the thread was not needed');
        });
    }
  }

  async close(): Promise<void> {
    if (this.#launched) await this.call('settle', undefined, SETTLE_MS).catch(() => undefined);
    this.#cancelIdle();
    this.#launched?.end(THREAD_ENDED, 'the server stops');
  }

  #launch(): Launched {
    const { clock, threadEntry } = this.#options;
    const channel = new Channel<ToIndexThread, Silence>(clock, { calls: {}, feeds: {}, subscriptions: {}, events: {} });
    const launched: Launched = {
      channel,
      end: (code, detail) => {
        if (this.#launched === launched) this.#launched = undefined;
        channel.close({ code, detail });
        kill();
      },
    };
    const ended = (reason: string): void => {
      launched.end(THREAD_ENDED, reason);
    };
    const { pipe, kill } = threadEntry ? startWorker(threadEntry, this.#start, ended) : startHere(clock, this.#start);
    channel.attach(pipe);
    return launched;
  }
}

function startWorker(
  entry: URL,
  workerData: IndexThreadStart,
  ended: (reason: string) => void,
): { pipe: MessagePipe; kill: () => void } {
  const worker = new Worker(entry, {
    name: 'index',
    workerData,
    resourceLimits: { maxOldGenerationSizeMb: HEAP_MB },
  });
  worker.on('error', (error) => {
    ended(messageOf(error));
  });
  worker.on('exit', (code) => {
    ended(`it ended with code ${code}`);
  });
  return { pipe: portPipe(worker), kill: () => void worker.terminate() };
}

function startHere(clock: Clock, start: IndexThreadStart): { pipe: MessagePipe; kill: () => void } {
  const { server, worker } = localPipes();
  const thread = new IndexThread(worker, clock, start);
  return {
    pipe: server,
    kill() {
      thread.close();
      server.close();
      worker.close();
    },
  };
}
