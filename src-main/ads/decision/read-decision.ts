import { adInjectSchema } from '../../../src-preload/contract/api/ad-objects.ts';
import { because, type Explained, type Explanation } from '../../../src-preload/contract/explanations/explanations.ts';
import { issueExplained, plainIssue } from '../../../src-preload/contract/plain-issue.ts';
import { USUAL_RULES, type AdDecision, type BreakRules } from './ad-decision.ts';

/** Sentence with its code and facts. */
export interface Remark {
  readonly detail: string;
  readonly explanation: Explanation;
}

/** Parsed advertisement decision of a backend. */
export interface ReadDecision {
  /** Undefined if nothing is to be inserted. */
  readonly decision: AdDecision | undefined;
  /** Faults of the answer. */
  readonly faults: readonly Remark[];
  /** Remarks on an answer without faults, for example about a string that was read as a list of one clip. */
  readonly notes: readonly Remark[];
}

/**
 * Parses `ad_inject` of a backend's answer. An answer with a fault inserts nothing.
 * @param rules rules of the stream, used where the answer has none
 */
export function readDecision(answer: unknown, rules: BreakRules = USUAL_RULES): ReadDecision {
  if (answer === undefined || answer === null) return { decision: undefined, faults: [], notes: [] };
  const read = adInjectSchema.safeParse(answer, { error: plainIssue, reportInput: true });
  if (!read.success)
    return {
      decision: undefined,
      faults: read.error.issues.map((issue) =>
        because('schema_of_field', {
          field: ['ad_inject', ...issue.path].join('.'),
          explanation: issueExplained(issue),
        }),
      ),
      notes: [],
    };
  const { v, preroll, midroll, midroll_insert_by: insertBy, midroll_interval: seconds } = read.data;
  const { midroll_overrun: overrun = rules.overrun, midroll_fill: fill } = read.data;
  if (preroll.length === 0 && midroll.length === 0) return { decision: undefined, faults: [], notes: [] };
  const notes = textsAsLists(answer);
  if (midroll.length > 0 && insertBy === 'interval' && seconds === undefined)
    notes.push(because('midroll_without_interval'));
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
function textsAsLists(answer: unknown): Remark[] {
  const fields = Object.entries(typeof answer === 'object' && answer !== null ? answer : {});
  const texts = fields.filter(([name, value]) => /^(pre|mid)roll$/.test(name) && typeof value === 'string');
  return texts.map(([field]) => because('single_clip', { field }));
}

/** Fill of a break from its directive value: `repeat`, `programme` or the path of a slate. */
export function fillOf(word: string): BreakRules['fill'] {
  return word === 'repeat' || word === 'programme' ? word : { slate: word };
}

/** Joins remarks into one sentence with one explanation. */
export function joined(remarks: readonly Remark[]): Explained {
  return (
    remarks.reduceRight<Explained | undefined>(
      (next, explanation) => (next ? because('schema_several', { explanation, next }) : explanation),
      undefined,
    ) ?? { detail: '' }
  );
}
