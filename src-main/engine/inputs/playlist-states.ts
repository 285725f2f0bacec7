import type { PlaylistInput, PlaylistPosition } from '../../ingest/playlist/playlist-input.ts';

/** The playlists that play in a media thread, by the name of their stream, for the API. */
export class PlaylistStates {
  readonly #inputs = new Map<string, PlaylistInput>();

  /** A playlist was opened for a stream; it takes the place of an earlier one. */
  add(streamName: string, input: PlaylistInput): void {
    this.#inputs.set(streamName, input);
  }

  /** What the playlist of a stream plays; undefined where there is none. */
  of(streamName: string): PlaylistPosition | undefined {
    const input = this.#inputs.get(streamName);
    if (input?.isClosed) this.#inputs.delete(streamName);
    return input?.state;
  }
}
