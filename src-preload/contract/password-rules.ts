/** Minimum length of a person's password, in characters. */
export const MIN_PASSWORD_LENGTH = 8;
/** Minimum number of different characters. */
const MIN_DIFFERENT = 4;
/** Passwords that guessing tools try first. A password that consists mostly of one of them is refused too. */
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

/** Reasons why a password is refused. */
export const PASSWORD_WEAKNESSES = {
  too_short: `The password must have at least ${MIN_PASSWORD_LENGTH} characters`,
  contains_login: 'The password must not contain the login',
  repeats: `The password must have at least ${MIN_DIFFERENT} different characters`,
  common: 'The password is easy to guess; use a longer phrase',
  unchanged: 'The new password must differ from the current one',
} as const;
/** Reason why a password is refused. */
export type PasswordWeakness = keyof typeof PASSWORD_WEAKNESSES;

/** Reason why a password is easy to guess; undefined for a strong one. */
export function passwordWeakness(givenPassword: string, givenLogin: string): PasswordWeakness | undefined {
  const [password, login] = [givenPassword.normalize('NFC'), givenLogin.normalize('NFC')];
  const characters = [...password];
  if (characters.length < MIN_PASSWORD_LENGTH) return 'too_short';
  const lower = password.toLowerCase();
  if (login.length >= 3 && lower.includes(login.toLowerCase())) return 'contains_login';
  if (new Set(characters).size < MIN_DIFFERENT) return 'repeats';
  const isSequence = /^\d+$/.test(password) && (DIGITS.includes(password) || isReversedSequence(password));
  const isCommon = COMMON.some((word) => lower.includes(word) && lower.length - word.length < MIN_DIFFERENT + 1);
  return isSequence || isCommon ? 'common' : undefined;
}

function isReversedSequence(digits: string): boolean {
  return DIGITS.includes([...digits].reverse().join(''));
}
