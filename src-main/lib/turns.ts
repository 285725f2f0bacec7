/** How long one turn of the event loop may work on something that can wait, in milliseconds. */
const TURN_MS = 4;

/** Runs work to its end at once. */
export function runAtOnce<T>(work: Generator<void, T>): T {
  for (;;) {
    const step = work.next();
    if (step.done) return step.value;
  }
}

/** Runs work in short turns, so that the thread can do other things in between. */
export async function runInTurns<T>(work: Generator<void, T>): Promise<T> {
  for (;;) {
    const endMs = performance.now() + TURN_MS;
    do {
      const step = work.next();
      if (step.done) return step.value;
    } while (performance.now() < endMs);
    await nextTurn();
  }
}

/** Lets the thread do what else there is before work goes on. */
export function nextTurn(): Promise<void> {
  return new Promise((resolve) => {
    setImmediate(resolve);
  });
}
