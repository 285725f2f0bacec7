import type { WorkTurns } from '../../lib/work-turns.ts';
import { muxTsSegment } from '../../packaging/mpegts/segment.ts';
import type { SegmentWindow, WindowSegment } from '../../segment/segment-window.ts';

/** Memory limit of cached muxed segments, in bytes; live viewers request segments in order. */
const MAX_CACHED_BYTES = 64 * 1024 * 1024;

/**
 * Segments of TS renditions, muxed once for all viewers who request them at about the same time. The least recently
 * used segments are dropped first.
 */
export class MuxedSegments {
  readonly #muxed = new Map<WindowSegment, Promise<Uint8Array>>();
  readonly #sizes = new Map<WindowSegment, number>();
  /** Segments that lack damaged media; not cached, because it may become readable. */
  readonly #damaged = new WeakSet<Uint8Array>();
  readonly #maxBytes: number;
  readonly #turns: WorkTurns;
  #bytes = 0;

  /** @param turns turns of addresses for segments that are not cached */
  constructor(turns: WorkTurns, maxBytes = MAX_CACHED_BYTES) {
    this.#turns = turns;
    this.#maxBytes = maxBytes;
  }

  /** Number of cached bytes. */
  get bytes(): number {
    return this.#bytes;
  }

  /**
   * Cached or newly muxed segment. Rejects if its media cannot be read.
   *
   * @param leader segment of the leading track
   * @param address address of the viewer; addresses take turns
   */
  async get(window: SegmentWindow, leader: WindowSegment, address: string): Promise<Uint8Array> {
    if (this.#muxed.has(leader)) return this.#take(window, leader);
    // Another request may have created the segment while this one waited for its turn.
    return this.#turns.run(address, async () => this.#take(window, leader));
  }

  /** Whether damaged media was left out of a segment. */
  isDamaged(bytes: Uint8Array): boolean {
    return this.#damaged.has(bytes);
  }

  async #take(window: SegmentWindow, leader: WindowSegment): Promise<Uint8Array> {
    const cached = this.#muxed.get(leader);
    if (cached) {
      // The most recently used is last.
      this.#muxed.delete(leader);
      this.#muxed.set(leader, cached);
      return cached;
    }
    let isDamaged = false;
    const making = muxTsSegment(window, leader.msn, () => {
      isDamaged = true;
    });
    this.#muxed.set(leader, making);
    try {
      const bytes = await making;
      if (isDamaged) {
        this.#damaged.add(bytes);
        this.#muxed.delete(leader);
        return bytes;
      }
      this.#sizes.set(leader, bytes.length);
      this.#bytes += bytes.length;
    } catch (error) {
      this.#muxed.delete(leader);
      throw error;
    }
    this.#forgetOldest(leader);
    return making;
  }

  #forgetOldest(newest: WindowSegment): void {
    for (const segment of this.#muxed.keys()) {
      if (this.#bytes <= this.#maxBytes) return;
      const size = this.#sizes.get(segment);
      // Unfinished segments are not counted yet.
      if (size === undefined || segment === newest) continue;
      this.#muxed.delete(segment);
      this.#sizes.delete(segment);
      this.#bytes -= size;
    }
  }
}
