import type { ConfigWarning } from '../../src-preload/contract/index.ts';
import { explainedText } from './explanation-text.ts';

/** Error or warning of a configuration text in the language of the desk; empty without one. */
export function problemText(problem: Pick<ConfigWarning, 'message' | 'explanation'> | undefined): string {
  return problem ? explainedText({ detail: problem.message, explanation: problem.explanation ?? null }) : '';
}
