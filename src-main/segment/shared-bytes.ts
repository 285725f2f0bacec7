import { USE_HEADER_BYTES } from './shared-use.ts';
import type { SharedBytes } from './window-event.ts';

/** A copy of `bytes` in shared memory of its own, which belongs to no pool. */
export function toShared(bytes: Uint8Array): SharedBytes {
  const buffer = new SharedArrayBuffer(USE_HEADER_BYTES + bytes.length);
  new Uint8Array(buffer).set(bytes, USE_HEADER_BYTES);
  return { buffer, offset: USE_HEADER_BYTES, length: bytes.length };
}

/** Shared bytes as a Buffer on the same memory. */
export function viewShared(bytes: SharedBytes): Buffer {
  return Buffer.from(bytes.buffer, bytes.offset, bytes.length);
}
