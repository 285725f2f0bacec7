/** Runs one change after the other. A failed change does not stop the next one. */
export class ChangeQueue {
  #last: Promise<unknown> = Promise.resolve();

  /** Runs a task after all earlier tasks. Settles with the result of the task. */
  run<T>(task: () => Promise<T>): Promise<T> {
    const work = this.#last.then(task);
    this.#last = work.catch(() => undefined);
    return work;
  }

  /** Resolves when all tasks queued so far have ended. */
  async idle(): Promise<void> {
    await this.#last;
  }
}
