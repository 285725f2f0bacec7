import type { WorkTurns } from './work-turns.ts';

interface Waiter {
  readonly who: string;
  readonly signal: AbortSignal | undefined;
}

/** A turn for a task that several callers wait for. The task runs when the first of the callers has its turn. */
export class SharedTurn {
  readonly #turns: WorkTurns;
  /** Callers that came before the task needed a place. */
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

  /** Waits for a place. Returns the function that gives it back; rejects with the reason of `giveUp`. Called once. */
  async take(): Promise<() => void> {
    this.#over.signal.throwIfAborted();
    const place = (this.#place = Promise.withResolvers());
    for (const waiter of this.#waiters) this.#queue(waiter, place);
    return place.promise;
  }

  /** Ends the wait. */
  giveUp(reason: Error): void {
    this.#over.abort(reason);
    this.#place?.reject(reason);
  }

  #queue({ who, signal }: Waiter, place: PromiseWithResolvers<() => void>): void {
    if (this.#over.signal.aborted) return;
    const ended = signal ? AbortSignal.any([this.#over.signal, signal]) : this.#over.signal;
    this.#turns.take(who, ended).then(
      (end) => {
        // Turns of two callers may come at once.
        if (this.#over.signal.aborted) {
          end();
          return;
        }
        this.#over.abort();
        place.resolve(end);
      },
      // The caller has left, or another one has the place.
      () => undefined,
    );
  }
}
