import { ticksToMsUp } from '../media/timing/ticks.ts';
import type { SegmentWindow, WindowSegment } from '../segment/segment-window.ts';
import type { SkipReason } from './ad-decision.ts';
import type { Difference } from './clip-fit.ts';
import type { DeliveredSegments } from './delivered-segments.ts';

/** A clip that can be played: a static window with a segment for each second. */
export interface Clip {
  /** Its name in the decision. */
  readonly path: string;
  readonly window: SegmentWindow;
  /** What stands before the times in the addresses of its media. */
  readonly addressPrefix: string;
  /** Why media of it could not be read the last time it was asked for; undefined where it could. */
  readonly readFault?: () => string | undefined;
}

/** A clip that cannot be played, and why. */
export interface MissingClip {
  readonly path: string;
  readonly reason: Extract<SkipReason, 'clip_not_found' | 'clip_unusable' | 'clip_not_ready'>;
  readonly detail: string;
}

/** Finds a clip of a decision, as it is at the moment. */
export type ClipSource = (path: string) => Clip | MissingClip;

/** What is inserted where: `preroll` before the stream, `midroll` during it. */
export type Placement = 'preroll' | 'midroll';

/** One time that a clip is shown to one viewer. */
export interface Showing {
  readonly clip: Clip;
  readonly placement: Placement;
  /** Its start on the timeline of the viewer, in milliseconds. */
  readonly startMs: number;
  /** Segments of it, from the first one; grows while a break by splice points goes on. */
  readonly count: number;
  /** Names its break among those of the stream. */
  readonly breakId: string;
  /** Whether it only fills what the clips of the break left. */
  readonly isSlate: boolean;
  /** What of it went to the viewer. */
  readonly delivered: DeliveredSegments;
}

/** A clip or a break that was left out. */
export interface Skip {
  readonly placement: Placement;
  /** Names its break, or what would have been one. */
  readonly breakId: string;
  readonly reason: SkipReason;
  readonly path: string | null;
  readonly detail: string;
  readonly differences: readonly Difference[];
  /** On the timeline of the viewer, in milliseconds. */
  readonly atMs: number;
}

/** A segment of a clip that went to a viewer. */
export interface Delivered {
  readonly showing: Showing;
  /** Number of the segment in its clip. */
  readonly index: number;
}

/**
 * Names a break of a stream. Breaks by splice points have the same name for all viewers.
 *
 * @param atMs its begin: of the splice point, or for the viewer
 */
export function breakIdOf(kind: 'preroll' | 'interval' | 'splice', atMs: number): string {
  return `${kind}-${Math.round(atMs)}`;
}

/** Segments of the leading track of a clip. */
export function segmentsOf({ window }: Clip): readonly WindowSegment[] {
  const leader = window.tracks[0];
  return leader ? window.segments(leader.track.id) : [];
}

/** Length of the first segments of a clip, in milliseconds. */
export function clipMs(clip: Clip, count: number): number {
  const segments = segmentsOf(clip);
  const [first, next, last] = [segments[0], segments[count], segments.at(-1)];
  if (!first || !last || count === 0) return 0;
  if (next) return next.startMs - first.startMs;
  const timescale = clip.window.tracks[0]?.track.timescale ?? 1;
  return last.startMs + ticksToMsUp(last.segment.durationTicks, timescale) - first.startMs;
}
