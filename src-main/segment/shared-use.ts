import type { SharedBytes } from './window-event.ts';

/*
 * V8 does not count shared memory, so it never triggers the garbage collector. Memory of media is therefore counted and reused.
 * Before each part is the number of its readers: one for its window, one for each reply in progress. At zero the thread that wrote
 * the part reuses its memory.
 */

/** Size of the use count before the media of a part, in bytes. */
export const USE_COUNT_BYTES = 8;

/** Sets the use count of a new part to one reader. */
export function firstUse(bytes: SharedBytes): void {
  Atomics.store(new Int32Array(bytes.buffer, bytes.useOffset, 1), 0, 1);
}

/** Adds a reader of a part. */
export function retain(bytes: SharedBytes): void {
  if (bytes.useOffset >= 0) Atomics.add(new Int32Array(bytes.buffer, bytes.useOffset, 1), 0, 1);
}

/** Removes a reader of a part. */
export function release(bytes: SharedBytes): void {
  if (bytes.useOffset >= 0) Atomics.sub(new Int32Array(bytes.buffer, bytes.useOffset, 1), 0, 1);
}

/** Whether the bytes at `useOffset` have a reader. @param counts view of the whole shared memory */
export function isUsed(counts: Int32Array, useOffset: number): boolean {
  return Atomics.load(counts, useOffset / Int32Array.BYTES_PER_ELEMENT) !== 0;
}
