import type { ChunkEvent } from './window-event.ts';

/** Newest chunks kept for each track, about two seconds: a feed that is later continues with a key frame. */
const KEPT = 16;

/** Position of a chunk. */
type ChunkPlace = Pick<ChunkEvent, 'trackId' | 'msn' | 'partIndex' | 'index'>;

/** Newest chunks of a live window: those of open parts, and the last ones of complete parts. */
export class RecentChunks {
  readonly #tracks = new Map<string, ChunkEvent[]>();
  readonly #listeners = new Set<() => void>();

  /** Calls `listener` when chunks were added. Returns a function that unsubscribes. */
  onChange(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => {
      this.#listeners.delete(listener);
    };
  }

  /** Finds a chunk; undefined if it has not come yet or has been dropped. */
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

  changed(): void {
    for (const listener of this.#listeners) listener();
  }

  /** Drops the chunks of all other tracks. */
  keepTracks(ids: ReadonlySet<string>): void {
    for (const id of this.#tracks.keys()) if (!ids.has(id)) this.#tracks.delete(id);
  }
}
