import { adInjectSchema } from '../../../src-preload/contract/api/ad-objects.ts';
import type { PLACEMENTS } from './texts.ts';
import { TEXTS } from './texts.ts';

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

/** An answer in lines, to be edited; a text that is no JSON stays as it is. */
export function inLines(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}

/** What is wrong with an answer; empty where nothing is. */
export function answerFault(text: string): string {
  let answer: unknown;
  try {
    answer = JSON.parse(text);
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
  if (typeof answer !== 'object' || answer === null || !('ad_inject' in answer)) return TEXTS.badAnswer;
  const read = adInjectSchema.safeParse(answer.ad_inject);
  return read.success
    ? ''
    : read.error.issues
        .slice(0, 3)
        .map(({ path, message }) => `${['ad_inject', ...path].join('.')}: ${message}`)
        .join('; ');
}
