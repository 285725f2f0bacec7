import { describe, expect, it } from 'vitest';
import { madeAudio, madeVideo } from '../../tests/helpers/made-input.ts';
import { frameRate } from './frame-rate.ts';

describe('frameRate', () => {
  it.each([
    [25, 25.333, 25],
    [30_000 / 1001, 30.2, 29.97],
    // Every second picture is missing, or the declared rate is wrong.
    [50, 25.04, 25],
    [25, 21.66, 21.7],
    [undefined, 24.666, 24.7],
  ])('returns for a declared rate of %s and a counted rate of %s: %s', (declared, counted, shown) => {
    expect(frameRate({ track: madeVideo('v1', 0, declared), bitrate: 0, rate: counted })).toBe(shown);
  });

  it('returns half of the counted rate for a sequence of fields', () => {
    const track = { ...madeVideo('v1', 0, 25), isFieldSequence: true } as const;
    expect(frameRate({ track, bitrate: 0, rate: 50.3 })).toBe(25);
    expect(frameRate({ track, bitrate: 0, rate: 40 })).toBe(20);
  });

  it('returns the counted rate for audio', () => {
    expect(frameRate({ track: madeAudio(), bitrate: 0, rate: 46.875 })).toBe(46.9);
  });
});
