interface Waiting {
  /** Key under which commands are joined; undefined for a command that is never joined. */
  readonly key: string | undefined;
  readonly result: Promise<unknown>;
  readonly start: () => Promise<void> | undefined;
}

/**
 * Queue of commands per name. A command for a name without a running command runs within the call, so no other
 * command comes between its steps before its first await.
 */
export class CommandQueues {
  /** Names with a running command, and their waiting commands. */
  readonly #waiting = new Map<string, Waiting[]>();

  /** Reports whether a name has a running command. */
  isBusy(name: string): boolean {
    return this.#waiting.has(name);
  }

  /** Runs a command in its turn. @param key joins a waiting command with the same key */
  run<T>(name: string, command: () => T | Promise<T>, key?: string): Promise<T> {
    const waiting = this.#waiting.get(name);
    const joined = key === undefined ? undefined : waiting?.find((command) => command.key === key);
    // A waiting command with the same key has the same effect.
    if (joined) return joined.result as Promise<T>;
    const { promise, resolve, reject } = Promise.withResolvers<T>();
    const start = (): Promise<void> | undefined => {
      try {
        const result = command();
        if (result instanceof Promise) return result.then(resolve, reject);
        resolve(result);
      } catch (error) {
        // The caller gets the error unchanged.
        reject(error);
      }
      return undefined;
    };
    if (waiting) waiting.push({ key, result: promise, start });
    else {
      this.#waiting.set(name, []);
      this.#follow(name, start());
    }
    return promise;
  }

  /** Runs the waiting commands after the running one. */
  #follow(name: string, running: Promise<void> | undefined): void {
    let current = running;
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
