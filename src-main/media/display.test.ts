import { describe, expect, it } from 'vitest';
import { testMedia } from '../../tests/helpers/test-media.ts';
import { displayOf } from './display.ts';
import { isSameFormat, withDisplayOf } from './track.ts';

const ONE = 0x1_0000;
const MINUS = 0xffff_0000;
const track = { ...testMedia().video, width: 720, height: 576, sarWidth: 16, sarHeight: 15 };
const matrix = (a: number, b: number, c: number, d: number): number[] => [a, b, 0, c, d, 0, 0, 0, 0x4000_0000];

describe('displayOf', () => {
  it.each([
    { name: 'as they are', displayMatrix: undefined, expected: [0, 768, 576] },
    { name: 'turned right', displayMatrix: matrix(0, ONE, MINUS, 0), expected: [90, 576, 768] },
    { name: 'upside down', displayMatrix: matrix(MINUS, 0, 0, MINUS), expected: [180, 768, 576] },
    { name: 'turned left', displayMatrix: matrix(0, MINUS, ONE, 0), expected: [270, 576, 768] },
    { name: 'twice as wide', displayMatrix: matrix(2 * ONE, 0, 0, ONE), expected: [0, 1536, 576] },
  ])('is correct for pictures $name', ({ displayMatrix, expected }) => {
    const { rotationDegrees, width, height } = displayOf({ ...track, ...(displayMatrix ? { displayMatrix } : {}) });
    expect([rotationDegrees, width, height]).toEqual(expected);
  });

  it('returns the frame size for a sequence of fields', () => {
    const field = { ...track, width: 1920, height: 540, sarWidth: 1, sarHeight: 2, isFieldSequence: true } as const;
    expect(displayOf(field)).toMatchObject({ width: 1920, height: 1080 });
  });

  it('is a part of the track format, and is kept when other parameter sets arrive', () => {
    const turned = { ...track, displayMatrix: matrix(0, ONE, MINUS, 0) };
    expect(isSameFormat(track, turned)).toBe(false);
    expect(isSameFormat(turned, { ...turned })).toBe(true);
    expect(withDisplayOf(track, turned)).toEqual(turned);
    expect(withDisplayOf(track, track)).toEqual(track);
  });
});
