/*
 * V8 does not count shared memory, so its garbage collector never hurries for it: who waits for it waits for ever.
 * Buffers of media are therefore counted and used again. Each begins with a count of those who may still read it: one
 * for every part in a window, one for every reply on its way. The thread that owns a buffer takes it back at zero.
 */

/** Bytes in front of the media in every shared buffer; the use count is the first 32-bit integer. */
export const USE_HEADER_BYTES = 64;

/** Adds a reader of a shared buffer. */
export function retain(buffer: ArrayBufferLike): void {
  if (buffer instanceof SharedArrayBuffer) Atomics.add(new Int32Array(buffer, 0, 1), 0, 1);
}

/** A reader is done with a shared buffer. */
export function release(buffer: ArrayBufferLike): void {
  if (buffer instanceof SharedArrayBuffer) Atomics.sub(new Int32Array(buffer, 0, 1), 0, 1);
}

/** Whether nobody reads a shared buffer any more. */
export function isUnused(buffer: SharedArrayBuffer): boolean {
  return Atomics.load(new Int32Array(buffer, 0, 1), 0) === 0;
}
