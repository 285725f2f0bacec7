import { describe, expect, it } from 'vitest';
import { MAX_REFUSALS_OF_ADDRESS, DenyCache } from './deny-cache.ts';

const DENIED = { code: 'playback_denied', detail: 'no', untilMs: 1000 } as const;

describe('cached refusals', () => {
  it('apply until they expire', () => {
    const refusals = new DenyCache();
    refusals.add('192.0.2.1', 'a', DENIED);
    expect(refusals.get('192.0.2.1', 'a', 999)).toEqual(DENIED);
    expect(refusals.get('192.0.2.1', 'a', 1000)).toBeUndefined();
    expect(refusals.size).toBe(0);
  });

  it('of one address replace only refusals of this address', () => {
    const refusals = new DenyCache();
    refusals.add('192.0.2.1', 'banned', DENIED);
    for (let n = 0; n < 3 * MAX_REFUSALS_OF_ADDRESS; n++)
      refusals.add(`2001:db8::${(n % 5000).toString(16)}`, `invented ${n}`, DENIED);
    expect(refusals.get('192.0.2.1', 'banned', 0)).toEqual(DENIED);
    expect(refusals.size).toBe(MAX_REFUSALS_OF_ADDRESS + 1);
    expect(refusals.get('2001:db8::1', `invented ${3 * MAX_REFUSALS_OF_ADDRESS - 1}`, 0)).toEqual(DENIED);
  });

  it('are removed when they expire, also without a request', () => {
    const refusals = new DenyCache();
    for (let n = 0; n < 100; n++) refusals.add(`192.0.2.${n}`, 'a', { ...DENIED, untilMs: n });
    refusals.sweep(50);
    expect(refusals.size).toBe(49);
  });
});
