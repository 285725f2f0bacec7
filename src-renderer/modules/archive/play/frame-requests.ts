/** Callers that wait for a playlist to learn the start of a picture. */
export class FrameRequests {
  #askers: { readonly ms: number; readonly answer: (ms: number) => void }[] = [];

  /** Waits for the start of the picture at a moment, in epoch milliseconds. */
  ask(ms: number): Promise<number> {
    return new Promise((answer) => {
      this.#askers.push({ ms, answer });
    });
  }

  /** Answers the callers whose moments match. */
  answer(isMeant: (ms: number) => boolean, beginOf: (ms: number) => number): void {
    const askers = this.#askers.filter(({ ms }) => isMeant(ms));
    this.#askers = this.#askers.filter(({ ms }) => !isMeant(ms));
    for (const { ms, answer } of askers) answer(beginOf(ms));
  }
}
