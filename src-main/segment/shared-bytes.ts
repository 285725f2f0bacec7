import type { SharedBytes } from './window-event.ts';

/** A copy of `bytes` in shared memory of its own, which is never used again. */
export function toShared(bytes: Uint8Array): SharedBytes {
  const buffer = new SharedArrayBuffer(bytes.length);
  new Uint8Array(buffer).set(bytes);
  return { buffer, offset: 0, length: bytes.length, useOffset: -1 };
}

/** Shared bytes as a Buffer on the same memory. */
export function viewShared(bytes: SharedBytes): Buffer {
  return Buffer.from(bytes.buffer, bytes.offset, bytes.length);
}
