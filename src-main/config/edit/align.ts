/**
 * One step from a list to another. `from` and `to` are indexes: kept and changed items have both, removed items only `from`,
 * and new items only `to`.
 */
export interface Alignment {
  readonly from?: number;
  readonly to?: number;
}

/**
 * Maximum product of lengths for an exact comparison. Larger differences are compared index by index, so that the cost stays
 * linear.
 */
const MAX_CELLS = 65_536;

/** Finds the steps from one list to another that keep as many items as possible. */
export function align(before: readonly string[], after: readonly string[]): Alignment[] {
  const steps: Alignment[] = [];
  let from = 0;
  let to = 0;
  for (const [nextFrom, nextTo] of [...commonItems(before, after), [before.length, after.length] as const]) {
    // Items between two kept ones are changed while both lists have one; the remaining items are removed or new.
    while (from < nextFrom && to < nextTo) steps.push({ from: from++, to: to++ });
    while (from < nextFrom) steps.push({ from: from++ });
    while (to < nextTo) steps.push({ to: to++ });
    if (from < before.length && to < after.length) steps.push({ from: from++, to: to++ });
  }
  return steps;
}

/** Kept items, as pairs of indexes: the common start and end of both lists, and the longest common subsequence in between. */
function commonItems(before: readonly string[], after: readonly string[]): (readonly [number, number])[] {
  const shorter = Math.min(before.length, after.length);
  let head = 0;
  while (head < shorter && before[head] === after[head]) head++;
  let tail = 0;
  while (tail < shorter - head && before.at(-1 - tail) === after.at(-1 - tail)) tail++;
  const pairs: (readonly [number, number])[] = [];
  for (let index = 0; index < head; index++) pairs.push([index, index]);
  const middle = longestCommon(before.slice(head, before.length - tail), after.slice(head, after.length - tail));
  for (const [from, to] of middle) pairs.push([from + head, to + head]);
  for (let index = tail; index > 0; index--) pairs.push([before.length - index, after.length - index]);
  return pairs;
}

function longestCommon(before: readonly string[], after: readonly string[]): (readonly [number, number])[] {
  if (before.length * after.length > MAX_CELLS)
    return before.flatMap((item, index) => (after[index] === item ? [[index, index] as const] : []));
  const width = after.length + 1;
  const lengths = new Uint32Array((before.length + 1) * width);
  const at = (i: number, j: number): number => lengths[i * width + j] ?? 0;
  for (let i = before.length - 1; i >= 0; i--) {
    for (let j = after.length - 1; j >= 0; j--)
      lengths[i * width + j] = before[i] === after[j] ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1));
  }
  const pairs: (readonly [number, number])[] = [];
  for (let i = 0, j = 0; i < before.length && j < after.length;) {
    if (before[i] === after[j]) pairs.push([i++, j++]);
    else if (at(i + 1, j) >= at(i, j + 1)) i++;
    else j++;
  }
  return pairs;
}
