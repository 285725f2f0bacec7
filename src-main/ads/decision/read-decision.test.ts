import { describe, expect, it } from 'vitest';
import { because } from '../../../src-preload/contract/explanations/explanations.ts';
import { joined, readDecision } from './read-decision.ts';

describe('readDecision', () => {
  it('fills in defaults, and accepts a single clip instead of a list', () => {
    expect(readDecision({ preroll: 'ads/one.mp4' }).decision).toEqual({
      form: 'in_place',
      prerolls: ['ads/one.mp4'],
      midrolls: [],
      insertBy: 'interval',
      intervalMs: undefined,
      rules: { overrun: 'cut', fill: 'repeat' },
    });
    expect(
      readDecision({ v: 1, midroll: ['ads/a.mp4', 'ads/b.mp4'], midroll_insert_by: 'interval', midroll_interval: 60 }),
    ).toMatchObject({ decision: { midrolls: ['ads/a.mp4', 'ads/b.mp4'], intervalMs: 60_000 }, notes: [] });
  });

  it('takes the rules for short and long breaks from the stream, or from the answer', () => {
    const rules = { overrun: 'complete', fill: { slate: 'ads/slate.mp4' } } as const;
    const decision = { midroll: 'ads/one.mp4', midroll_insert_by: 'splicing' };
    expect(readDecision(decision, rules).decision?.rules).toEqual(rules);
    const decisionRules = { midroll_overrun: 'cut', midroll_fill: 'programme' };
    expect(readDecision({ ...decision, ...decisionRules }, rules).decision?.rules).toEqual({
      overrun: 'cut',
      fill: 'programme',
    });
    expect(readDecision({ ...decision, midroll_fill: 'black' }).faults).toHaveLength(1);
  });

  it('returns no decision without clips', () => {
    for (const answer of [undefined, null, {}, { preroll: [] }])
      expect(readDecision(answer)).toEqual({ decision: undefined, faults: [], notes: [] });
  });

  it.each([
    ['an address', { preroll: ['http://ads.example/one.mp4'] }, /^ad_inject\.preroll.*/],
    ['a path of the file system', { midroll: ['/srv/ads/one.mp4'] }, /VOD locations|Invalid input/],
    ['a name without a location', { preroll: ['one.mp4'] }, /^ad_inject\.preroll/],
    ['another version', { v: 3, preroll: ['ads/a.mp4'] }, /^ad_inject\.v: /],
    ['a field that is not known', { preroll: ['ads/a.mp4'], postroll: [] }, /postroll/],
    ['too many clips', { preroll: Array.from({ length: 101 }, (_, at) => `ads/${at}.mp4`) }, /^ad_inject\.preroll/],
    ['no object', 'preroll', /^ad_inject: /],
    ['an interval of 0', { midroll: ['ads/a.mp4'], midroll_interval: 0 }, /^ad_inject\.midroll_interval: /],
  ])('refuses the complete answer with %s', (_, answer, message) => {
    const { decision, faults } = readDecision(answer);
    expect(decision).toBeUndefined();
    expect(joined(faults).detail).toMatch(message);
  });

  it.each([
    [{ v: 3 }, 'ad_inject.v: Expected one of 1, 2'],
    [{ midroll_interval: 0 }, 'ad_inject.midroll_interval: Expected at least 1'],
    [{ midroll_interval: '60' }, 'ad_inject.midroll_interval: Expected a number'],
    [{ midroll_insert_by: 'x' }, 'ad_inject.midroll_insert_by: Expected one of interval, splicing'],
    [{ preroll: null }, 'ad_inject.preroll: Expected a list or a text'],
    [{ preroll: Array.from({ length: 101 }, () => 'ads/a.mp4') }, 'ad_inject.preroll: Expected at most 100 items'],
    [{ postroll: [] }, 'ad_inject: There is no key postroll here'],
  ])('explains the fault in %j', (answer, fault) => {
    expect(readDecision(answer).faults).toMatchObject([{ detail: fault }]);
  });

  it('notes where the decision deviates from the answer', () => {
    expect(readDecision({ midroll: ['ads/a.mp4'] }).notes).toEqual([because('midroll_without_interval')]);
    expect(readDecision({ preroll: 'ads/a.mp4' }).notes).toEqual([because('single_clip', { field: 'preroll' })]);
  });

  it('returns code and facts of each fault, and of all faults together', () => {
    const { faults } = readDecision({ preroll: ['http://ads.example/one.mp4'], midroll_interval: 0, splicing: true });
    expect(faults).toEqual([
      because('schema_of_field', { field: 'ad_inject.preroll.0', explanation: because('clip_is_address') }),
      because('schema_of_field', {
        field: 'ad_inject.midroll_interval',
        explanation: because('schema_expected', { expected: because('expected_min', { amount: 1 }) }),
      }),
      because('schema_of_field', {
        field: 'ad_inject',
        explanation: because('schema_key_unknown', { name: 'splicing' }),
      }),
    ]);
    expect(joined(faults)).toMatchObject({
      detail: faults.map(({ detail }) => detail).join('; '),
      explanation: { code: 'schema_several', facts: { explanation: faults[0]?.explanation } },
    });
    expect(joined([])).toEqual({ detail: '' });
  });
});
