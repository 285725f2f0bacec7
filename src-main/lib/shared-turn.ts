import type { WorkTurns } from './work-turns.ts';

interface Waiter {
  readonly who: string;
  readonly signal: AbortSignal | undefined;
}

/**
 * One place in a queue for a task that several callers want to have done. The task runs when the first of its callers reaches
 * the front of the queue.
 */
export class SharedTurn {
  readonly #turns: WorkTurns;
  /** Callers that were added before the task started to wait for its place. */
  readonly #waiters: Waiter[] = [];
  readonly #over = new AbortController();
  #place: PromiseWithResolvers<() => void> | undefined;

  constructor(turns: WorkTurns) {
    this.#turns = turns;
  }

  /**
   * Adds a caller.
   * @param signal ends the wait of this caller
   */
  request(who: string, signal?: AbortSignal): void {
    if (this.#place) this.#queue({ who, signal }, this.#place);
    else this.#waiters.push({ who, signal });
  }

  /** Waits for a place. Resolves with the function that frees the place; rejects with the reason of `giveUp`. Called once. */
  async take(): Promise<() => void> {
    this.#over.signal.throwIfAborted();
    const place = (this.#place = Promise.withResolvers());
    for (const waiter of this.#waiters) this.#queue(waiter, place);
    return place.promise;
  }

  /** Ends the wait of the task. */
  giveUp(reason: Error): void {
    this.#over.abort(reason);
    this.#place?.reject(reason);
  }

  #queue({ who, signal }: Waiter, place: PromiseWithResolvers<() => void>): void {
    if (this.#over.signal.aborted) return;
    const ended = signal ? AbortSignal.any([this.#over.signal, signal]) : this.#over.signal;
    this.#turns.take(who, ended).then(
      (end) => {
        // Two callers may get a place at the same moment. The task needs only the first place.
        if (this.#over.signal.aborted) {
          end();
          return;
        }
        this.#over.abort();
        place.resolve(end);
      },
      // This caller no longer waits, or the task already has the place of another caller.
      () => undefined,
    );
  }
}
