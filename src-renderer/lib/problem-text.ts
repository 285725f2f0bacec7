import type { ConfigWarning } from '../../src-preload/contract/index.ts';
import { explainedText } from './explanation-text.ts';

/** Error or warning of a configuration text in the language of the desk; empty without one. */
export function problemText(problem: Pick<ConfigWarning, 'message' | 'explanation'> | undefined): string {
  return problem ? explainedText({ detail: problem.message, explanation: problem.explanation ?? null }) : '';
}

/** Name that was probably meant; undefined if none is similar. */
export function suggestedName({ explanation }: Pick<ConfigWarning, 'explanation'>): string | undefined {
  const name = explanation?.code === 'did_you_mean' ? explanation.facts['name'] : undefined;
  return typeof name === 'string' ? name : undefined;
}
