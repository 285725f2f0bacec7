import { adInjectSchema } from '../../../src-preload/contract/api/ad-objects.ts';
import { plainIssue } from '../../../src-preload/contract/plain-issue.ts';
import { USUAL_RULES, type AdDecision, type BreakRules } from './ad-decision.ts';

/** Parsed advertisement decision of a backend. */
export interface ReadDecision {
  /** Undefined if nothing is to be inserted. */
  readonly decision: AdDecision | undefined;
  /** Faults of the answer. */
  readonly faults: readonly string[];
  /** Deviations from the answer. */
  readonly notes: readonly string[];
}

/**
 * Parses `ad_inject` of a backend's answer. An answer with a fault inserts nothing.
 * @param rules rules of the stream, used where the answer has none
 */
export function readDecision(answer: unknown, rules: BreakRules = USUAL_RULES): ReadDecision {
  if (answer === undefined || answer === null) return { decision: undefined, faults: [], notes: [] };
  const read = adInjectSchema.safeParse(answer, { error: plainIssue });
  if (!read.success)
    return {
      decision: undefined,
      faults: read.error.issues.map(({ path, message }) => `${['ad_inject', ...path].join('.')}: ${message}`),
      notes: [],
    };
  const { v, preroll, midroll, midroll_insert_by: insertBy, midroll_interval: seconds } = read.data;
  const { midroll_overrun: overrun = rules.overrun, midroll_fill: fill } = read.data;
  if (preroll.length === 0 && midroll.length === 0) return { decision: undefined, faults: [], notes: [] };
  const notes = textsAsLists(answer);
  if (midroll.length > 0 && insertBy === 'interval' && seconds === undefined)
    notes.push('midroll is not shown: midroll_interval is missing');
  return {
    decision: {
      form: v === 2 ? 'in_place' : 'separate',
      prerolls: preroll,
      midrolls: midroll,
      insertBy,
      intervalMs: seconds === undefined ? undefined : seconds * 1000,
      rules: { ...rules, overrun, fill: fill === undefined ? rules.fill : fillOf(fill) },
    },
    faults: [],
    notes,
  };
}

/** Notes on clip lists that the answer has as one string. */
function textsAsLists(answer: unknown): string[] {
  const fields = Object.entries(typeof answer === 'object' && answer !== null ? answer : {});
  const texts = fields.filter(([name, value]) => /^(pre|mid)roll$/.test(name) && typeof value === 'string');
  return texts.map(([name]) => `${name} is a text, and is read as a list of one clip`);
}

/** Fill of a break from its directive value: `repeat`, `programme` or the path of a slate. */
export function fillOf(word: string): BreakRules['fill'] {
  return word === 'repeat' || word === 'programme' ? word : { slate: word };
}
