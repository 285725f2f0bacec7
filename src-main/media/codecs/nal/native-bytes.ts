// The prototype is typed as `any`; its methods take plain Uint8Arrays as well, which is what they are called on here.
const { copy } = Buffer.prototype as Buffer;
const indexOf: (needle: Uint8Array, from: number) => number = (Buffer.prototype as Buffer).indexOf;

/** Position of `needle` in `bytes` at or after `from`, or -1: the vectorised search of Buffer for any Uint8Array. */
export function indexOfBytes(bytes: Uint8Array, needle: Uint8Array, from: number): number {
  return indexOf.call(bytes, needle, from);
}

/** Copies `source` from `start` to `end` into `target`, without a view of either. */
export function copyBytes(source: Uint8Array, target: Uint8Array, targetStart: number, start: number, end: number): void {
  copy.call(source, target, targetStart, start, end);
}
