import { describe, expect, it } from 'vitest';
import { nextWatch, QUIET } from './alarm-watch.ts';
import { streamRules, type WrittenAlarm } from './alarm-rules.ts';
import { contentConditions, needsLooks, NOTHING_SEEN, seeContent, type Look, type SeenContent } from './content.ts';

const SIZE = 128 * 72;
const flat = (value: number): Uint8Array => new Uint8Array(SIZE).fill(value);
/** A picture with a bright square of 8 × 8 at a place. */
const square = (left: number): Uint8Array => {
  const luma = flat(100);
  for (let row = 8; row < 16; row++) luma.fill(220, row * 128 + left, row * 128 + left + 8);
  return luma;
};
const written = (kind: WrittenAlarm['kind'], more: Partial<WrittenAlarm> = {}): WrittenAlarm => ({
  ...{ kind, severity: null, raiseMs: null, clearMs: null, min: null, max: null },
  ...more,
});
const RULES = streamRules(
  (['black', 'frozen', 'silence', 'silence_frozen'] as const).map((kind) => written(kind)),
  [written('level', { max: -3 })],
);

function faults(looks: readonly Look[]): string[] {
  let seen: SeenContent = NOTHING_SEEN;
  for (const [index, look] of looks.entries()) seen = seeContent(seen, look, (index + 1) * 1000);
  return [...contentConditions(seen, RULES, seen.atMs)].filter(({ isFaulty }) => isFaulty).map(({ alarm }) => alarm);
}

describe('a machine that looks late', () => {
  /** Whether an alarm is raised by looks at these seconds, in the minute. */
  const isRaised = (
    alarm: 'black' | 'frozen',
    looks: readonly (readonly [second: number, luma: Uint8Array])[],
  ): boolean => {
    let [seen, watch, isEver]: [SeenContent, typeof QUIET, boolean] = [NOTHING_SEEN, QUIET, false];
    for (let second = 0; second < 60; second++) {
      const now = looks.find(([at]) => at === second);
      if (now) seen = seeContent(seen, { luma: now[1], peak: 0.3 }, second * 1000);
      const reading = [...contentConditions(seen, RULES, second * 1000)].find((one) => one.alarm === alarm);
      if (reading) watch = nextWatch(watch, reading, second * 1000, RULES[alarm]);
      isEver ||= watch.isRaised;
    }
    return isEver;
  };
  const STILL = square(10);
  const MOVED = square(40);

  it('takes no scene to last until it looks again', () => {
    const caption = [1, 5, 9, 13, 17, 21].map((second) => [second, STILL] as const);
    expect(isRaised('frozen', [...caption, [40, MOVED], [44, STILL]])).toBe(false);
    expect(isRaised('black', [...[1, 5].map((second) => [second, flat(4)] as const), [30, MOVED]])).toBe(false);
  });

  it('raises what goes on', () => {
    const seconds = [1, 12, 25, 38, 50];
    expect(
      isRaised(
        'frozen',
        seconds.map((second) => [second, STILL]),
      ),
    ).toBe(true);
    expect(
      isRaised(
        'black',
        seconds.map((second) => [second, flat(4)]),
      ),
    ).toBe(true);
  });
});

describe('what is seen and heard', () => {
  it.each<[string, readonly Look[], readonly string[]]>([
    ['a picture that moves, with sound', [10, 40].map((left) => ({ luma: square(left), peak: 0.3 })), []],
    ['a small part that moves', [square(10), square(14)].map((luma) => ({ luma, peak: 0.3 })), []],
    ['black, which is not frozen too', [flat(4), flat(4)].map((luma) => ({ luma, peak: 0.3 })), ['black']],
    ['a dark scene that is not black', [30, 40].map((value) => ({ luma: flat(value), peak: 0.3 })), []],
    ['the same picture coded again', [80, 81, 80].map((luma) => ({ luma: flat(luma), peak: 0.3 })), ['frozen']],
    ['two pictures of a loop', [square(10), square(40), square(40)].map((luma) => ({ luma, peak: 0.3 })), []],
    ['silence', [10, 40].map((left) => ({ luma: square(left), peak: 0 })), ['silence']],
    ['a quiet scene', [10, 40].map((left) => ({ luma: square(left), peak: 0.002 })), []],
    ['frozen and silent', [1, 2, 3].map(() => ({ luma: flat(80), peak: 0 })), ['frozen', 'silence', 'silence_frozen']],
    ['too loud', [10, 40].map((left) => ({ luma: square(left), peak: 1 })), ['level']],
    ['nothing at all', [{ luma: null, peak: null }], []],
  ])('%s', (_what, looks, expected) => {
    expect(faults(looks)).toEqual(expected);
  });

  it('counts from the first picture that was so', () => {
    let seen: SeenContent = NOTHING_SEEN;
    for (const atMs of [1000, 5000, 9000]) seen = seeContent(seen, { luma: flat(80), peak: null }, atMs);
    expect([seen.frozenSinceMs, seen.blackSinceMs]).toEqual([1000, null]);
  });

  it('decodes nothing that is not asked for', () => {
    const needs = (picture: boolean, sound: boolean, loudness: boolean): object => ({ picture, sound, loudness });
    expect(needsLooks(streamRules(), false)).toEqual(needs(false, false, false));
    expect(needsLooks(streamRules([written('silence')]), false)).toEqual(needs(false, true, false));
    expect(needsLooks(RULES, false)).toEqual(needs(true, true, false));
    expect(needsLooks(streamRules([written('true_peak')]), false)).toEqual(needs(false, true, true));
    expect(needsLooks(streamRules(), true)).toEqual(needs(false, true, true));
  });
});
