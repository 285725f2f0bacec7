import type { ConfigWarning } from '../../../src-preload/contract/index.ts';
import { explainedText } from '../../lib/explanation-text.ts';
import { problemText } from '../../lib/problem-text.ts';
import { TEXTS } from './texts.ts';

/** Problem with the value of a field as a sentence. It names the expected form, and not the directive. */
export function fieldProblem(problem: Pick<ConfigWarning, 'code' | 'message' | 'explanation'>): string {
  const expected = problem.explanation?.facts['expected'];
  if (problem.explanation?.code !== 'directive_value_wrong' || typeof expected !== 'object')
    return problemText(problem);
  return TEXTS.enter(explainedText({ detail: '', explanation: expected }));
}
