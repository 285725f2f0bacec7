/** Makes one change after the other; a failed one does not hold up the next. */
export class ChangeQueue {
  #last: Promise<unknown> = Promise.resolve();

  /** Runs a task when all before it have ended; settles as the task does. */
  run<T>(task: () => Promise<T>): Promise<T> {
    const work = this.#last.then(task);
    this.#last = work.catch(() => undefined);
    return work;
  }

  /** Resolves when the tasks that are queued by now have ended. */
  async idle(): Promise<void> {
    await this.#last;
  }
}
