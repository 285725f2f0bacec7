import { ERRORS, isErrorCode } from '../../src-preload/contract/index.ts';
import type { ErrorCode, ErrorValue, Explained } from '../../src-preload/contract/index.ts';
import { explainedText } from './explanation-text.ts';
import { ADVICE, TITLES, WEAKNESSES } from './error-texts.ts';

/** Title of an error. */
export function errorTitle(code: ErrorCode): string {
  return TITLES[code];
}

/** Advice for the operator; empty if there is none. */
export function adviceOf(code: ErrorCode): string {
  return code in ADVICE ? String(Reflect.get(ADVICE, code)) : '';
}

/** Describes an error to the operator: title, detail and advice. */
export function errorSentence(error: ErrorValue): string {
  const weakness = String(error.details?.['reason']);
  if (error.code === 'password_weak' && weakness in WEAKNESSES) return String(Reflect.get(WEAKNESSES, weakness));
  const title = errorTitle(error.code);
  const { code, message, explanation } = error;
  const isTitle = message === '' || message === ERRORS[code].title;
  const detail = isTitle ? '' : `: ${explainedText({ detail: message, explanation })}`;
  const advice = adviceOf(error.code);
  return `${title}${detail}.${advice === '' ? '' : ` ${advice}`}`.replace(/\.\.+/g, '.');
}

/** Describes the failure of a job to the operator: by its code if the catalogue has it, else by its detail. */
export function failureText(
  code: string | null,
  detail: string | null,
  explanation: Explained['explanation'] | null = null,
): string {
  return code !== null && isErrorCode(code)
    ? errorSentence({ code, message: detail ?? '', explanation: explanation ?? undefined })
    : explainedText({ detail: detail ?? code ?? '', explanation });
}
