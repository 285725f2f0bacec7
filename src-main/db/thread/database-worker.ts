import { Worker } from 'node:worker_threads';
import { AirdeskError } from '../../../src-preload/contract/errors.ts';
import { BackOff } from '../../lib/back-off.ts';
import { Channel, type MessagePipe } from '../../lib/channel/channel.ts';
import { localPipes, portPipe } from '../../lib/channel/message-pipe.ts';
import type { Clock } from '../../lib/clock.ts';
import { messageOf } from '../../lib/error-message.ts';
import type { Log } from '../../lib/log.ts';
import { DatabaseThread } from './database-thread.ts';
import type { FromDatabaseThread, ToDatabaseThread } from './messages.ts';

export interface DatabaseWorkerOptions {
  /** Entry of the thread; undefined runs it in the calling thread, for tests. */
  readonly entry: URL | undefined;
  readonly clock: Clock;
  readonly log: Log;
  /**
   * Called after the catalog of archives was created, before the request that opened it is answered. The content of
   * an earlier catalog is lost.
   */
  readonly onCatalogCreated?: () => void;
}

type Calls = ToDatabaseThread['calls'];
/** Opened file. A restarted thread opens it again, because it has no state of the previous thread. */
type Opening = readonly [name: keyof Calls & `${string}-open`, path: string];

/** One run of the thread. */
interface Launched {
  readonly channel: Channel<ToDatabaseThread, FromDatabaseThread>;
  /** Resolves with the reason when the thread has ended. */
  readonly ended: Promise<string>;
  hasEnded: boolean;
  /** Ends the run at once. */
  kill(): void;
}

/**
 * Maximum number of attempts of a request whose thread died. A request that ends the thread each time is then
 * refused.
 */
const MAX_ATTEMPTS = 3;
/** Maximum memory for JavaScript objects, in MiB. A thread that needs more ends without ending the process. */
const HEAP_MB = 512;
/** Maximum time that closing waits for earlier requests, in milliseconds. */
const CLOSE_MS = 2000;
/** Minimum run time of a thread after which the pause before a restart is not increased, in milliseconds. */
const STEADY_MS = 60_000;
const FIRST_PAUSE_MS = 100;

/**
 * Client of the database thread in the server thread. A thread that dies is restarted with its files, and unanswered requests are
 * sent again, so every request must be repeatable.
 */
export class DatabaseWorker {
  readonly #options: DatabaseWorkerOptions;
  readonly #backOff = new BackOff({ firstMs: FIRST_PAUSE_MS });
  readonly #openings: Opening[] = [];
  readonly #closed = Promise.withResolvers<never>();
  #launched: Promise<Launched>;
  #present: Launched | undefined;
  #isClosed = false;

  constructor(options: DatabaseWorkerOptions) {
    this.#options = options;
    // The rejection is handled by waiting callers only.
    this.#closed.promise.catch(() => {});
    this.#launched = this.#launch();
    this.#launched.catch(() => {});
  }

  /** Opens a file in this run of the thread and in all later ones. Raises `database_unavailable` and `database_too_new`. */
  async open(...opening: Opening): Promise<void> {
    await this.call(...opening);
    this.#openings.push(opening);
  }

