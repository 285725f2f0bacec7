import { ticksToMsUp } from '../media/timing/ticks.ts';
import type { Track } from '../media/track.ts';
import { letGo } from './media-bytes.ts';
import type { Part, Segment, TrackRate, WindowSegment, WindowTrack } from './segment-window.ts';
import { groupOf, measuredRate } from './track-facts.ts';

type Mutable<T> = { -readonly [K in keyof T]: T[K] };
/** A segment of a live window while it grows. */
export interface LiveSegment extends WindowSegment {
  readonly segment: Mutable<Omit<Segment, 'parts'>> & { readonly parts: Part[] };
}

/** A track of a live window with its segments, oldest first. */
export class LiveTrack implements WindowTrack {
  readonly track: Track;
  readonly group: string;
  hasCaptions: boolean;
  /** Media sequence number of the first segment that it may have. */
  readonly firstMsn: number;
  readonly segments: LiveSegment[];

  /** @param firstMsn where it begins, if it does not go on with the segments of `known` */
  constructor(track: Track, known: LiveTrack | undefined, firstMsn: number) {
    this.track = track;
    this.group = groupOf(track);
    this.hasCaptions = known?.hasCaptions ?? false;
    // Ticks of another timescale mean nothing to the new track: a window in which they mix would lie about its times.
    const same = known?.track.timescale === track.timescale ? known : undefined;
    this.segments = same?.segments ?? [];
    this.firstMsn = same?.firstMsn ?? firstMsn;
  }

  get rate(): TrackRate {
    return measuredRate(this.track, this.segments);
  }

  /** Where the newest segment ends, or has come to, in ticks. */
  get endTicks(): number {
    const last = this.segments.at(-1)?.segment;
    return last ? last.startTicks + last.durationTicks : 0;
  }

  /** The same in epoch milliseconds, rounded up. */
  get endMs(): number {
    return ticksToMsUp(this.endTicks, this.track.timescale);
  }
}

/** Lets go of the media of segments. They keep no part: a reader that still waits for one must not read what its memory is used for next. */
export function releaseParts(segments: readonly LiveSegment[]): void {
  for (const { segment } of segments) for (const part of segment.parts.splice(0)) letGo(part);
}

/** The order of tracks in a window: by their ids, video first. */
export function byContentAndId(a: LiveTrack, b: LiveTrack): number {
  if (a.track.content !== b.track.content) return a.track.content === 'video' ? -1 : 1;
  return a.track.id < b.track.id ? -1 : 1;
}
