import type { PlaylistInput, PlaylistPosition } from '../../ingest/playlist/playlist-input.ts';

/** Playlist inputs of a media thread by the name of their stream, for their positions in the API. */
export class PlaylistStates {
  readonly #inputs = new Map<string, PlaylistInput>();

  /** Registers the playlist of a stream; it replaces an earlier one. */
  add(streamName: string, input: PlaylistInput): void {
    this.#inputs.set(streamName, input);
  }

  /** Position of the playlist of a stream; undefined if there is none. */
  of(streamName: string): PlaylistPosition | undefined {
    const input = this.#inputs.get(streamName);
    if (input?.isClosed) this.#inputs.delete(streamName);
    return input?.state;
  }
}