  /**
   * Sends a request to the thread, after a restart if necessary. Raises the code of its refusal, and `database_unavailable`
   * without an answer.
   *
   * @param timeoutMs maximum total time for an answer; default: no limit
   */
  async call<Name extends keyof Calls>(
    name: Name,
    question: Calls[Name][0],
    timeoutMs?: number,
  ): Promise<Calls[Name][1]> {
    if (timeoutMs === undefined) return Promise.race([this.#attempt(name, question), this.#closed.promise]);
    const late = Promise.withResolvers<never>();
    const cancel = this.#options.clock.after(timeoutMs, () => {
      late.reject(unavailable(`the database thread did not answer ${name} within ${timeoutMs} ms`));
    });
    try {
      return await Promise.race([this.#attempt(name, question), this.#closed.promise, late.promise]);
    } finally {
      cancel();
    }
  }

  /** Waits for pending answers, closes the files and ends the thread, in bounded time. Requests without an answer are refused. */
  async close(): Promise<void> {
    if (this.#isClosed) return;
    this.#isClosed = true;
    const { clock } = this.#options;
    const late = Promise.withResolvers<undefined>();
    const cancel = clock.after(CLOSE_MS, () => {
      late.resolve(undefined);
    });
    const present = this.#present;
    if (present && !present.hasEnded) await Promise.race([this.#end(present), late.promise]);
    cancel();
    this.#closed.reject(unavailable('the server stops'));
    present?.kill();
  }

  async #end({ channel, kill, ended }: Launched): Promise<void> {
    await channel.call('close', undefined).catch(() => undefined);
    kill();
    await ended;
  }

  async #attempt<Name extends keyof Calls>(name: Name, question: Calls[Name][0]): Promise<Calls[Name][1]> {
    for (let attempt = 1; ; attempt++) {
      const launched = await this.#launched;
      try {
        return await launched.channel.call(name, question);
      } catch (error) {
        if (!launched.hasEnded) throw error;
        if (attempt >= MAX_ATTEMPTS) throw unavailable(messageOf(error));
      }
    }
  }

  /** Starts a thread with all files open. Retries as long as the server runs. */
  async #launch(): Promise<Launched> {
    const { clock, log } = this.#options;
    for (;;) {
      const startedMs = clock.now();
      const launched = this.#start();
      this.#present = launched;
      try {
        for (const [name, path] of this.#openings) await launched.channel.call(name, path);
        void launched.ended.then((reason) => {
          if (this.#isClosed) return;
          if (clock.now() - startedMs >= STEADY_MS) this.#backOff.reset();
          log.error('the database thread died; it is started again', { reason });
          this.#launched = this.#pause().then(async () => this.#launch());
          this.#launched.catch(() => {});
        });
        return launched;
      } catch (error) {
        launched.kill();
        await Promise.race([launched.ended, this.#closed.promise]);
        log.error('the database thread cannot open its files; it tries again', { error: messageOf(error) });
        await this.#pause();
      }
    }
  }

  async #pause(): Promise<void> {
    const over = Promise.withResolvers<undefined>();
    const cancel = this.#options.clock.after(this.#backOff.next(), () => {
      over.resolve(undefined);
    });
    try {
      await Promise.race([over.promise, this.#closed.promise]);
    } finally {
      cancel();
    }
  }

  #start(): Launched {
    const { clock, log, entry, onCatalogCreated } = this.#options;
    const end = Promise.withResolvers<string>();
    const channel = new Channel<ToDatabaseThread, FromDatabaseThread>(clock, {
      calls: {},
      feeds: {},
      subscriptions: {},
      events: {
        log: ({ level, message, fields }) => {
          log[level](message, fields);
        },
        'catalog-created': () => {
          onCatalogCreated?.();
        },
      },
    });
    const launched: Launched = { channel, ended: end.promise, hasEnded: false, kill: () => {} };
    const ended = (reason: string): void => {
      if (launched.hasEnded) return;
      launched.hasEnded = true;
      end.resolve(reason);
      channel.close({ code: 'database_unavailable', detail: `the database thread died: ${reason}` });
    };
    const { pipe, kill } = entry ? startWorker(entry, ended) : startHere(clock, ended);
    launched.kill = kill;
    channel.attach(pipe);
    return launched;
  }
}

interface Started {
  readonly pipe: MessagePipe;
  kill(): void;
}

function startWorker(entry: URL, ended: (reason: string) => void): Started {
  const worker = new Worker(entry, { name: 'database', resourceLimits: { maxOldGenerationSizeMb: HEAP_MB } });
  let reason: string | undefined;
  worker.on('error', (error) => {
    reason ??= messageOf(error);
  });
  worker.on('exit', (code) => {
    ended(reason ?? `it ended with code ${code}`);
  });
  return {
    pipe: portPipe(worker),
    kill() {
      void worker.terminate();
    },
  };
}

function startHere(clock: Clock, ended: (reason: string) => void): Started {
  const { server, worker } = localPipes();
  new DatabaseThread(worker, clock).start();
  return {
    pipe: server,
    kill() {
      server.close();
      worker.close();
      ended('it was closed');
    },
  };
}

function unavailable(detail: string): AirdeskError {
  return new AirdeskError('database_unavailable', detail);
}
