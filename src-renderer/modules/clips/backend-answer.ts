import type { PLACEMENTS } from './texts.ts';

/** Seconds between two breaks by interval. */
const INTERVAL_SECONDS = 600;

/** The answer of a backend that inserts these clips, as text to be copied. */
export function backendAnswer(paths: readonly string[], placement: keyof typeof PLACEMENTS): string {
  const clips =
    placement === 'preroll'
      ? { preroll: paths }
      : {
          midroll: paths,
          midroll_insert_by: placement,
          ...(placement === 'interval' ? { midroll_interval: INTERVAL_SECONDS } : {}),
        };
  return JSON.stringify({ ad_inject: { v: 2, ...clips } });
}
