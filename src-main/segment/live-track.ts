import { ticksToMsUp } from '../media/timing/ticks.ts';
import type { Track } from '../media/track.ts';
import { releaseMedia } from './media-bytes.ts';
import type { Part, Segment, TrackRate, WindowSegment, WindowTrack } from './segment-window.ts';
import { groupOf, measuredRate } from './track-facts.ts';

type Mutable<T> = { -readonly [K in keyof T]: T[K] };
/** Segment of a live window, which may still grow. */
export interface LiveSegment extends WindowSegment {
  readonly segment: Mutable<Omit<Segment, 'parts'>> & { readonly parts: Part[] };
}

/** A track of a live window with its segments, oldest first. */
export class LiveTrack implements WindowTrack {
  readonly track: Track;
  readonly group: string;
  hasCaptions: boolean;
  /** Media sequence number of its first possible segment. */
  readonly firstMsn: number;
  readonly segments: LiveSegment[];

  /** @param before track whose segments it continues, if any @param firstMsn first segment otherwise */
  constructor(track: Track, before: LiveTrack | undefined, firstMsn: number) {
    this.track = track;
    this.group = groupOf(track);
    this.hasCaptions = before?.hasCaptions ?? false;
    // Ticks of another timescale must not mix with those of the new track.
    const same = before?.track.timescale === track.timescale ? before : undefined;
    this.segments = same?.segments ?? [];
    this.firstMsn = same?.firstMsn ?? firstMsn;
  }

  get rate(): TrackRate {
    return measuredRate(this.track, this.segments);
  }

  /** End of the newest segment so far, in ticks. */
  get endTicks(): number {
    const last = this.segments.at(-1)?.segment;
    return last ? last.startTicks + last.durationTicks : 0;
  }

  /** `endTicks` in epoch milliseconds, rounded up. */
  get endMs(): number {
    return ticksToMsUp(this.endTicks, this.track.timescale);
  }
}

/** Releases the media of segments and removes their parts, so that a waiting reader does not read reused memory. */
export function releaseParts(segments: readonly LiveSegment[]): void {
  for (const { segment } of segments) for (const part of segment.parts.splice(0)) releaseMedia(part);
}

/** Removes the parts of a segment that start at a time or later. */
export function withdrawParts({ segment }: LiveSegment, endTicks: number): void {
  for (let part = segment.parts.at(-1); part && part.startTicks >= endTicks; part = segment.parts.at(-1)) {
    segment.parts.pop();
    segment.sizeBytes -= part.sizeBytes;
    releaseMedia(part);
  }
}

/** Order of tracks in a window: video first, then by id. */
export function byContentAndId(a: LiveTrack, b: LiveTrack): number {
  if (a.track.content !== b.track.content) return a.track.content === 'video' ? -1 : 1;
  return a.track.id < b.track.id ? -1 : 1;
}
