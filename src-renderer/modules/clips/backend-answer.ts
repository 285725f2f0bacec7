import { adInjectSchema } from '../../../src-preload/contract/api/ad-objects.ts';
import type { PLACEMENTS } from './texts.ts';
import { TEXTS } from './texts.ts';

/** Seconds between two interval breaks. */
const INTERVAL_SECONDS = 600;

/** Builds a backend answer that inserts these clips, as JSON text. */
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

/** Indents an answer for editing; a text that is not JSON stays unchanged. */
export function indented(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}

/** Message about an invalid answer; empty for a valid one. */
export function answerProblem(text: string): string {
  let answer: unknown;
  try {
    answer = JSON.parse(text);
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
  if (typeof answer !== 'object' || answer === null || !('ad_inject' in answer)) return TEXTS.invalidAnswer;
  const read = adInjectSchema.safeParse(answer.ad_inject);
  return read.success
    ? ''
    : read.error.issues
        .slice(0, 3)
        .map(({ path, message }) => `${['ad_inject', ...path].join('.')}: ${message}`)
        .join('; ');
}
