import { ticksToMsUp } from '../media/timing/ticks.ts';
import type { SegmentWindow, WindowSegment } from '../segment/segment-window.ts';
import type { SkipReason } from './ad-decision.ts';
import type { Difference } from './clip-fit.ts';
import type { DeliveredSegments } from './delivered-segments.ts';
import type { Explained } from '../../src-preload/contract/explanations/explanations.ts';

/** A playable clip: a static window with a segment for each second. */
export interface Clip {
  /** Name in the decision. */
  readonly path: string;
  readonly window: SegmentWindow;
  /** Prefix of the times in its media addresses. */
  readonly addressPrefix: string;
  /** Reason of the last failed read of its media; undefined if the last read succeeded. */
  readonly readFault?: () => Explained | undefined;
}

/** A clip that cannot be played, and why. */
export interface MissingClip extends Explained {
  readonly path: string;
  readonly reason: Extract<SkipReason, 'clip_not_found' | 'clip_unusable' | 'clip_not_ready'>;
}

/** Finds a clip of a decision in its current state. */
export type ClipSource = (path: string) => Clip | MissingClip;

/** `preroll` plays before the stream, `midroll` during it. */
export type Placement = 'preroll' | 'midroll';

/** One showing of a clip to one viewer. */
export interface Showing {
  readonly clip: Clip;
  readonly placement: Placement;
  /** Start on the viewer's timeline, in milliseconds. */
  readonly startMs: number;
  /** Number of segments, from the first one; grows while a break by splice points lasts. */
  readonly count: number;
  /** Id of its break within the stream. */
  readonly breakId: string;
  /** True if it fills the time left by the clips of the break. */
  readonly isSlate: boolean;
  /** Segments that went to the viewer. */
  readonly delivered: DeliveredSegments;
}

/** A clip or a break that was left out. */
export interface Skip extends Explained {
  readonly placement: Placement;
  /** Id of its break, or of the break that was left out. */
  readonly breakId: string;
  readonly reason: SkipReason;
  readonly path: string | null;
  readonly differences: readonly Difference[];
  /** Time on the viewer's timeline, in milliseconds. */
  readonly atMs: number;
}

/** A clip segment that went to a viewer. */
export interface Delivered {
  readonly showing: Showing;
  /** Number of the segment in its clip. */
  readonly index: number;
}

/**
 * Id of a break within a stream. Breaks by splice points have the same id for all viewers.
 * @param atMs start of the break: the splice point, or the viewer's time
 */
export function breakIdOf(kind: 'preroll' | 'interval' | 'splice', atMs: number): string {
  return `${kind}-${Math.round(atMs)}`;
}

/** Segments of the leading track of a clip. */
export function segmentsOf({ window }: Clip): readonly WindowSegment[] {
  const leader = window.tracks[0];
  return leader ? window.segments(leader.track.id) : [];
}

/** Duration of the first `count` segments of a clip, in milliseconds. */
export function clipMs(clip: Clip, count: number): number {
  const segments = segmentsOf(clip);
  const [first, next, last] = [segments[0], segments[count], segments.at(-1)];
  if (!first || !last || count === 0) return 0;
  if (next) return next.startMs - first.startMs;
  const timescale = clip.window.tracks[0]?.track.timescale ?? 1;
  return last.startMs + ticksToMsUp(last.segment.durationTicks, timescale) - first.startMs;
}
