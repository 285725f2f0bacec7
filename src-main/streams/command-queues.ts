interface Waiting {
  /** What joins it; undefined for nothing. */
  readonly key: string | undefined;
  readonly done: Promise<unknown>;
  readonly start: () => Promise<void> | undefined;
}

/**
 * Commands that run one after the other for each name. A name that has none under way runs a command at once, within the
 * call: what a command does before its first wait is one step, and nothing comes between.
 */
export class CommandQueues {
  /** Names with a command under way, and what waits behind it. */
  readonly #waiting = new Map<string, Waiting[]>();

  /** Whether a name has a command under way. */
  isBusy(name: string): boolean {
    return this.#waiting.has(name);
  }

  /** Runs a command in its turn. @param key a command with the same key that still waits is joined */
  run<T>(name: string, command: () => T | Promise<T>, key?: string): Promise<T> {
    const waiting = this.#waiting.get(name);
    const joined = key === undefined ? undefined : waiting?.find((other) => other.key === key);
    // The same key is the same command.
    if (joined) return joined.done as Promise<T>;
    const { promise, resolve, reject } = Promise.withResolvers<T>();
    const start = (): Promise<void> | undefined => {
      try {
        const result = command();
        if (result instanceof Promise) return result.then(resolve, reject);
        resolve(result);
      } catch (error) {
        // As it was thrown.
        reject(error);
      }
      return undefined;
    };
    if (waiting) waiting.push({ key, done: promise, start });
    else {
      this.#waiting.set(name, []);
      this.#follow(name, start());
    }
    return promise;
  }

  /** Runs what waits as soon as the command under way is done. */
  #follow(name: string, underWay: Promise<void> | undefined): void {
    let current = underWay;
    for (;;) {
      if (current) {
        void current.then(() => {
          this.#follow(name, undefined);
        });
        return;
      }
      const next = this.#waiting.get(name)?.shift();
      if (!next) break;
      current = next.start();
    }
    this.#waiting.delete(name);
  }
}
