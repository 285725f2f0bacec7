/** Callers that wait for a playlist to learn the start of a picture. */
export class FrameRequests {
  #waiting: { readonly ms: number; readonly answer: (ms: number) => void }[] = [];

  /** Waits for the start of the picture at a moment, in epoch milliseconds. */
  request(ms: number): Promise<number> {
    return new Promise((answer) => {
      this.#waiting.push({ ms, answer });
    });
  }

  /** Answers the callers whose moments match. */
  answer(matches: (ms: number) => boolean, startOf: (ms: number) => number): void {
    const answered = this.#waiting.filter(({ ms }) => matches(ms));
    this.#waiting = this.#waiting.filter(({ ms }) => !matches(ms));
    for (const { ms, answer } of answered) answer(startOf(ms));
  }
}
