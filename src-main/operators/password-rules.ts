import { AirdeskError } from '../../src-preload/contract/errors.ts';

/** Minimum length of a person's password, in characters. */
const MIN_PASSWORD_LENGTH = 8;
/** Minimum number of different characters. */
const MIN_DIFFERENT = 4;
/** Passwords, and parts that make up most of a password, that guessing tools try first. */
const COMMON = [
  'password',
  'passwort',
  'qwert',
  'asdf',
  'letmein',
  'welcome',
  'changeme',
  'airdesk',
  'admin',
  'abc123',
];
const DIGITS = '01234567890';

/** Raises `password_weak` with the reason for a password that is easy to guess. */
export function requireStrongPassword(password: string, login: string): void {
  const weakness = weaknessOf(password.normalize('NFC'), login.normalize('NFC'));
  if (weakness) throw new AirdeskError('password_weak', weakness.message, { reason: weakness.reason });
}

function weaknessOf(
  password: string,
  login: string,
): { readonly reason: string; readonly message: string } | undefined {
  const characters = [...password];
  if (characters.length < MIN_PASSWORD_LENGTH)
    return { reason: 'too_short', message: `The password must have at least ${MIN_PASSWORD_LENGTH} characters` };
  const lower = password.toLowerCase();
  if (login.length >= 3 && lower.includes(login.toLowerCase()))
    return { reason: 'contains_login', message: 'The password must not contain the login' };
  if (new Set(characters).size < MIN_DIFFERENT)
    return { reason: 'repeats', message: `The password must have at least ${MIN_DIFFERENT} different characters` };
  const isSequence = /^\d+$/.test(password) && (DIGITS.includes(password) || isReversedSequence(password));
  const isCommon = COMMON.some((word) => lower.includes(word) && lower.length - word.length < MIN_DIFFERENT + 1);
  if (isSequence || isCommon)
    return { reason: 'common', message: 'The password is easy to guess; use a longer phrase' };
  return undefined;
}

function isReversedSequence(digits: string): boolean {
  return DIGITS.includes([...digits].reverse().join(''));
}
