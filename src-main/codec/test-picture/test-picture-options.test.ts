import { expect, it } from 'vitest';
import { testPictureFault, type TestPictureOptions } from './test-picture-options.ts';

const PLAIN: TestPictureOptions = {
  width: 320,
  height: 180,
  fpsNumerator: 25,
  fpsDenominator: 1,
  gopFrames: 25,
  bitrateKbps: 200,
  bFrames: 0,
};

it.each<[Partial<TestPictureOptions>]>([
  [{}],
  [{ width: 64, height: 36 }],
  [{ width: 3840, height: 2160 }],
  [{ fpsNumerator: 30_000, fpsDenominator: 1001 }],
  [{ fpsNumerator: 1 }],
  [{ fpsNumerator: 60 }],
  [{ gopFrames: 1, bitrateKbps: 20, bFrames: 4 }],
  [{ gopFrames: 900, bitrateKbps: 50_000 }],
])('accepts a test picture with %j', (change) => {
  expect(testPictureFault({ ...PLAIN, ...change })).toBeUndefined();
});

it.each<[Partial<TestPictureOptions>, string]>([
  [{ width: 62 }, 'width or height'],
  [{ width: 3842 }, 'width or height'],
  [{ height: 34 }, 'width or height'],
  [{ height: 2162 }, 'width or height'],
  [{ width: 321 }, 'even'],
  [{ height: 181 }, 'even'],
  [{ width: 320.5 }, 'whole numbers'],
  [{ height: NaN }, 'whole numbers'],
  [{ bitrateKbps: Infinity }, 'whole numbers'],
  [{ fpsDenominator: 0 }, 'frame rate'],
  [{ fpsNumerator: -25, fpsDenominator: -1 }, 'frame rate'],
  [{ fpsNumerator: 61 }, 'frame rate'],
  [{ fpsNumerator: 1, fpsDenominator: 2 }, 'frame rate'],
  [{ gopFrames: 0 }, 'key frames'],
  [{ gopFrames: 901 }, 'key frames'],
  [{ bitrateKbps: 19 }, 'bitrate'],
  [{ bitrateKbps: 50_001 }, 'bitrate'],
  [{ bFrames: -1 }, 'B-pictures'],
  [{ bFrames: 5 }, 'B-pictures'],
])('refuses a test picture with %j: %s', (change, words) => {
  expect(testPictureFault({ ...PLAIN, ...change })).toContain(words);
});
