import type { FeedStream } from '../../lib/feed/feed-description.ts';
import type { FormatProblem } from '../../media/access-unit.ts';
import type { Track } from '../../media/track.ts';

/** Receives an access unit of a track. The data is borrowed. */
export type UnitReceiver = (data: Uint8Array, dtsTicks: number, ptsTicks: number, isRandomAccess: boolean) => void;

/** Converts the packets of one elementary stream to access units. */
export interface PacketReader {
  /** Current format; undefined until known. Another object means a change of format. */
  readonly track: Track | undefined;
  /** Processes the description of the stream by the container. An unchanged description has no effect. */
  describe(stream: FeedStream): void;
  /** Processes a packet with its times; `dtsTicks` is NaN if the container states none. */
  push(data: Uint8Array, dtsTicks: number, ptsTicks: number, receive: UnitReceiver): void;
  /** Prepares for times that do not continue the previous times. */
  restart(): void;
}

export interface PacketReaderOptions {
  readonly trackId: string;
  readonly problem: (problem: FormatProblem) => void;
}
