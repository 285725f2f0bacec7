import type { Track } from '../../media/track.ts';
import type { InputEnd } from '../input.ts';

/** Hears what happens to the stream that is copied. */
export interface CopyListener {
  tracks(tracks: readonly Track[]): void;
  /** A CMAF chunk of one track. Borrowed. */
  chunk(trackId: string, bytes: Uint8Array): void;
  /** A splice information section (SCTE-35) that takes effect at `atMs`, epoch milliseconds. */
  splice(section: Uint8Array, atMs: number): void;
  /** The stream has no input for the moment. */
  idle(): void;
  /** The stream is gone, or cannot be copied. Last. */
  ended(end: InputEnd): void;
}

/** The other streams of this server; declared here, joined by the engine. */
export interface CopySourcePort {
  /** Follows a stream from now on; waits for it where it is not there yet. @param follower name of the stream that wants the copy */
  open(source: string, follower: string, listener: CopyListener): { close(): void };
}
