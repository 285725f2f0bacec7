import { describe, expect, it } from 'vitest';
import { printEarlier, readEarlier, withoutTracks } from './track-query.ts';

describe('earlier track selections in a query', () => {
  it('are parsed from their printed form', () => {
    const earlier = [
      { ids: undefined, untilMs: 1_795_230_000_000 },
      { ids: ['v1', 'a2'], untilMs: 1_795_230_060_000 },
    ];
    expect(printEarlier(earlier)).toBe('all.1795230000000,v1a2.1795230060000');
    expect(readEarlier(`token=x&filter.until=${printEarlier(earlier)}`)).toEqual(earlier);
    expect(readEarlier('filter.tracks=v1')).toEqual([]);
  });

  it.each([
    'all',
    'all.',
    'x1.5',
    'v1.5,a1.5',
    'v1.6,a1.5',
    'v1.999999999999999',
    'v1a1.-3',
    '.5',
    ...[9, 4000].map((count) => Array.from({ length: count }, (_, index) => `all.${index + 1}`).join()),
  ])('are not parsed from the invalid text %.40s', (text) => {
    expect(readEarlier(`filter.until=${text}`)).toBeUndefined();
  });

  it('are removed with the selection, and the rest of the query is unchanged', () => {
    expect(withoutTracks('token=x&filter.tracks=v1&a=b&filter.until=all.1')).toBe('token=x&a=b');
    expect(withoutTracks('token=x&myfilter.tracks=v1')).toBe('token=x&myfilter.tracks=v1');
  });
});
