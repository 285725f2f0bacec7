import { isUnused } from './shared-use.ts';

/** Sizes of slabs in bytes, so that a slab that one track gave back fits another. */
const SIZES = [32, 64, 128, 256, 384, 512, 768, 1024, 1536, 2048, 3072, 4096].map((kib) => kib * 1024);
/** Unused slabs beyond this are left to the garbage collector. */
const MAX_FREE_BYTES = 64 * 1024 * 1024;

/** The slabs of shared memory of one media thread: given out, taken back when their last reader is done, used again. */
export class SlabPool {
  /** Slabs that are full and may still be read. */
  #retired: SharedArrayBuffer[] = [];
  readonly #free = new Map<number, SharedArrayBuffer[]>();
  #freeBytes = 0;

  /** Bytes of full slabs and free ones, for those who measure. */
  get heldBytes(): number {
    return this.#freeBytes + this.#retired.reduce((sum, slab) => sum + slab.byteLength, 0);
  }

  /**
   * A slab for one writer.
   *
   * @param wantedBytes size that would fit well
   * @param leastBytes size that it must have
   */
  take(wantedBytes: number, leastBytes: number): SharedArrayBuffer {
    const size = sizeFor(wantedBytes, leastBytes);
    return this.#takeFree(size) ?? this.#reclaim(size) ?? new SharedArrayBuffer(size);
  }

  /** Takes a slab that gets no more media; it is used again once nobody reads it. */
  retire(slab: SharedArrayBuffer): void {
    if (slab.byteLength > 0) this.#retired.push(slab);
  }

  /** Looks through the retired slabs for unused ones; keeps one of `size` for the caller. */
  #reclaim(size: number): SharedArrayBuffer | undefined {
    let found: SharedArrayBuffer | undefined;
    const inUse: SharedArrayBuffer[] = [];
    for (const slab of this.#retired) {
      if (!isUnused(slab)) inUse.push(slab);
      else if (!found && slab.byteLength === size) found = slab;
      else this.#keep(slab);
    }
    this.#retired = inUse;
    return found;
  }

  #takeFree(size: number): SharedArrayBuffer | undefined {
    const slab = this.#free.get(size)?.pop();
    if (slab) this.#freeBytes -= size;
    return slab;
  }

  #keep(slab: SharedArrayBuffer): void {
    if (this.#freeBytes + slab.byteLength > MAX_FREE_BYTES || !SIZES.includes(slab.byteLength)) return;
    this.#freeBytes += slab.byteLength;
    const list = this.#free.get(slab.byteLength);
    if (list) list.push(slab);
    else this.#free.set(slab.byteLength, [slab]);
  }
}

/** The largest size that is not more than wanted, or the smallest that is enough. */
function sizeFor(wantedBytes: number, leastBytes: number): number {
  let chosen: number | undefined;
  for (const size of SIZES) {
    if (size < leastBytes) continue;
    if (chosen === undefined || size <= wantedBytes) chosen = size;
  }
  return chosen ?? Math.ceil(leastBytes / 4096) * 4096;
}
