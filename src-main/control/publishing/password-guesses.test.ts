import { describe, expect, it } from 'vitest';
import { configOf } from '../../../tests/helpers/config-of.ts';
import { FakeClock } from '../../../tests/helpers/fake-clock.ts';
import { ATTEMPT_EVERY_MS, FREE_ATTEMPTS } from '../../operators/attempt-limiter.ts';
import { PasswordGuesses } from './password-guesses.ts';

const config = configOf('stream gate { input publish://; password secret; }\nstream open { input publish://; }');

/** Publishers of one server, and the answer to each: `allowed` or the code. */
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

describe('passwords of publishers', () => {
  it('cannot be guessed: after too many attempts a client has to wait, even with the right one', () => {
    const { clock, answer } = publishers();
    for (let guess = 0; guess < FREE_ATTEMPTS; guess++)
      expect(answer('gate', `guess ${guess}`)).toBe('publish_bad_password');
    expect(answer('gate', 'one more')).toBe('too_many_attempts');
    expect(answer('gate', 'secret')).toBe('too_many_attempts');
    // Attempts count by address without the port; another address has its own attempts.
    expect(answer('gate', 'secret', '192.0.2.9:2000')).toBe('too_many_attempts');
    expect(answer('gate', 'secret', '198.51.100.4:1000')).toBe('allowed');
    clock.advance(ATTEMPT_EVERY_MS);
    expect(answer('gate', 'secret')).toBe('allowed');
  });

  it('may be wrong for hours in an encoder that is set to them', () => {
    const { answer } = publishers();
    const answers = Array.from({ length: 100 }, () => answer('gate', 'last year'));
    expect(new Set(answers)).toEqual(new Set(['publish_bad_password']));
    expect(answer('gate', 'secret')).toBe('allowed');
  });

  it('do not matter if none is required or given', () => {
    const { answer } = publishers();
    for (let guess = 0; guess < 3 * FREE_ATTEMPTS; guess++) {
      expect(answer('open', `anything ${guess}`)).toBe('allowed');
      expect(answer('gate')).toBe('publish_bad_password');
    }
    expect(answer('gate', 'secret')).toBe('allowed');
  });
});
