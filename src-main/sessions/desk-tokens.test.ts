import { describe, expect, it } from 'vitest';
import { DeskTokens } from './desk-tokens.ts';

const BOSS = { id: 'boss', login: 'boss', rights: 'password 1' };
const OTHER = { id: 'session 7', login: 'ann', rights: 'password 2' };
const HOUR_MS = 3_600_000;

/** Tokens with a clock that the test can set. */
function stage(): { tokens: DeskTokens; clock: { nowMs: number } } {
  const clock = { nowMs: 1_800_000_000_000 };
  return { tokens: new DeskTokens({ now: () => clock.nowMs }), clock };
}

describe('viewing tokens of the desk', () => {
  it('play all streams or only open streams, and are different for each login', () => {
    const { tokens } = stage();
    const [all, open, other] = [tokens.issue(BOSS, 'all'), tokens.issue(BOSS, 'open'), tokens.issue(OTHER, 'all')];
    expect(new Set([all, open, other]).size).toBe(3);
    expect([all, open, other].map((token) => tokens.reachOf(token))).toEqual(['all', 'open', 'all']);
    for (const wrong of ['', 'desk-', `${all}0`, all.replace(/.$/, 'g'), 'viewer'])
      expect([wrong, tokens.reachOf(wrong)]).toEqual([wrong, undefined]);
  });

  it('are renewed every hour, and stay valid for another hour', () => {
    const { tokens, clock } = stage();
    const first = tokens.issue(BOSS, 'all');
    clock.nowMs += HOUR_MS - 1;
    expect(tokens.issue(BOSS, 'all')).toBe(first);
    clock.nowMs += 1;
    const second = tokens.issue(BOSS, 'all');
    expect(second).not.toBe(first);
    expect([tokens.reachOf(first), tokens.reachOf(second)]).toEqual(['all', 'all']);
    clock.nowMs += HOUR_MS;
    expect([tokens.reachOf(first), tokens.reachOf(second)]).toEqual([undefined, 'all']);
    clock.nowMs += HOUR_MS;
    expect(tokens.reachOf(second)).toBeUndefined();
  });

  it('are void once the rights of their login change, while tokens of other logins stay valid', () => {
    const { tokens } = stage();
    const [boss, other] = [tokens.issue(BOSS, 'all'), tokens.issue(OTHER, 'all')];
    tokens.keepOnly(({ id }) => id !== 'boss');
    expect([tokens.reachOf(boss), tokens.reachOf(other)]).toEqual([undefined, 'all']);
    expect([boss, other, 'desk-42', 'viewer', ''].map((token) => tokens.isVoid(token))).toEqual([
      true,
      false,
      false,
      false,
      false,
    ]);
    const again = tokens.issue({ ...BOSS, rights: 'password 3' }, 'all');
    expect([again === boss, tokens.reachOf(again)]).toEqual([false, 'all']);
    expect(tokens.issue({ ...BOSS, rights: 'password 4' }, 'all')).not.toBe(again);
  });

  it('are void if the clock is set back by more than their validity', () => {
    const { tokens, clock } = stage();
    const token = tokens.issue(BOSS, 'all');
    clock.nowMs -= 2 * HOUR_MS;
    expect(tokens.reachOf(token)).toBeUndefined();
    expect(tokens.issue(BOSS, 'all')).not.toBe(token);
  });

  it('are limited in number; the oldest become void first', () => {
    const { tokens } = stage();
    const all = Array.from({ length: 5000 }, (_, at) =>
      tokens.issue({ id: `session ${at}`, login: 'ann', rights: '' }, 'all'),
    );
    const valid = all.filter((token) => tokens.reachOf(token) !== undefined);
    expect(valid).toEqual(all.slice(-4096));
  });
});
