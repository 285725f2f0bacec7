/** Which clips one viewer is shown, and when: what the authorization backend answered. */
export interface AdDecision {
  /** Whether clips are segments of their own, or stand inside the segments of the stream. */
  readonly form: 'apart' | 'inside';
  /** Clips before the stream, each as `LOCATION/PATH` of a file in a VOD location. */
  readonly prerolls: readonly string[];
  /** Clips during the stream, in the order in which they play. */
  readonly midrolls: readonly string[];
  readonly insertBy: 'interval' | 'splicing';
  /** Time of the programme between two breaks, in milliseconds; undefined where there are none by interval. */
  readonly intervalMs: number | undefined;
  readonly rules: BreakRules;
}

/** Time of the programme between two breaks, in milliseconds; infinite where none come by interval. */
export function intervalOf({ insertBy, intervalMs }: AdDecision): number {
  return insertBy === 'interval' ? (intervalMs ?? Infinity) : Infinity;
}

/** How the breaks of a stream play. */
export interface BreakRules {
  /** A clip that the end of its break comes in: `cut` at its next segment, or shown `complete`. */
  readonly overrun: 'cut' | 'complete';
  /** After the last clip of a break that goes on: the clips from the first one on, the stream, or a slate (`LOCATION/PATH`). */
  readonly fill: 'repeat' | 'programme' | { readonly slate: string };
  /** Whether players of HLS insert the clips themselves; by default they stand in the playlists. */
  readonly hls?: 'interstitials' | undefined;
  /** Whether breaks with clips inside the segments are periods in DASH; by default they are not. */
  readonly dash?: 'periods' | undefined;
  /** Whether breaks by splice points are played again in archives; by default they show what was on air. */
  readonly archive?: 'clips' | undefined;
}

/** What the specification has: clips in a circle until the end of the break. */
export const USUAL_RULES: BreakRules = { overrun: 'cut', fill: 'repeat' };

/** Why a clip or a break is left out. */
export type SkipReason =
  /** The location has no such file, or the name is that of no location. */
  | 'clip_not_found'
  /** The file is there and cannot be played: damaged, encrypted, of an unknown format. */
  | 'clip_unusable'
  /** Its media differs from that of the stream. */
  | 'clip_differs'
  /** It was not read in time. */
  | 'clip_not_ready'
  /** None of its clips can be played. */
  | 'break_without_clips'
  /** The viewer came back after more than the window holds. */
  | 'viewer_absent';
