interface Waiting {
  /** Key for joining; undefined for none. */
  readonly key: string | undefined;
  readonly done: Promise<unknown>;
  readonly start: () => Promise<void> | undefined;
}

/**
 * Queue of commands per name. A name without a running command runs a new one at once, within the call: everything
 * before its first await is one step, and no other command comes between.
 */
export class CommandQueues {
  /** Names with a running command, and their waiting commands. */
  readonly #waiting = new Map<string, Waiting[]>();

  /** Reports whether a name has a running command. */
  isBusy(name: string): boolean {
    return this.#waiting.has(name);
  }

  /**
   * Runs a command in its turn.
   * @param key joins a waiting command with the same key
   */
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
        // Passed on as it was thrown.
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

  /** Runs the waiting commands after the running one. */
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
