import type { FeedStream } from '../../lib/feed/feed-description.ts';
import type { FormatProblem } from '../../media/access-unit.ts';
import type { Track } from '../../media/track.ts';

/** Takes an access unit of a track. The data is borrowed. */
export type UnitReceiver = (data: Uint8Array, dtsTicks: number, ptsTicks: number, isRandomAccess: boolean) => void;

/** One elementary stream on its way from packets to access units. */
export interface UnitTrack {
  /** The current format; undefined until it is known. A new identity means a change of format. */
  readonly track: Track | undefined;
  /** Takes what the container says of the stream; where nothing is new nothing changes. */
  describe(stream: FeedStream): void;
  /** Takes a packet with its times; `dtsTicks` is NaN where the container has none. */
  push(data: Uint8Array, dtsTicks: number, ptsTicks: number, receive: UnitReceiver): void;
  /** The times start anew, and nothing continues. */
  restart(): void;
}

/** What every one is made with. */
export interface UnitTrackOptions {
  readonly trackId: string;
  readonly problem: (problem: FormatProblem) => void;
}
