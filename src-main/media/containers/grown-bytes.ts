/**
 * Buffers of at least this size have their own pages, grow in place, and return their memory to the system. Smaller buffers
 * come from the heap of the C library. This is faster, but the heap would keep the memory of large buffers, for example after
 * many long messages.
 */
const PAGED_BYTES = 1024 * 1024;

/**
 * Buffer of `size` bytes that starts with the first `used` bytes of `bytes`; its other bytes are undefined. `bytes` must not be
 * read any more.
 *
 * @param max maximum size that the buffer may ever have, reserved in the address space for a large one
 */
export function grownBytes(bytes: Uint8Array, used: number, size: number, max: number): Buffer<ArrayBuffer> {
  const { buffer } = bytes;
  if (buffer instanceof ArrayBuffer && buffer.resizable && size <= buffer.maxByteLength) {
    buffer.resize(size);
    return Buffer.from(buffer, 0, size);
  }
  const grown =
    size < PAGED_BYTES
      ? Buffer.allocUnsafeSlow(size)
      : Buffer.from(new ArrayBuffer(size, { maxByteLength: Math.max(size, max) }), 0, size);
  grown.set(bytes.subarray(0, used));
  return grown;
}
