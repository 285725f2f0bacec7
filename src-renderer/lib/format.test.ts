import { describe, expect, it } from 'vitest';
import {
  formatBitrate,
  formatClock,
  formatCodec,
  formatElapsed,
  formatFps,
  formatSpan,
  joinAddress,
  formatDay,
} from './format.ts';

describe('format functions', () => {
  it.each([
    [0, '–'],
    [864, '864 kbit/s'],
    [4020, '4.02 Mbit/s'],
    [12_340, '12.3 Mbit/s'],
  ])('print the bit rate %i', (kbit, text) => {
    expect(formatBitrate(kbit)).toBe(text);
  });

  it.each([
    [null, '–'],
    [25, '25 fps'],
    [24.98, '25 fps'],
    [29.97, '29.97 fps'],
    [59.94, '59.94 fps'],
    [12.5, '12.50 fps'],
  ] as const)('print the frame rate %s', (fps, text) => {
    expect(formatFps(fps)).toBe(text);
  });

  it.each([
    [-5, '0.0 s'],
    [40, '0.0 s'],
    [1440, '1.4 s'],
    [83_000, '1:23'],
    [3_723_000, '1:02:03'],
  ])('print the duration %i', (ms, text) => {
    expect(formatSpan(ms)).toBe(text);
  });

  it('join addresses', () => {
    expect([joinAddress('http://h/', '/a/b'), joinAddress('http://h', 'a')]).toEqual(['http://h/a/b', 'http://h/a']);
  });

  it('print durations with days', () => {
    expect(formatElapsed(90_061_000)).toBe('1 d 1:01:01');
  });

  it('print the time of day in UTC', () => {
    expect(formatClock(Date.UTC(2026, 0, 2, 3, 4, 5), 'utc')).toBe('03:04:05');
  });

  it.each([
    ['avc1.640028', 'H.264'],
    ['h264', 'H.264'],
    ['mp4a.40.2', 'AAC'],
    ['mp4a.40.34', 'MP3'],
    ['ec-3', 'E-AC-3'],
    ['xyz', 'xyz'],
  ])('print the codec %s', (codec, name) => {
    expect(formatCodec(codec)).toBe(name);
  });
});

it('formatDay prints a date in ISO format, in UTC and in the local time zone', () => {
  expect(formatDay(Date.UTC(2027, 0, 5, 23, 59), 'utc')).toBe('2027-01-05');
  expect(formatDay(new Date(2027, 0, 5, 23, 59).getTime())).toBe('2027-01-05');
});
