import { printFault, type AlarmFault, type AlarmFacts } from '../../../src-preload/contract/api/alarm-faults.ts';
import { systemText } from '../../lib/system-faults.ts';
import { formatFigure } from '../../i18n/i18n.ts';
import { MASK } from '../../lib/mask.ts';
import { isErrorCode } from '../../../src-preload/contract/index.ts';
import { TITLES } from '../../lib/error-texts.ts';
import { FAULTS, LIMITS, TEXTS } from './texts.ts';

/**
 * Description of an alarm in the language of the desk; in English for an alarm of an older server version, which has no code. A
 * login that may not see a fact gets no sentence with a mask.
 */
export function alarmDetail({
  fault,
  facts,
  detail,
}: {
  readonly fault: AlarmFault | null;
  readonly facts: AlarmFacts;
  readonly detail: string;
}): string {
  if (facts['explanation'] === null || Object.values(facts).includes(MASK)) return TEXTS.factsHidden;
  if (fault === null || !(fault in FAULTS)) return detail === MASK ? TEXTS.factsHidden : detail;
  const texts = Object.fromEntries(
    Object.entries(facts).map(([name, fact]) => [name, typeof fact === 'string' ? factText(name, fact) : fact]),
  ) as AlarmFacts;
  return printFault(
    { fault, facts: texts },
    { templates: FAULTS, limits: LIMITS, figure: (value) => formatFigure(value) },
  );
}

/** Text of a fact: an error code is replaced by the title of the error. */
function factText(name: string, fact: string): string {
  return name === 'code' && isErrorCode(fact) ? TITLES[fact] : systemText(fact);
}
