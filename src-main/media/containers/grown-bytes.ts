/**
 * From this size on a buffer has pages of its own, grows in place, and gives its memory back to the system when it goes. Smaller ones come
 * from the heap of the C library: faster, but it keeps what large ones leave, so that a flood of long messages would stay in memory.
 */
const PAGED_BYTES = 1024 * 1024;

/**
 * A buffer of `size` bytes that begins with the first `used` bytes of another; what follows is undefined. The other must not be read any more.
 *
 * @param most the size that the buffer may ever have: so much of the address space is reserved for a large one
 */
export function grownBytes(bytes: Uint8Array, used: number, size: number, most: number): Buffer<ArrayBuffer> {
  const { buffer } = bytes;
  if (buffer instanceof ArrayBuffer && buffer.resizable && size <= buffer.maxByteLength) {
    buffer.resize(size);
    return Buffer.from(buffer, 0, size);
  }
  const grown =
    size < PAGED_BYTES
      ? Buffer.allocUnsafeSlow(size)
      : Buffer.from(new ArrayBuffer(size, { maxByteLength: Math.max(size, most) }), 0, size);
  grown.set(bytes.subarray(0, used));
  return grown;
}
