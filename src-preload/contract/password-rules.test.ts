import { expect, it } from 'vitest';
import { passwordWeakness } from './password-rules.ts';

it.each([
  ['short', 'too_short'],
  ['1234567', 'too_short'],
  ['i am Anna too', 'contains_login'],
  ['aaaabbbb', 'repeats'],
  ['12345678', 'common'],
  ['987654321', 'common'],
  ['Password1', 'common'],
  ['qwertz12', 'common'],
])('passwordWeakness refuses %s with %s', (password, reason) => {
  expect(passwordWeakness(password, 'anna')).toBe(reason);
});

it.each(['correct horse', 'Übergröße', 'my password is a long phrase', '73519024'])(
  'passwordWeakness accepts %s',
  (password) => {
    expect(passwordWeakness(password, 'anna')).toBeUndefined();
  },
);
