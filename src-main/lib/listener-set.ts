import type { Clock } from './clock.ts';
import type { Log } from './log.ts';
import { messageOf } from './error-message.ts';

/** A configured listener. `host` is null for all addresses of the machine; with port 0 the system chooses the port. */
export interface ListenerSpec<K extends string> {
  readonly kind: K;
  readonly host: string | null;
  readonly port: number;
}

/** An open listener. */
export interface OpenListener {
  /** Actual port. */
  readonly port: number;
  /** Closes the port; resolves when it can be opened again. Open connections may continue for a while. */
  close(): Promise<void>;
}

/** A listener and its state. */
export interface ListenerState<K extends string> extends ListenerSpec<K> {
  /** Actual port; null if it could not be opened. */
  readonly openPort: number | null;
  /** Reason why the port could not be opened; null if it is open. */
  readonly error: string | null;
}

export interface ListenerSetOptions<K extends string> {
  /** Starts to listen; rejects if the port cannot be opened. */
  readonly open: (listener: ListenerSpec<K>) => Promise<OpenListener>;
  readonly clock: Clock;
  readonly log: Log;
  /** Wait before a port that could not be opened is tried again, in milliseconds; default 10 000. */
  readonly retryMs?: number;
}

const RETRY_MS = 10_000;

interface Entry<K extends string> {
  readonly listener: ListenerSpec<K>;
  open: OpenListener | undefined;
  error: string | null;
}

/**
 * Ports of the server. A change of the configuration affects only the listeners that differ. A port that cannot be opened
 * is reported and tried again; the other ports are open meanwhile.
 */
export class ListenerSet<K extends string> {
  readonly #options: ListenerSetOptions<K>;
  #entries = new Map<string, Entry<K>>();
  #queue: Promise<void> = Promise.resolve();
  #cancelRetry: (() => void) | undefined;
  #isClosed = false;

  constructor(options: ListenerSetOptions<K>) {
    this.#options = options;
  }

  /** All listeners, in configured order. */
  list(): ListenerState<K>[] {
    return [...this.#entries.values()].map(({ listener, open, error }) => ({
      ...listener,
      openPort: open?.port ?? null,
      error,
    }));
  }

  /** Opens these listeners and closes all others. Never rejects: faults are in `list()` and in the log. */
  apply(listeners: readonly ListenerSpec<K>[]): Promise<void> {
    return this.#enqueue(async () => {
      const before = this.#entries;
      const after = new Map<string, Entry<K>>();
      for (const one of listeners)
        after.set(keyOf(one), before.get(keyOf(one)) ?? { listener: one, open: undefined, error: null });
      this.#entries = after;
      // Ports are closed first: a new listener may need one of them.
      await Promise.all([...before].filter(([key]) => !after.has(key)).map(([, entry]) => this.#close(entry)));
      await this.#openMissing();
    });
  }

  /** Closes all ports. */
  close(): Promise<void> {
    this.#isClosed = true;
    this.#cancelRetry?.();
    return this.#enqueue(async () => {
      await Promise.all([...this.#entries.values()].map((entry) => this.#close(entry)));
      this.#entries.clear();
    });
  }

  async #openMissing(): Promise<void> {
    this.#cancelRetry?.();
    await Promise.all([...this.#entries.values()].map((entry) => this.#open(entry)));
    if (this.#isClosed || ![...this.#entries.values()].some(({ error }) => error !== null)) return;
    this.#cancelRetry = this.#options.clock.after(this.#options.retryMs ?? RETRY_MS, () => {
      void this.#enqueue(() => this.#openMissing());
    });
  }

  async #open(entry: Entry<K>): Promise<void> {
    if (entry.open || this.#isClosed) return;
    const { kind, host, port } = entry.listener;
    const fields = { protocol: kind, host, port };
    try {
      entry.open = await this.#options.open(entry.listener);
      if (entry.error !== null) this.#options.log.info('a port was opened after retries', fields);
      entry.error = null;
    } catch (cause) {
      const error = messageOf(cause);
      // A fault is logged once while it lasts.
      if (entry.error === null)
        this.#options.log.error('a port cannot be opened; everything else continues', {
          ...fields,
          code: codeOf(cause),
          error,
        });
      entry.error = error;
    }
  }

  async #close(entry: Entry<K>): Promise<void> {
    const { open } = entry;
    entry.open = undefined;
    await open?.close().catch((cause: unknown) => {
      this.#options.log.error('a port could not be closed', {
        protocol: entry.listener.kind,
        port: open.port,
        error: messageOf(cause),
      });
    });
  }

  #enqueue(task: () => Promise<void>): Promise<void> {
    const work = this.#queue.then(task);
    this.#queue = work.catch(() => undefined);
    return work;
  }
}

/**
 * Error code of a failure to listen: the code of the server's own errors, otherwise the code for a port that cannot be opened.
 */
function codeOf(cause: unknown): string {
  return cause instanceof Error && 'code' in cause && typeof cause.code === 'string' && /^[a-z_]+$/.test(cause.code)
    ? cause.code
    : 'port_in_use';
}

function keyOf({ kind, host, port }: ListenerSpec<string>): string {
  return `${kind} ${host ?? '*'}:${port}`;
}
