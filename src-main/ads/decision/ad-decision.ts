/** Clips for one viewer and the rules for playing them, as the authorization backend answered. */
export interface AdDecision {
  /** `separate`: clips are separate segments (v 1). `in_place`: clips replace media inside the segments of the stream (v 2). */
  readonly form: 'separate' | 'in_place';
  /** Clips before the stream, each as `LOCATION/PATH` of a file in a VOD location. */
  readonly prerolls: readonly string[];
  /** Clips during the stream, in playing order. */
  readonly midrolls: readonly string[];
  readonly insertBy: 'interval' | 'splicing';
  /** Programme time between two breaks, in milliseconds; undefined without breaks by interval. */
  readonly intervalMs: number | undefined;
  readonly rules: BreakRules;
}

/** Programme time between two breaks, in milliseconds; infinite without breaks by interval. */
export function intervalOf({ insertBy, intervalMs }: AdDecision): number {
  return insertBy === 'interval' ? (intervalMs ?? Infinity) : Infinity;
}

/** Rules for playing the breaks of a stream. */
export interface BreakRules {
  /**
   * Handling of a clip that is playing when its break ends: `cut` ends the clip with its current segment, `complete`
   * plays the clip to its end.
   */
  readonly overrun: 'cut' | 'complete';
  /**
   * Content after the last clip of a break that has not ended: the clips again, the stream, or a slate
   * (`LOCATION/PATH`).
   */
  readonly fill: 'repeat' | 'programme' | { readonly slate: string };
  /** HLS players insert the clips themselves (interstitials); by default the playlists contain the clips. */
  readonly hls?: 'interstitials' | undefined;
  /** DASH manifests have a period for each break with clips inside segments; by default they have none. */
  readonly dash?: 'periods' | undefined;
  /** Whether breaks by splice points play again in archives. By default archives show the media that was on air. */
  readonly archive?: 'clips' | undefined;
}

/** Default of the specification: the clips repeat until the end of the break. */
export const USUAL_RULES: BreakRules = { overrun: 'cut', fill: 'repeat' };
