import type { ErrorValue, FeedMessage, Reply } from '../../src-preload/contract/index.ts';
import type { Clock } from '../lib/clock.ts';
import type { Log } from '../lib/log.ts';
import type { FeedNews, ServerThread, SupervisorMessage, ThreadListener } from './ipc/thread-messages.ts';

/** State of the server thread, as the window shows it. */
export type ServerState =
  | { readonly kind: 'starting' }
  | { readonly kind: 'ready'; readonly url: string }
  | { readonly kind: 'down'; readonly error: ErrorValue; readonly retryAtMs: number }
  | { readonly kind: 'stopping' };

export interface SupervisorOptions {
  readonly clock: Clock;
  readonly log: Log;
  /** Starts a thread. */
  readonly start: (listener: ThreadListener) => ServerThread;
  /**
   * Called when the server could not start. Returns true if the next start will use another configuration; the thread is then
   * restarted at once, without a pause.
   */
  readonly failed: (error: ErrorValue) => boolean;
  /** Called when the state changes. */
  readonly changed: (state: ServerState) => void;
  /** Called with the messages and the media of tile feeds. */
  readonly fed: (message: FeedNews) => void;
}

/** First and maximum pause before a restart, in milliseconds. The pause doubles with each restart. */
const FIRST_PAUSE_MS = 1_000;
const MAX_PAUSE_MS = 30_000;
/** Run time after which the next pause is the first one again, in milliseconds. */
const STEADY_MS = 60_000;
/** Timeout of a call, in milliseconds. */
const CALL_MS = 30_000;
/** Time after which a thread that reported a failed start is killed, in milliseconds. */
const FAILED_MS = 3_000;

type Listener = (payload: unknown) => void;

/**
 * Keeps the server thread running, and forwards calls and subscriptions to it. If the thread ends, the supervisor
 * restarts it after a pause and renews the subscriptions; until then it answers calls with `unavailable`.
 */
export class ServerSupervisor {
  readonly #options: SupervisorOptions;
  #state: ServerState = { kind: 'starting' };
  #thread: ServerThread | undefined;
  #failure: ErrorValue | undefined;
  #startedMs = 0;
  #pauseMs = FIRST_PAUSE_MS;
  #cancelRestart: () => void = () => {};
  #lastId = 0;
  readonly #pending = new Map<number, (reply: Reply<unknown>) => void>();
  readonly #topics = new Map<string, Set<Listener>>();
  #stopped: (() => void) | undefined;

  constructor(options: SupervisorOptions) {
    this.#options = options;
  }

  get state(): ServerState {
    return this.#state;
  }

  /** Starts the thread and keeps it running until `close()`. */
  start(): void {
    const { clock, start } = this.#options;
    this.#cancelRestart();
    this.#startedMs = clock.now();
    this.#failure = undefined;
    this.#enter({ kind: 'starting' });
    const thread: ServerThread = start({
      message: (message) => {
        this.#receive(thread, message);
      },
      ended: (reason) => {
        this.#ended(reason);
      },
    });
    this.#thread = thread;
  }

  /** Stops the thread and waits at most `limitMs` for its end; resolves with true if it ended in time. */
  async close(limitMs: number): Promise<boolean> {
    this.#cancelRestart();
    this.#enter({ kind: 'stopping' });
    const thread = this.#thread;
    if (!thread) return true;
    return new Promise((resolve) => {
      const cancel = this.#options.clock.after(limitMs, () => {
        resolve(false);
      });
      this.#stopped = () => {
        cancel();
        resolve(true);
      };
      thread.post({ kind: 'stop' });
    });
  }

  /** Forwards a call. Never rejects: answers with `unavailable` if the thread is down or does not answer. */
  call(name: string, input: unknown): Promise<Reply<unknown>> {
    const thread = this.#thread;
    if (!thread || this.#state.kind !== 'ready') return Promise.resolve(this.#unavailable());
    const id = ++this.#lastId;
    return new Promise((resolve) => {
      const cancel = this.#options.clock.after(CALL_MS, () => {
        this.#pending.get(id)?.(refusal('The server did not answer in time'));
      });
      this.#pending.set(id, (reply) => {
        this.#pending.delete(id);
        cancel();
        resolve(reply);
      });
      thread.post({ kind: 'call', id, name, input });
    });
  }

  /** Subscribes to a topic until the returned function is called. Restarts of the thread do not end the subscription. */
  subscribe(topic: string, listener: Listener): () => void {
    const listeners = this.#topics.get(topic) ?? new Set();
    // Only a new subscription gets a snapshot, and the new listener needs one.
    if (listeners.size > 0) this.#postIfReady({ kind: 'unsubscribe', topic });
    listeners.add(listener);
    this.#topics.set(topic, listeners);
    this.#postIfReady({ kind: 'subscribe', topic });
    return () => {
      if (!listeners.delete(listener) || listeners.size > 0) return;
      this.#topics.delete(topic);
      this.#postIfReady({ kind: 'unsubscribe', topic });
    };
  }

  /** Forwards a feed message of a page. Feeds end with the thread. The page opens them again when it reloads. */
  feed(message: FeedMessage): void {
    this.#postIfReady(message);
  }

  #receive(thread: ServerThread, message: SupervisorMessage): void {
    switch (message.kind) {
      case 'ready':
        if (this.#state.kind === 'stopping') return;
        this.#enter({ kind: 'ready', url: message.url });
        for (const topic of this.#topics.keys()) thread.post({ kind: 'subscribe', topic });
        return;
      case 'failed':
        this.#failure = message.error;
        this.#options.clock.after(FAILED_MS, () => {
          if (this.#thread === thread) thread.kill();
        });
        return;
      case 'reply':
        this.#pending.get(message.id)?.(message.reply);
        return;
      case 'event':
        for (const listener of this.#topics.get(message.topic) ?? []) listener(message.payload);
        return;
      case 'feed':
      case 'feed-frame':
        this.#options.fed(message);
        return;
    }
  }

  #ended(reason: string): void {
    this.#thread = undefined;
    const { clock, log } = this.#options;
    for (const answer of [...this.#pending.values()]) answer(refusal('The server stopped before it answered'));
    if (this.#state.kind === 'stopping') {
      this.#stopped?.();
      return;
    }
    if (this.#failure && this.#options.failed(this.#failure)) {
      this.start();
      return;
    }
    if (clock.now() - this.#startedMs >= STEADY_MS) this.#pauseMs = FIRST_PAUSE_MS;
    const pauseMs = this.#pauseMs;
    this.#pauseMs = Math.min(MAX_PAUSE_MS, pauseMs * 2);
    const error: ErrorValue = this.#failure ?? { code: 'internal', message: `The server stopped: ${reason}` };
    log.error('the server thread ended and will be restarted', {
      reason,
      code: error.code,
      message: error.message,
      restart_in_ms: pauseMs,
    });
    this.#cancelRestart = clock.after(pauseMs, () => {
      this.start();
    });
    this.#enter({ kind: 'down', error, retryAtMs: clock.now() + pauseMs });
  }

  #enter(state: ServerState): void {
    this.#state = state;
    this.#options.changed(state);
  }

  #postIfReady(message: Parameters<ServerThread['post']>[0]): void {
    if (this.#state.kind === 'ready') this.#thread?.post(message);
  }

  #unavailable(): Reply<unknown> {
    return this.#state.kind === 'down' ? refusal(this.#state.error.message) : refusal('The server is not running');
  }
}

function refusal(message: string): Reply<unknown> {
  return { ok: false, error: { code: 'unavailable', message } };
}
