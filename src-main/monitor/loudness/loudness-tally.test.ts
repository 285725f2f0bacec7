import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { streamRules, type WrittenAlarm } from '../alarm-rules.ts';
import { LOUDNESS_ALARMS, loudnessConditions } from '../loudness-conditions.ts';
import { LoudnessTally, type LoudnessBlock } from './loudness-tally.ts';
import { RecentLoudness, type LoudnessNow } from './recent-loudness.ts';

/** Steady tone with a duration in seconds and a level. */
const tone = (level: number, seconds: number): LoudnessBlock[] =>
  Array.from({ length: seconds * 10 }, () => ({ momentary: level, shortTerm: level, truePeak: level + 3 }));
const tallyOf = (blocks: readonly LoudnessBlock[]): LoudnessTally => {
  const tally = new LoudnessTally();
  for (const block of blocks) tally.add(block);
  return tally;
};

describe('loudness figures', () => {
  it.each<[string, readonly LoudnessBlock[], number | null, number | null]>([
    ['EBU Tech 3341, case 1: one level', tone(-23, 20), -23, 0],
    ['case 3: the quiet ends are gated away', [...tone(-36, 10), ...tone(-23, 60), ...tone(-36, 10)], -23, 13],
    ['case 4: below the absolute gate too', [...tone(-72, 10), ...tone(-36, 10), ...tone(-23, 60)], -23, 13],
    ['case 5', [...tone(-26, 20), ...tone(-20, 20), ...tone(-26, 20)], -23, 6],
    ['EBU Tech 3342, case 1', [...tone(-20, 20), ...tone(-30, 20)], -20 - 2.6, 10],
    ['case 4', [...tone(-50, 20), ...tone(-35, 20), ...tone(-20, 20), ...tone(-35, 20), ...tone(-50, 20)], -24.5, 15],
    ['silence', tone(-120, 20), null, null],
    ['nothing', [], null, null],
  ])('match the reference: %s', (_what, blocks, integrated, range) => {
    const figures = tallyOf(blocks).figures();
    if (integrated === null) expect([figures.integrated, figures.range]).toEqual([null, null]);
    else {
      expect(Math.abs((figures.integrated ?? NaN) - integrated)).toBeLessThanOrEqual(0.15);
      expect(Math.abs((figures.range ?? NaN) - (range ?? NaN))).toBeLessThanOrEqual(0.15);
    }
  });

  it('are the same for a sum of parts as for all blocks at once', () => {
    const level = fc.oneof(fc.constant(null), fc.double({ min: -130, max: 5, noNaN: true }));
    const block = fc.record({
      momentary: level,
      shortTerm: level,
      truePeak: fc.double({ min: -130, max: 5, noNaN: true }),
    });
    fc.assert(
      fc.property(fc.array(block, { maxLength: 40 }), fc.nat(40), (blocks, cut) => {
        const sum = tallyOf(blocks.slice(0, cut));
        sum.addAll(tallyOf(blocks.slice(cut)));
        expect(sum.figures()).toEqual(tallyOf(blocks).figures());
      }),
      { numRuns: 50 },
    );
  });
});

describe('loudness alarms', () => {
  const written = (kind: WrittenAlarm['kind'], min: number | null, max: number | null): WrittenAlarm => ({
    kind,
    severity: null,
    raiseMs: null,
    clearMs: null,
    min,
    max,
  });
  const RULES = streamRules(
    LOUDNESS_ALARMS.map((kind) => written(kind, null, null)),
    [written('loudness_short_term', -30, -18), written('loudness_momentary', null, -15)],
  );
  const faults = (blocks: readonly LoudnessBlock[]): string[] => {
    const now = new RecentLoudness().next(blocks, 0) ?? null;
    return [...loudnessConditions(now, RULES, 0)].filter(({ isFaulty }) => isFaulty).map(({ alarm }) => alarm);
  };

  it.each<[string, readonly LoudnessBlock[], readonly string[]]>([
    ['a programme at the target loudness', tone(-23, 90), []],
    ['too loud', tone(-10, 90), ['loudness_momentary', 'loudness_short_term', 'loudness_integrated']],
    ['too quiet', tone(-40, 90), ['loudness_short_term', 'loudness_integrated']],
    ['no hourly value in the first minute', tone(-27, 50), []],
    ['peaks between samples', [...tone(-23, 9), { momentary: -23, shortTerm: -23, truePeak: 0.4 }], ['true_peak']],
    ['from whispers to shouts', [...tone(-44, 500), ...tone(-22, 500)], ['loudness_range']],
    ['no sound', [], []],
  ])('are raised for %s', (_what, blocks, expected) => {
    expect(faults(blocks)).toEqual(expected);
  });

  it('that are raised after ten seconds use the hourly value after ten seconds', () => {
    const rules = streamRules([{ ...written('loudness_integrated', -24, -22), raiseMs: 10_000 }]);
    const now = (seconds: number): LoudnessNow | null => new RecentLoudness().next(tone(-27, seconds), 0) ?? null;
    const isFaulty = (seconds: number): boolean =>
      [...loudnessConditions(now(seconds), rules, 0)][0]?.isFaulty ?? false;
    expect([isFaulty(9), isFaulty(11)]).toEqual([false, true]);
  });

  it('ignore audio from more than an hour ago', () => {
    const recent = new RecentLoudness();
    recent.next(tone(-10, 100), 0);
    expect(recent.next(tone(-23, 100), 3_500_000)?.hour.maxShortTerm).toBe(-10);
    expect(recent.next(tone(-23, 100), 3_700_000)?.hour.maxShortTerm).toBe(-23);
  });
});
