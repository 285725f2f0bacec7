import { EXPLANATIONS, fillFacts } from '../../src-preload/contract/index.ts';
import type { Explained, Explanation } from '../../src-preload/contract/index.ts';
import { translated } from '../i18n/translated.ts';
import { formatFigure } from '../i18n/i18n.ts';
import { EXPLANATIONS_DE } from './explanation-texts-de.ts';
import { systemText } from './system-faults.ts';

const TEXTS: Readonly<Record<string, string>> = translated('explanations', EXPLANATIONS, EXPLANATIONS_DE);

/** Facts that identify something: `port 9998`, not `port 9,998`. */
const IDENTIFIERS: ReadonlySet<string> = new Set([
  'exit',
  'height',
  'line',
  'number',
  'packet',
  'pid',
  'port',
  'program',
  'status',
  'track',
  'width',
]);

/**
 * Explanation of an error in the language of the desk. Without a code, `detail` is a message of another program: errors of the
 * operating system are translated, and other messages stay unchanged.
 */
export function explainedText({
  detail,
  explanation,
}: {
  readonly detail: string;
  readonly explanation?: Explained['explanation'] | null;
}): string {
  return (explanation && sentenceOf(explanation)) ?? systemText(detail);
}

/** Undefined for a code of a newer server. */
function sentenceOf({ code, facts }: Explanation): string | undefined {
  if (!Object.hasOwn(EXPLANATIONS, code)) return undefined;
  const values = Object.entries(facts).map(([name, fact]) => {
    if (typeof fact === 'number') return [name, IDENTIFIERS.has(name) ? fact : formatFigure(fact)];
    return [name, typeof fact === 'string' ? systemText(fact) : (sentenceOf(fact) ?? fact.code)];
  });
  return fillFacts(TEXTS[code] ?? '', Object.fromEntries(values));
}
