import type { Track } from '../../media/track.ts';
import type { InputEnd } from '../input.ts';

/** Receives the events of the copied stream. */
export interface CopyListener {
  tracks(tracks: readonly Track[]): void;
  /** Called with a CMAF chunk of one track, borrowed until the call returns. */
  chunk(trackId: string, bytes: Uint8Array): void;
  /** Called with a splice information section (SCTE-35) that takes effect at `atMs`, epoch milliseconds. */
  splice(section: Uint8Array, atMs: number): void;
  /** Called when the stream has no input at the moment. */
  idle(): void;
  /** Called last, when the stream has ended or cannot be copied. */
  ended(end: InputEnd): void;
}

/** Port to the other streams of this server, connected by the engine. */
export interface CopySourcePort {
  /**
   * Follows a stream from now on, or from its start if it does not exist yet.
   * @param follower name of the stream with the copy
   */
  open(source: string, follower: string, listener: CopyListener): { close(): void };
}
