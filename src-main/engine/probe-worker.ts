import type { InputEnd } from '../ingest/input.ts';
import type { Clock } from '../lib/clock.ts';
import type { MediaWorker } from './media-worker.ts';
import type { ProbeRequest, ProbedInput } from './messages.ts';

/** Functions that the probes need from the owner of the threads. */
export interface ProbeWorkerPort {
  /** Creates and launches a thread. */
  launch(): MediaWorker;
  /** Called when a thread has ended. */
  gone(worker: MediaWorker): void;
}

/** Time after the last probe after which the thread ends, in milliseconds. */
const IDLE_MS = 5000;
/** Time for an input to close after its limit, in milliseconds. */
const GRACE_MS = 5000;

/**
 * Media thread for probes of addresses. It has no streams, so an address that ends its thread ends no stream. It runs while there
 * are probes, and for some seconds after the last one.
 */
export class ProbeWorker {
  readonly #clock: Clock;
  readonly #port: ProbeWorkerPort;
  #worker: MediaWorker | undefined;
  #open = 0;
  #cancelIdle: (() => void) | undefined;
  /** Resolves when the previous thread has ended. The next thread has the same index, so it starts after it. */
  #ending: Promise<void> = Promise.resolve();

  constructor(clock: Clock, port: ProbeWorkerPort) {
    this.#clock = clock;
    this.#port = port;
  }

  /**
   * Opens an address for a short time. Rejects with a `CallError` if the thread ends.
   * @param signal ends the probe; the promise still settles only when the input has closed
   */
  async probe(request: ProbeRequest, signal: AbortSignal): Promise<ProbedInput | InputEnd> {
    this.#cancelIdle?.();
    this.#open++;
    try {
      await this.#ending;
      const { channel } = (this.#worker ??= this.#launch());
      return await channel.call('probe', request, {
        signal,
        isEndAwaited: true,
        timeoutMs: request.limitMs + GRACE_MS,
      });
    } finally {
      this.#open--;
      if (this.#open === 0) this.#cancelIdle = this.#clock.after(IDLE_MS, () => void this.close());
    }
  }

  /** Called every second. */
  tick(): void {
    this.#worker?.tick();
  }

  /** Ends the thread, and with it all probes. */
  async close(): Promise<void> {
    this.#cancelIdle?.();
    this.#ending = this.#worker?.close() ?? this.#ending;
    await this.#ending;
  }

  #launch(): MediaWorker {
    const worker = this.#port.launch();
    void worker.gone.then(() => {
      this.#worker = undefined;
      this.#port.gone(worker);
    });
    return worker;
  }
}
