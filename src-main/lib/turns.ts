/** Maximum time of deferrable work in one turn of the event loop, in milliseconds, shared by all such work. */
const TURN_MS = 2;

/** Time until which work may run in the current turn, by `performance.now()`. */
let endMs = 0;
/** True if `giveTurn` is already scheduled for the next turn of the event loop. */
let isGiven = false;
/** Work that waits for its turn. */
const waiting: (() => void)[] = [];

/** Runs work to its end at once. */
export function runAtOnce<T>(work: Generator<unknown, T>): T {
  for (;;) {
    const step = work.next();
    if (step.done) return step.value;
  }
}

/**
 * Runs work in short turns, so that the thread can do other work in between. Successive and parallel work share the
 * time of a turn.
 */
export async function runInTurns<T>(work: Generator<unknown, T>): Promise<T> {
  for (;;) {
    if (!isGiven) {
      isGiven = true;
      endMs = performance.now() + TURN_MS;
      // Immediates still belong to the current turn; immediates created by them belong to the next.
      setImmediate(() => setImmediate(giveTurn));
    }
    do {
      const step = work.next();
      if (step.done) return step.value;
    } while (performance.now() < endMs);
    await nextTurn();
  }
}

/** Lets other work of the thread run first. Each turn of the event loop resumes one caller, in the order of the calls. */
export function nextTurn(): Promise<void> {
  return new Promise((resolve) => {
    waiting.push(resolve);
    if (isGiven) return;
    isGiven = true;
    setImmediate(giveTurn);
  });
}

function giveTurn(): void {
  const goOn = waiting.shift();
  isGiven = goOn !== undefined;
  if (!goOn) return;
  endMs = performance.now() + TURN_MS;
  setImmediate(giveTurn);
  goOn();
}

/** Number of items sorted in one step. */
const SORTED_AT_ONCE = 500;

/** Sorts items in steps; the sort is stable. */
export function* sortInSteps<T>(items: readonly T[], compare: (a: T, b: T) => number): Generator<void, T[]> {
  let runs: T[][] = [];
  for (let at = 0; at < items.length; at += SORTED_AT_ONCE) {
    runs.push(items.slice(at, at + SORTED_AT_ONCE).sort(compare));
    yield;
  }
  while (runs.length > 1) {
    const merged: T[][] = [];
    for (let at = 0; at < runs.length; at += 2)
      merged.push(yield* mergeInSteps(runs[at]!, runs[at + 1] ?? [], compare));
    runs = merged;
  }
  return runs[0] ?? [];
}

function* mergeInSteps<T>(a: readonly T[], b: readonly T[], compare: (a: T, b: T) => number): Generator<void, T[]> {
  const merged: T[] = [];
  for (let [left, right] = [0, 0]; left < a.length || right < b.length;) {
    if (merged.length % SORTED_AT_ONCE === SORTED_AT_ONCE - 1) yield;
    const isLeft = right === b.length || (left < a.length && compare(a[left]!, b[right]!) <= 0);
    merged.push(isLeft ? a[left++]! : b[right++]!);
  }
  return merged;
}

/** Number of items per step of `mapInSteps`. */
const ITEMS_PER_STEP = 50;

/** Maps items in steps. */
export function* mapInSteps<T, R>(items: readonly T[], make: (item: T, index: number) => R): Generator<void, R[]> {
  const results: R[] = [];
  for (const [index, item] of items.entries()) {
    if (index % ITEMS_PER_STEP === ITEMS_PER_STEP - 1) yield;
    results.push(make(item, index));
  }
  return results;
}
