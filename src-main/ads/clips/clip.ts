import { ticksToMsUp } from '../../media/timing/ticks.ts';
import type { SegmentWindow, WindowSegment } from '../../segment/segment-window.ts';
import type { Explained } from '../../../src-preload/contract/explanations/explanations.ts';

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

/** Finds a clip of a decision in its current state, adapted to a stream if one is given. */
export type ClipSource = (path: string, stream?: SegmentWindow) => Clip | MissingClip;

/** `preroll` plays before the stream, `midroll` during it. */
export type Placement = 'preroll' | 'midroll';

/** Reason why a clip or a break is left out. */
type SkipReason =
  /** The location does not contain the file, or the location does not exist. */
  | 'clip_not_found'
  /** The file exists but cannot be played: damaged, encrypted or in an unknown format. */
  | 'clip_unusable'
  /** The format of the clip differs from the format of the stream. */
  | 'clip_differs'
  /** The file was not read in time. */
  | 'clip_not_ready'
  /** No clip of the break can be played. */
  | 'break_without_clips'
  /** The viewer made no request for longer than the window lasts. */
  | 'viewer_absent';

/** A property in which a clip differs from the stream. */
export interface Difference {
  /** Track and property, for example `v1.width`. */
  readonly field: string;
  /** Null if the track does not exist. */
  readonly clip: string | number | null;
  readonly stream: string | number | null;
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

/**
 * Id of a break within a stream. A break at a splice point has the same id for all viewers.
 * @param atMs start of the break: the time of the splice point, or the viewer's time
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
