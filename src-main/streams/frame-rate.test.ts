import { expect, it } from 'vitest';
import { madeAudio, madeVideo } from '../../tests/helpers/made-input.ts';
import { frameRate } from './frame-rate.ts';

it.each([
  [25, 25.333, 25],
  [30_000 / 1001, 30.2, 29.97],
  // Every second picture is missing, or the format is wrong.
  [50, 25.04, 25],
  [25, 21.66, 21.7],
  [undefined, 24.666, 24.7],
])('a format with %s frames per second and %s counted frames has %s', (declared, counted, shown) => {
  expect(frameRate({ track: madeVideo('v1', 0, declared), bitrate: 0, rate: counted })).toBe(shown);
});

it('the frame rate of fields is half of the counted rate', () => {
  const track = { ...madeVideo('v1', 0, 25), isFieldSequence: true } as const;
  expect(frameRate({ track, bitrate: 0, rate: 50.3 })).toBe(25);
  expect(frameRate({ track, bitrate: 0, rate: 40 })).toBe(20);
});

it('audio frames are counted', () => {
  expect(frameRate({ track: madeAudio(), bitrate: 0, rate: 46.875 })).toBe(46.9);
});
