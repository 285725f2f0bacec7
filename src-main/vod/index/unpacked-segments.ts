/** Bytes of segments that are kept: some twenty of television in full resolution. */
const MAX_BYTES = 64 << 20;

/** The segments that were read or unpacked last, of all files: a reply reads its segment in several pieces, and others ask for the same one. */
export class UnpackedSegments {
  readonly #mostBytes: number;
  /** The longest unused first. */
  readonly #kept = new Map<string, Promise<Uint8Array>>();
  readonly #sizes = new Map<string, number>();
  #bytes = 0;
  #keys = 0;

  /** @param mostBytes bytes that are kept; default 64 MiB */
  constructor(mostBytes = MAX_BYTES) {
    this.#mostBytes = mostBytes;
  }

  /** What the keys of one track begin with: no other one has it. */
  newKey(): string {
    return String(this.#keys++);
  }

  /** A segment, unpacked only once as long as it is kept. One that raises is not kept. */
  async get(key: string, unpack: () => Promise<Uint8Array>): Promise<Uint8Array> {
    const known = this.#kept.get(key);
    const made = known ?? unpack();
    this.#kept.delete(key);
    this.#kept.set(key, made);
    try {
      const bytes = await made;
      if (!known && this.#kept.get(key) === made) this.#count(key, bytes.length);
      return bytes;
    } catch (error) {
      if (this.#kept.get(key) === made) this.#kept.delete(key);
      throw error;
    }
  }

  #count(key: string, sizeBytes: number): void {
    this.#sizes.set(key, sizeBytes);
    this.#bytes += sizeBytes;
    for (const oldest of [...this.#kept.keys()]) {
      if (this.#bytes <= this.#mostBytes) break;
      // What is being unpacked is not counted yet, and those who wait for it have it anyway.
      const size = this.#sizes.get(oldest);
      if (size === undefined || oldest === key) continue;
      this.#kept.delete(oldest);
      this.#sizes.delete(oldest);
      this.#bytes -= size;
    }
  }
}
