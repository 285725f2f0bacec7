import { describe, expect, it } from 'vitest';
import { streamRules, type WrittenAlarm } from './alarm-rules.ts';
import {
  contentConditions,
  addSound,
  neededContent,
  NOTHING_PROBED,
  addPicture,
  type ProbedContent,
} from './content.ts';

const SIZE = 128 * 72;
const flat = (value: number): Uint8Array => new Uint8Array(SIZE).fill(value);
/** Small picture with a bright square of 8 × 8 pixels. */
const square = (left: number): Uint8Array => {
  const luma = flat(100);
  for (let row = 8; row < 16; row++) luma.fill(220, row * 128 + left, row * 128 + left + 8);
  return luma;
};
const written = (kind: WrittenAlarm['kind'], more: Partial<WrittenAlarm> = {}): WrittenAlarm => ({
  kind,
  severity: null,
  raiseMs: null,
  clearMs: null,
  min: null,
  max: null,
  ...more,
});
const RULES = streamRules(
  (['black', 'frozen', 'silence', 'silence_frozen'] as const).map((kind) => written(kind)),
  [written('level', { max: -3 })],
);

/** Small picture and peak of the audio; null for none. */
interface Probe {
  readonly luma: Uint8Array | null;
  readonly peak: number | null;
}

function faults(looks: readonly Probe[]): string[] {
  let seen: ProbedContent = NOTHING_PROBED;
  for (const [index, { luma, peak }] of looks.entries()) {
    const atMs = (index + 1) * 1000;
    if (luma) seen = addPicture(seen, { luma, atMs, gapMs: 0 });
    if (peak !== null) seen = addSound(seen, { peak, fromMs: atMs - 1000, gapMs: 0 }, RULES);
  }
  return [...contentConditions(seen, RULES)].filter(({ isFaulty }) => isFaulty).map(({ alarm }) => alarm);
}

describe('probes of video and audio content', () => {
  it.each<[string, readonly Probe[], readonly string[]]>([
    ['a moving picture with sound', [10, 40].map((left) => ({ luma: square(left), peak: 0.3 })), []],
    ['a small moving part', [square(10), square(14)].map((luma) => ({ luma, peak: 0.3 })), []],
    ['black, which is not frozen too', [flat(4), flat(4)].map((luma) => ({ luma, peak: 0.3 })), ['black']],
    ['a dark scene that is not black', [30, 40].map((value) => ({ luma: flat(value), peak: 0.3 })), []],
    ['the same picture coded again', [80, 81, 80].map((luma) => ({ luma: flat(luma), peak: 0.3 })), ['frozen']],
    ['two pictures of a loop', [square(10), square(40), square(40)].map((luma) => ({ luma, peak: 0.3 })), []],
    ['silence', [10, 40].map((left) => ({ luma: square(left), peak: 0 })), ['silence']],
    ['a quiet scene', [10, 40].map((left) => ({ luma: square(left), peak: 0.002 })), []],
    ['frozen and silent', [1, 2, 3].map(() => ({ luma: flat(80), peak: 0 })), ['frozen', 'silence', 'silence_frozen']],
    ['too loud', [10, 40].map((left) => ({ luma: square(left), peak: 1 })), ['level']],
    ['nothing at all', [{ luma: null, peak: null }], []],
  ])('have the expected faults: %s', (_what, probes, expected) => {
    expect(faults(probes)).toEqual(expected);
  });

  it('count a fault from the first faulty picture', () => {
    let seen: ProbedContent = NOTHING_PROBED;
    for (const atMs of [1000, 5000, 9000]) seen = addPicture(seen, { luma: flat(80), atMs, gapMs: 0 });
    expect([seen.frozenSinceMs, seen.blackSinceMs]).toEqual([1000, null]);
  });

  it('do not count time without pictures, and end a fault after a long gap', () => {
    const seen = (unknownMs: number): readonly (number | null)[] => {
      let now: ProbedContent = NOTHING_PROBED;
      for (const atMs of [1000, 5000, 9000])
        now = addSound(
          addPicture(now, { luma: flat(4), atMs, gapMs: atMs === 9000 ? unknownMs : 0 }),
          { peak: 0, fromMs: atMs - 500, gapMs: atMs === 9000 ? unknownMs : 0 },
          RULES,
        );
      return [now.blackSinceMs, now.soundSinceMs.silence, now.soundSinceMs.level];
    };
    expect([seen(0), seen(300), seen(9000)]).toEqual([
      [1000, 500, null],
      [1300, 800, null],
      [9000, 8500, null],
    ]);
  });

  it('decode no more than the rules need', () => {
    const needs = (picture: boolean, sound: boolean, loudness: boolean): object => ({ picture, sound, loudness });
    expect(neededContent(streamRules(), false)).toEqual(needs(false, false, false));
    expect(neededContent(streamRules([written('silence')]), false)).toEqual(needs(false, true, false));
    expect(neededContent(RULES, false)).toEqual(needs(true, true, false));
    expect(neededContent(streamRules([written('true_peak')]), false)).toEqual(needs(false, true, true));
    expect(neededContent(streamRules(), true)).toEqual(needs(false, true, true));
  });
});
