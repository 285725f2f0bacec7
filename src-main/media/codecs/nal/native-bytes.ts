// The prototype is typed as `any`; its methods also accept plain Uint8Arrays, as used here.
const { copy } = Buffer.prototype as Buffer;
const indexOf: (needle: Uint8Array, from: number) => number = (Buffer.prototype as Buffer).indexOf;
const fill: (pattern: Uint8Array, start: number, end: number) => void = (Buffer.prototype as Buffer).fill;

/** Position of `needle` in `bytes` at or after `from`, or -1: uses the fast native search of Buffer for any Uint8Array. */
export function indexOfBytes(bytes: Uint8Array, needle: Uint8Array, from: number): number {
  return indexOf.call(bytes, needle, from);
}

/** Copies `source` from `start` to `end` into `target`, without a view of either. */
export function copyBytes(
  source: Uint8Array,
  target: Uint8Array,
  targetStart: number,
  start: number,
  end: number,
): void {
  copy.call(source, target, targetStart, start, end);
}

/**
 * Copies all of `source` into shared memory that no other thread reads yet. `set` and `copy` would copy byte by byte into
 * shared memory unless both arrays have the same alignment. `fill` with a pattern of the same length is one native copy and ten
 * times as fast.
 */
export function copyIntoShared(source: Uint8Array, target: Uint8Array, targetStart: number): void {
  if (source.length > 0) fill.call(target, source, targetStart, targetStart + source.length);
}
