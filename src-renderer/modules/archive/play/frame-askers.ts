/** Who waits for a playlist to know when the picture of a moment begins. */
export class FrameAskers {
  #askers: { readonly ms: number; readonly answer: (ms: number) => void }[] = [];

  /** Waits for the begin of the picture of a moment, in epoch milliseconds. */
  ask(ms: number): Promise<number> {
    return new Promise((answer) => {
      this.#askers.push({ ms, answer });
    });
  }

  /** Answers those whose moments are meant. */
  answer(isMeant: (ms: number) => boolean, beginOf: (ms: number) => number): void {
    const askers = this.#askers.filter(({ ms }) => isMeant(ms));
    this.#askers = this.#askers.filter(({ ms }) => !isMeant(ms));
    for (const { ms, answer } of askers) answer(beginOf(ms));
  }
}
