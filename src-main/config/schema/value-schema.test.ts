import { describe, expect, it } from 'vitest';
import { suggest } from '../../lib/suggest.ts';
import {
  durationSchema,
  inputUrlSchema,
  limitSchema,
  listenerSchema,
  nameSchema,
  printDuration,
  textSchema,
} from './value-schema.ts';

describe('a duration', () => {
  const seconds = durationSchema('s', 100, 86_400_000);
  it.each([
    ['2', 2000],
    ['2s', 2000],
    ['500ms', 500],
    ['1m', 60_000],
    ['1.5h', 5_400_000],
    ['1d', 86_400_000],
    ['0.1', 100],
  ])('%s is %d ms', (text, ms) => {
    expect(seconds.parse(text)).toBe(ms);
  });

  it.each(['', '-1', '2 s', '2S', '1e3', '50ms', '2d', 'ms', '.5', '0x10', '9'.repeat(20)])('is not %j', (text) => {
    expect(seconds.safeParse(text).success).toBe(false);
  });

  it('without a unit has the unit of the directive', () => {
    expect(durationSchema('ms', 0, 1000).parse('200')).toBe(200);
  });

  it.each([
    [500, '500ms'],
    [2000, '2s'],
    [60_000, '1m'],
    [90_000, '90s'],
    [86_400_000, '1d'],
    [0, '0ms'],
  ])('of %d ms is printed as %s', (ms, text) => {
    expect(printDuration(ms)).toBe(text);
  });
});

describe('configuration values', () => {
  it.each([
    [
      'host:port',
      listenerSchema,
      '127.0.0.1:80',
      ['127.0.0.1', ':80', '80:127.0.0.1', '65536', '::1:80', '[::1]', '[1.2.3.4]:80', '-h:80', '80 ', ''],
    ],
    ['a limit', limitSchema(10), 'unlimited', ['11', '-1', '1.5', 'infinite', '']],
    [
      'an address',
      inputUrlSchema,
      'file:///a%20b.ts',
      ['h:1', '//h', 'udp:h', 'udp://a b', 'udp://a\n', '://x', `udp://${'x'.repeat(2000)}`],
    ],
    [
      'a name',
      nameSchema,
      'a/b-c.1~@+ö',
      ['', '/a', 'a/', 'a//b', '../a', '.a', 'a b', 'a"b', 'a;b', 'a\nb', 'x'.repeat(201)],
    ],
    ['a text', textSchema(5), 'a "b"', ['abcdef', 'a\nb', '\ud800']],
  ])('are accepted or refused: %s', (_, schema, good, bad) => {
    expect(schema.safeParse(good).success).toBe(true);
    expect(bad.filter((text) => schema.safeParse(text).success)).toEqual([]);
  });
});

describe('suggest', () => {
  it.each([
    ['titel', 'title'],
    ['inpt', 'input'],
    ['segment_duraton', 'segment_duration'],
    ['TITLE', 'title'],
    ['zzz', undefined],
    ['', undefined],
    ['x'.repeat(1000), undefined],
  ])('returns for %j the name %j', (word, expected) => {
    expect(suggest(word, ['title', 'input', 'segment_duration', 'url'])).toBe(expected);
  });
});
