import { describe, expect, it } from 'vitest';
import { configOf } from '../../../tests/helpers/config-of.ts';
import { FakeClock } from '../../../tests/helpers/fake-clock.ts';
import { ATTEMPT_EVERY_MS, FREE_ATTEMPTS } from '../../operators/attempt-limiter.ts';
import { PasswordGuesses } from './password-guesses.ts';

const config = configOf('stream gate { input publish://; password secret; }\nstream open { input publish://; }');

/** Publishers of one server. `answer` returns `allowed` or the code of the refusal. */
function publishers(): { readonly clock: FakeClock; answer(path: string, password?: string, peer?: string): string } {
  const clock = new FakeClock();
  const guesses = new PasswordGuesses(clock);
  return {
    clock,
    answer(path, password, peer = '192.0.2.9:1000') {
      const query = new Map(password === undefined ? [] : [['password', password]]);
      const target = guesses.targetOf(config, { protocol: 'rtmp', path, query, peer });
      return target.allowed ? 'allowed' : target.code;
    },
  };
}

describe('PasswordGuesses', () => {
  it('makes a client wait after too many attempts, even with the right password', () => {
    const { clock, answer } = publishers();
    for (let guess = 0; guess < FREE_ATTEMPTS; guess++)
      expect(answer('gate', `guess ${guess}`)).toBe('publish_bad_password');
    expect(answer('gate', 'one more')).toBe('too_many_attempts');
    expect(answer('gate', 'secret')).toBe('too_many_attempts');
    // Attempts count by address without the port. Another address has its own attempts.
    expect(answer('gate', 'secret', '192.0.2.9:2000')).toBe('too_many_attempts');
    expect(answer('gate', 'secret', '198.51.100.4:1000')).toBe('allowed');
    clock.advance(ATTEMPT_EVERY_MS);
    expect(answer('gate', 'secret')).toBe('allowed');
  });

  it('does not lock out an encoder that repeats the same wrong password for hours', () => {
    const { answer } = publishers();
    const answers = Array.from({ length: 100 }, () => answer('gate', 'last year'));
    expect(new Set(answers)).toEqual(new Set(['publish_bad_password']));
    expect(answer('gate', 'secret')).toBe('allowed');
  });

  it('does not count attempts if no password is required or given', () => {
    const { answer } = publishers();
    for (let guess = 0; guess < 3 * FREE_ATTEMPTS; guess++) {
      expect(answer('open', `anything ${guess}`)).toBe('allowed');
      expect(answer('gate')).toBe('publish_bad_password');
    }
    expect(answer('gate', 'secret')).toBe('allowed');
  });
});
