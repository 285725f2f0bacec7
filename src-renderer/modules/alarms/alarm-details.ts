import {
  FAULT_WORDS,
  printFault,
  type AlarmFault,
  type AlarmFacts,
} from '../../../src-preload/contract/api/alarm-words.ts';
import { detailText } from '../../lib/detail-text.ts';
import { i18n } from '../../i18n/i18n.ts';
import { FAULTS, LIMITS } from './texts.ts';

/** What is wrong, in the language of the desk; in that of the server where it is of an older version, which had words alone. */
export function alarmDetail({
  fault,
  facts,
  detail,
}: {
  readonly fault: AlarmFault | null;
  readonly facts: AlarmFacts;
  readonly detail: string;
}): string {
  if (fault === null || !(fault in FAULTS)) return detail;
  const figures = new Intl.NumberFormat(i18n.global.locale.value, { maximumFractionDigits: 2 });
  const said = Object.fromEntries(
    Object.entries(facts).map(([name, fact]) => [name, typeof fact === 'string' ? detailText(fact) : fact]),
  ) as AlarmFacts;
  return printFault(
    { fault, facts: said },
    { words: FAULTS, limits: LIMITS, figure: (value) => figures.format(value) },
  );
}

/** The English words of each fault, as what finds its facts in them. Those that have nothing of their own fit any text. */
const FAULT_PATTERNS = Object.entries(FAULT_WORDS)
  .filter(([, words]) => !words.startsWith('{') && !words.includes('{limits}'))
  .map(([fault, words]) => {
    const escaped = words.replace(/[.*+?^$()|[\]\\]/g, '\\$&');
    const named = new Set<string>();
    const source = escaped.replace(/\{(\w+)\}/g, (_, name: string) => {
      if (named.has(name)) return `\\k<${name}>`;
      named.add(name);
      return `(?<${name}>[^\\n]+?)`;
    });
    // The names of the words are its type.
    return { fault: fault as AlarmFault, pattern: new RegExp(`^${source}$`) };
  });

/** What an event of an alarm says is wrong, in the language of the desk: it has the words alone. */
export function alarmSentence(detail: string): string {
  for (const { fault, pattern } of FAULT_PATTERNS) {
    const found = pattern.exec(detail);
    if (found) return alarmDetail({ fault, facts: { ...found.groups }, detail });
  }
  return detailText(detail);
}
