import { printFault, type AlarmFault, type AlarmFacts } from '../../../src-preload/contract/api/alarm-words.ts';
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
