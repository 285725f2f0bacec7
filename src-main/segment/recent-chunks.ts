import type { ChunkEvent } from './window-event.ts';

/**
 * Number of newest chunks stored for each track: about two seconds. A reader that is later continues with a key
 * frame.
 */
const CHUNKS_PER_TRACK = 16;

/** Position of a chunk. */
type ChunkPosition = Pick<ChunkEvent, 'trackId' | 'msn' | 'partIndex' | 'index'>;

/** Newest chunks of each track of a live window, of open and of complete parts. */
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

  /** Finds a chunk; undefined before it arrives, and after it was dropped. */
  find({ trackId, msn, partIndex, index }: ChunkPosition): ChunkEvent | undefined {
    return this.#tracks
      .get(trackId)
      ?.findLast((chunk) => chunk.index === index && chunk.partIndex === partIndex && chunk.msn === msn);
  }

  add(chunk: ChunkEvent): void {
    const chunks = this.#tracks.get(chunk.trackId);
    if (!chunks) this.#tracks.set(chunk.trackId, [chunk]);
    else if (chunks.push(chunk) > CHUNKS_PER_TRACK) chunks.shift();
  }

  changed(): void {
    for (const listener of this.#listeners) listener();
  }

  /** Drops the chunks of all other tracks. */
  keepTracks(ids: ReadonlySet<string>): void {
    for (const id of this.#tracks.keys()) if (!ids.has(id)) this.#tracks.delete(id);
  }
}
