import type { SharedBytes } from './window-event.ts';

/*
 * V8 does not count shared memory, so its garbage collector never runs because of it.
 * Memory of media is therefore counted and used again. In front of each part is a count of readers that may still read
 * it: one for its window, one for every reply on its way. The thread that wrote it uses the place again at zero.
 */

/** Bytes in front of the media of a part, which hold its use count. */
export const USE_COUNT_BYTES = 8;

/** Gives a new part its first reader. What stood in its place before is overwritten. */
export function firstUse(bytes: SharedBytes): void {
  Atomics.store(new Int32Array(bytes.buffer, bytes.useOffset, 1), 0, 1);
}

/** Adds a reader of a part. */
export function retain(bytes: SharedBytes): void {
  if (bytes.useOffset >= 0) Atomics.add(new Int32Array(bytes.buffer, bytes.useOffset, 1), 0, 1);
}

/** A reader is done with a part. */
export function release(bytes: SharedBytes): void {
  if (bytes.useOffset >= 0) Atomics.sub(new Int32Array(bytes.buffer, bytes.useOffset, 1), 0, 1);
}

/** Whether the bytes at `useOffset` have a reader. @param counts all of the memory that they lie in */
export function isUsed(counts: Int32Array, useOffset: number): boolean {
  return Atomics.load(counts, useOffset / Int32Array.BYTES_PER_ELEMENT) !== 0;
}
