export interface DiffHunk {
  /**
   * Number of the first line, from 1, in the old and in the new text. In a text in which the hunk has no lines, it is
   * the number of the line after the hunk.
   */
  readonly oldLine: number;
  readonly newLine: number;
  readonly removed: readonly string[];
  readonly added: readonly string[];
}

/**
 * Maximum number of differing lines. If there are more, everything between the first and the last difference counts as one
 * difference.
 */
const MAX_DISTANCE = 1500;
/** Number of edit distances that are tried between two checks of the time. */
const DISTANCES_PER_STEP = 20;

/** Finds the difference between two texts, line by line (Myers, 1986), in steps. */
export function* diffLinesInSteps(before: string, after: string): Generator<void, DiffHunk[]> {
  const old = linesOf(before);
  yield;
  const fresh = linesOf(after);
  yield;
  let head = 0;
  while (head < old.length && head < fresh.length && old[head] === fresh[head]) head++;
  let tail = 0;
  while (tail < old.length - head && tail < fresh.length - head && old.at(-1 - tail) === fresh.at(-1 - tail)) tail++;
  const oldPart = old.slice(head, old.length - tail);
  const newPart = fresh.slice(head, fresh.length - tail);
  if (oldPart.length === 0 && newPart.length === 0) return [];
  const matches = (yield* commonLines(oldPart, newPart)) ?? [];
  const hunks: DiffHunk[] = [];
  let x = 0;
  let y = 0;
  for (const [nextX, nextY] of [...matches, [oldPart.length, newPart.length] as const]) {
    if (nextX > x || nextY > y)
      hunks.push({
        oldLine: head + x + 1,
        newLine: head + y + 1,
        removed: oldPart.slice(x, nextX),
        added: newPart.slice(y, nextY),
      });
    x = nextX + 1;
    y = nextY + 1;
  }
  return hunks;
}

function linesOf(text: string): string[] {
  const lines = text.split(/\r\n|\n|\r/);
  if (lines.at(-1) === '') lines.pop();
  return lines;
}

/** Unchanged lines, as pairs of indexes; undefined if the texts differ too much. */
function* commonLines(
  old: readonly string[],
  fresh: readonly string[],
): Generator<void, (readonly [number, number])[] | undefined> {
  const max = Math.min(MAX_DISTANCE, old.length + fresh.length);
  const reach = new Int32Array(2 * max + 3);
  const middle = max + 1;
  const trace: Int32Array[] = [];
  for (let distance = 0; distance <= max; distance++) {
    if (distance % DISTANCES_PER_STEP === 0) yield;
    trace.push(reach.slice(middle - distance - 1, middle + distance + 2));
    for (let diagonal = -distance; diagonal <= distance; diagonal += 2) {
      const below = reach[middle + diagonal + 1] ?? 0;
      const beside = (reach[middle + diagonal - 1] ?? 0) + 1;
      let x = diagonal === -distance || (diagonal !== distance && beside <= below) ? below : beside;
      while (x < old.length && x - diagonal < fresh.length && old[x] === fresh[x - diagonal]) x++;
      reach[middle + diagonal] = x;
      if (x >= old.length && x - diagonal >= fresh.length) return walkBack(trace, old.length, fresh.length);
    }
  }
  return undefined;
}

function walkBack(trace: readonly Int32Array[], oldLength: number, newLength: number): (readonly [number, number])[] {
  const pairs: (readonly [number, number])[] = [];
  let x = oldLength;
  let y = newLength;
  for (let distance = trace.length - 1; distance >= 0; distance--) {
    const reach = trace[distance];
    const at = (diagonal: number): number => reach?.[diagonal + distance + 1] ?? 0;
    const diagonal = x - y;
    const isDown = diagonal === -distance || (diagonal !== distance && at(diagonal - 1) + 1 <= at(diagonal + 1));
    const beforeX = distance === 0 ? 0 : isDown ? at(diagonal + 1) : at(diagonal - 1);
    const beforeY = distance === 0 ? 0 : beforeX - (isDown ? diagonal + 1 : diagonal - 1);
    const startX = distance === 0 ? 0 : isDown ? beforeX : beforeX + 1;
    while (x > startX && y > 0) pairs.push([--x, --y]);
    x = beforeX;
    y = beforeY;
  }
  return pairs.reverse();
}
