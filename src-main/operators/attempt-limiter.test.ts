import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { FakeClock } from '../../tests/helpers/fake-clock.ts';
import { ATTEMPT_EVERY_MS, AttemptLimiter, FREE_ATTEMPTS } from './attempt-limiter.ts';

describe('AttemptLimiter', () => {
  it('allows each address ten attempts, and then one every six seconds', () => {
    const clock = new FakeClock();
    const limiter = new AttemptLimiter(() => clock.now());
    for (let n = 0; n < FREE_ATTEMPTS; n++) {
      expect(limiter.waitMs('192.0.2.1')).toBe(0);
      limiter.charge('192.0.2.1');
    }
    expect(limiter.waitMs('192.0.2.1')).toBe(ATTEMPT_EVERY_MS);
    expect(limiter.waitMs('192.0.2.2')).toBe(0);
    clock.advance(ATTEMPT_EVERY_MS - 1);
    expect(limiter.waitMs('192.0.2.1')).toBe(1);
    clock.advance(1);
    expect(limiter.waitMs('192.0.2.1')).toBe(0);
    limiter.charge('192.0.2.1');
    expect(limiter.waitMs('192.0.2.1')).toBeGreaterThan(0);
    clock.advance(60 * ATTEMPT_EVERY_MS);
    for (let n = 0; n < FREE_ATTEMPTS; n++) limiter.charge('192.0.2.1');
    expect(limiter.waitMs('192.0.2.1')).toBe(ATTEMPT_EVERY_MS);
  });

  it('never allows more than its limit, in any order of attempts, and never delays correct logins', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.nat(20_000), fc.boolean()), { maxLength: 200 }), (steps) => {
        const clock = new FakeClock();
        const limiter = new AttemptLimiter(() => clock.now());
        const startMs = clock.now();
        let wrong = 0;
        for (const [pauseMs, isRight] of steps) {
          clock.advance(pauseMs);
          if (limiter.waitMs('a') > 0) continue;
          limiter.charge('a');
          if (isRight) limiter.refund('a');
          else wrong++;
          expect(wrong).toBeLessThanOrEqual(FREE_ATTEMPTS + (clock.now() - startMs) / ATTEMPT_EVERY_MS);
        }
        const patient = new AttemptLimiter(() => clock.now());
        for (let n = 0; n < 100; n++) {
          expect(patient.waitMs('a')).toBe(0);
          patient.charge('a');
          patient.refund('a');
        }
      }),
    );
  });

  it('remembers the newest four wrong logins of an address, until the configured logins change', () => {
    const limiter = new AttemptLimiter(() => 0);
    for (const what of ['a', 'b', 'c', 'd', 'e']) limiter.remember('192.0.2.1', what);
    expect(limiter.isKnownWrong('192.0.2.1', 'a')).toBe(false);
    expect(limiter.isKnownWrong('192.0.2.1', 'e')).toBe(true);
    expect(limiter.isKnownWrong('192.0.2.2', 'e')).toBe(false);
    limiter.forgetWrong();
    expect(limiter.isKnownWrong('192.0.2.1', 'e')).toBe(false);
  });

  it('remembers a limited number of addresses', () => {
    const limiter = new AttemptLimiter(() => 0, 100);
    for (let n = 0; n < 1000; n++) {
      limiter.charge(`192.0.${n >> 8}.${n & 255}`);
      expect(limiter.size).toBeLessThanOrEqual(100);
    }
    expect(limiter.size).toBeGreaterThan(90);
  });

  it('forgets the addresses with the fewest attempts first, so that a flood of addresses does not help guessers', () => {
    const flood = fc.array(fc.tuple(fc.nat(500), fc.nat(3), fc.nat(500)), { minLength: 200, maxLength: 600 });
    fc.assert(
      fc.property(flood, (steps) => {
        const clock = new FakeClock();
        const limiter = new AttemptLimiter(() => clock.now(), 100);
        const startMs = clock.now();
        let guesses = 0;
        for (const [host, tries, pauseMs] of steps) {
          while (limiter.waitMs('192.0.2.1') === 0) {
            limiter.charge('192.0.2.1');
            guesses++;
          }
          for (let n = 0; n <= tries; n++) limiter.charge(`198.51.${host >> 8}.${host & 255}`);
          clock.advance(pauseMs);
        }
        expect(guesses).toBeLessThanOrEqual(FREE_ATTEMPTS + (clock.now() - startMs) / ATTEMPT_EVERY_MS);
      }),
    );
  });

  it('forgets addresses with all attempts left before addresses with fewer', () => {
    const clock = new FakeClock();
    const limiter = new AttemptLimiter(() => clock.now(), 100);
    limiter.charge('192.0.2.1');
    limiter.remember('192.0.2.1', 'old');
    clock.advance(ATTEMPT_EVERY_MS);
    for (let n = 0; n < 100; n++) limiter.charge(`198.51.100.${n}`);
    expect(limiter.isKnownWrong('192.0.2.1', 'old')).toBe(false);
  });

  it('tolerates a clock that is set back', () => {
    let now = 1_000_000;
    const limiter = new AttemptLimiter(() => now);
    for (let n = 0; n < FREE_ATTEMPTS; n++) limiter.charge('a');
    now = 0;
    expect(limiter.waitMs('a')).toBe(ATTEMPT_EVERY_MS);
    now = ATTEMPT_EVERY_MS;
    expect(limiter.waitMs('a')).toBe(0);
  });
});
