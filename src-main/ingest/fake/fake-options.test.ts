import { expect, test } from 'vitest';
import { parseFakeOptions } from './fake-options.ts';

const parse = (query: Record<string, string>): ReturnType<typeof parseFakeOptions> =>
  parseFakeOptions(new Map(Object.entries(query)));

test('a fake input has a default for every option', () => {
  expect(parse({})).toEqual({
    picture: {
      width: 1280,
      height: 720,
      fpsNumerator: 25,
      fpsDenominator: 1,
      gopFrames: 25,
      bitrateKbps: 1500,
      bFrames: 0,
    },
    spliceSeconds: 0,
    spliceKind: 'return',
  });
});

test.each([
  [{ fps: '29.97' }, { fpsNumerator: 30_000, fpsDenominator: 1001, gopFrames: 30 }],
  [
    { fps: '50', gop: '100' },
    { fpsNumerator: 50, fpsDenominator: 1, gopFrames: 100 },
  ],
  [
    { width: '640', height: '360', bitrate: '800' },
    { width: 640, height: 360, bitrateKbps: 800 },
  ],
])('fake options are parsed: %o', (query, picture) => {
  expect(parse(query)).toMatchObject({ picture });
});

test.each([
  [{ width: '641' }, 'even'],
  [{ width: '99999999999' }, 'width must be a whole number from 64 to 3840'],
  [{ height: '-2' }, 'height'],
  [{ fps: '0' }, 'fps'],
  [{ fps: 'constructor' }, 'fps'],
  [{ gop: '1.5' }, 'gop'],
  [{ bitrate: '' }, 'bitrate'],
  [{ splice: '3' }, 'splice'],
  [{ marks: 'none' }, 'marks must be one of all, return'],
  [{ wdith: '640' }, 'no option wdith'],
])('fake options are refused: %o', (query, words) => {
  expect(parse(query)).toMatchObject({ code: 'bad_input_url', detail: expect.stringContaining(words) as string });
});
