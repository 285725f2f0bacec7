import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { frameRateOf, printTimeCode, readTime } from './time-code.ts';

const DAY = Date.UTC(2027, 0, 15);
const PAL = frameRateOf(25);
const NTSC = frameRateOf(30_000 / 1001);
const read = (text: string, rate = PAL): number | undefined => {
  const ms = readTime(text, DAY + 3_600_000, rate, 'utc');
  return ms === undefined ? undefined : ms - DAY;
};

describe('time codes', () => {
  it.each([
    [25, 25, 40, false],
    [29.97, 30, 1001 / 30, true],
    [59.94, 60, 1001 / 60, true],
    [23.976, 24, 1001 / 24, false],
    [30, 30, 1000 / 30, false],
    [0, 25, 40, false],
    [undefined, 25, 40, false],
    [100_000, 25, 40, false],
  ])('have a frame rate for %s frames a second', (fps, nominal, frameMs, isDrop) => {
    const rate = frameRateOf(fps);
    expect([rate.nominal, rate.isDrop]).toEqual([nominal, isDrop]);
    expect(rate.frameMs).toBeCloseTo(frameMs);
  });

  it('drop two numbers at each minute except every tenth (SMPTE ST 12-1)', () => {
    const at = (frame: number): string => printTimeCode(DAY + Math.round(frame * NTSC.frameMs), NTSC, 'utc');
    expect([at(1799), at(1800), at(3597), at(3598), at(17_981), at(17_982)]).toEqual([
      '00:00:59;29',
      '00:01:00;02',
      '00:01:59;29',
      '00:02:00;02',
      '00:09:59;29',
      '00:10:00;00',
    ]);
    expect(read('00:01:00;00', NTSC)).toBeUndefined();
    expect(read('00:10:00;00', NTSC)).toBe(Math.round(17_982 * NTSC.frameMs));
    // After a day, drop-frame time code deviates by 86 ms.
    expect(at(2_589_407)).toBe('23:59:59;29');
  });

  it('are parsed as printed, for every frame of a day', () => {
    for (const rate of [PAL, NTSC, frameRateOf(50), frameRateOf(59.94), frameRateOf(30), frameRateOf(12)])
      fc.assert(
        fc.property(fc.integer({ min: 0, max: Math.floor(86_390_000 / rate.frameMs) }), (frame) => {
          const ms = DAY + Math.round(frame * rate.frameMs);
          const text = printTimeCode(ms, rate, 'utc');
          expect([text, readTime(text, DAY + 5, rate, 'utc')]).toEqual([text, ms]);
        }),
      );
  });

  it('distinguish local time from UTC', () => {
    const ms = new Date(2027, 6, 15, 9, 8, 7).getTime();
    expect(printTimeCode(ms, PAL, 'local')).toBe('09:08:07:00');
    expect(readTime('2027-07-15 09:08:07', DAY, PAL, 'local')).toBe(ms);
  });

  it.each([
    ['01:02:03', 3_723_000],
    ['1:02', 3_720_000],
    ['01:02:03.5', 3_723_500],
    ['01:02:03:10', 3_723_400],
    ['2027-01-16 00:00:01', 86_401_000],
    ['2027-01-16T00:00:01Z', 86_401_000],
    ['-5m', 3_300_000],
    ['+30', 3_630_000],
    ['-10f', 3_599_600],
    ['24:00:00', undefined],
    ['01:60:00', undefined],
    ['01:02:03:25', undefined],
    ['2027-02-30 00:00:00', undefined],
    ['9999-99-99T00:00:00Z', undefined],
    ['', undefined],
    ['noon', undefined],
  ])('are parsed from %s', (text, expected) => expect(read(text)).toBe(expected));

  it('are not parsed from other texts', () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        const ms = readTime(text, DAY, PAL, 'utc');
        expect(ms === undefined || Number.isFinite(ms)).toBe(true);
      }),
    );
    expect(read('1'.repeat(100_000))).toBeUndefined();
  });
});
