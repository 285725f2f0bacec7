import type { ChunkEvent } from './window-event.ts';

/** Chunks that are kept of each track, the newest ones: some two seconds, after which a feed goes on with a key frame. */
const KEPT = 16;

/** Where a chunk stands. */
type ChunkPlace = Pick<ChunkEvent, 'trackId' | 'msn' | 'partIndex' | 'index'>;

/** The newest chunks of a live window: what its open parts have so far, and their last chunks when they are complete. */
export class RecentChunks {
  readonly #tracks = new Map<string, ChunkEvent[]>();
  readonly #listeners = new Set<() => void>();

  /** Calls back when chunks were added; returns the function that ends it. */
  onChange(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => {
      this.#listeners.delete(listener);
    };
  }

  /** A chunk; undefined where it has not come, or is kept no more. */
  find({ trackId, msn, partIndex, index }: ChunkPlace): ChunkEvent | undefined {
    return this.#tracks
      .get(trackId)
      ?.findLast((chunk) => chunk.index === index && chunk.partIndex === partIndex && chunk.msn === msn);
  }

  add(chunk: ChunkEvent): void {
    const known = this.#tracks.get(chunk.trackId);
    if (!known) this.#tracks.set(chunk.trackId, [chunk]);
    else if (known.push(chunk) > KEPT) known.shift();
  }

  /** Calls the listeners. */
  changed(): void {
    for (const listener of this.#listeners) listener();
  }

  /** Keeps nothing of other tracks. */
  keepTracks(ids: ReadonlySet<string>): void {
    for (const id of this.#tracks.keys()) if (!ids.has(id)) this.#tracks.delete(id);
  }
}
