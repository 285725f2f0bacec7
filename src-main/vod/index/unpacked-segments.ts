/** Maximum size of cached segments: about twenty segments of full HD video. */
const MAX_BYTES = 64 << 20;

/**
 * Cache of the last unpacked segments of all files: a reply reads its segment in several pieces, and other viewers request the
 * same segment.
 */
export class UnpackedSegments {
  readonly #maxBytes: number;
  /** Segments by key, the least recently used first. */
  readonly #cache = new Map<string, Promise<Uint8Array>>();
  readonly #sizes = new Map<string, number>();
  #bytes = 0;
  #keys = 0;

  /** @param maxBytes maximum cached bytes; default 64 MiB */
  constructor(maxBytes = MAX_BYTES) {
    this.#maxBytes = maxBytes;
  }

  /** Returns a key prefix that no other track has. */
  newKey(): string {
    return String(this.#keys++);
  }

  /** Returns a segment; unpacks it only once while it is cached. A failure is not cached. */
  async get(key: string, unpack: () => Promise<Uint8Array>): Promise<Uint8Array> {
    const cached = this.#cache.get(key);
    const segment = cached ?? unpack();
    this.#cache.delete(key);
    this.#cache.set(key, segment);
    try {
      const bytes = await segment;
      if (!cached && this.#cache.get(key) === segment) this.#count(key, bytes.length);
      return bytes;
    } catch (error) {
      if (this.#cache.get(key) === segment) this.#cache.delete(key);
      throw error;
    }
  }

  #count(key: string, sizeBytes: number): void {
    this.#sizes.set(key, sizeBytes);
    this.#bytes += sizeBytes;
    for (const oldest of [...this.#cache.keys()]) {
      if (this.#bytes <= this.#maxBytes) break;
      // Segments being unpacked have no size yet; their callers receive them even if they are no longer cached.
      const size = this.#sizes.get(oldest);
      if (size === undefined || oldest === key) continue;
      this.#cache.delete(oldest);
      this.#sizes.delete(oldest);
      this.#bytes -= size;
    }
  }
}
