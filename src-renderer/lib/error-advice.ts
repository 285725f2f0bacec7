import { ERRORS, isErrorCode } from '../../src-preload/contract/index.ts';
import type { ErrorCode, ErrorValue } from '../../src-preload/contract/index.ts';
import { configText, detailText } from './detail-text.ts';
import { ADVICE, TITLES } from './error-texts.ts';

/** What an error is called. */
export function errorTitle(code: ErrorCode): string {
  return TITLES[code];
}

/** What the operator can do about an error; empty where there is nothing. */
export function adviceOf(code: ErrorCode): string {
  return code in ADVICE ? String(Reflect.get(ADVICE, code)) : '';
}

/** An error in words for the operator: what is wrong, what exactly, and what to do. */
export function errorSentence(error: ErrorValue): string {
  const title = errorTitle(error.code);
  const wordsOf = error.code.startsWith('config_') ? configText : detailText;
  const detail =
    error.message !== '' && error.message !== ERRORS[error.code].title ? `: ${wordsOf(error.message)}` : '';
  const advice = adviceOf(error.code);
  return `${title}${detail}.${advice === '' ? '' : ` ${advice}`}`.replace(/\.\.+/g, '.');
}

/** What made a job fail, in words for the operator: by its code where it has one of the catalogue. */
export function failureText(code: string | null, detail: string | null): string {
  return code !== null && isErrorCode(code)
    ? errorSentence({ code, message: detail ?? '' })
    : detailText(detail ?? code ?? '');
}
