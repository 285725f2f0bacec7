import type { SharedBytes } from './window-event.ts';

/** Copies `bytes` into shared memory of its own, which is never reused. */
export function toShared(bytes: Uint8Array): SharedBytes {
  const buffer = new SharedArrayBuffer(bytes.length);
  new Uint8Array(buffer).set(bytes);
  return { buffer, offset: 0, length: bytes.length, useOffset: -1 };
}

/** Returns a Buffer on the same memory. */
export function viewShared(bytes: SharedBytes): Buffer {
  return Buffer.from(bytes.buffer, bytes.offset, bytes.length);
}
