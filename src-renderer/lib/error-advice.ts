import { ERRORS } from '../../src-preload/contract/index.ts';
import type { ErrorCode, ErrorValue } from '../../src-preload/contract/index.ts';
import { ADVICE, TITLES } from './error-texts.ts';

/** What an error is called. */
export function errorTitle(code: ErrorCode): string {
  return TITLES[code];
}

/** An error in words for the operator: what is wrong, what exactly, and what to do. */
export function errorSentence(error: ErrorValue): string {
  const title = errorTitle(error.code);
  const detail = error.message !== '' && error.message !== ERRORS[error.code].title ? `: ${error.message}` : '';
  const advice = error.code in ADVICE ? Reflect.get(ADVICE, error.code) : undefined;
  return `${title}${detail}.${advice === undefined ? '' : ` ${advice}`}`.replace(/\.\.+/g, '.');
}
