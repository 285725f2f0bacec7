import { expect, it } from 'vitest';
import { readPublishAddress } from './publish-address.ts';

it.each([
  ['a plain address', 'static', 'rtmp://host/static', 'cam1', 'static/cam1', {}],
  ['an empty key', 'live/cam1', 'rtmp://host/live/cam1', '', 'live/cam1', {}],
  ['an application of two parts', 'live/eu', '', 'cam1', 'live/eu/cam1', {}],
  ['too many slashes', '/live/', '', '/cam1/', 'live/cam1', {}],
  ['a query at the key', 'live', '', 'cam1?password=a%20b&x', 'live/cam1', { password: 'a b', x: '' }],
  ['a query at the application', 'live?password=p+q', '', 'cam1', 'live/cam1', { password: 'p+q' }],
  ['a query at the address', 'live', 'rtmp://host/live?password=p', 'cam1', 'live/cam1', { password: 'p' }],
  [
    'queries everywhere: the key wins',
    'live?p=2',
    'rtmp://host/live?p=1&q=1',
    'cam1?p=3',
    'live/cam1',
    { p: '3', q: '1' },
  ],
  ['an incorrectly encoded query', 'live', '', 'cam1?password=100%', 'live/cam1', { password: '100%' }],
  ['a value with an equals sign', 'live', '', 'cam1?password=a=b', 'live/cam1', { password: 'a=b' }],
])('readPublishAddress parses %s', (_, app, tcUrl, key, path, query) => {
  const address = readPublishAddress(app, tcUrl, key);
  expect(address?.path).toBe(path);
  expect(Object.fromEntries(address?.query ?? [])).toEqual(query);
});

it('readPublishAddress rejects addresses that are too long', () => {
  expect(readPublishAddress('live', '', 'x'.repeat(600))).toBeUndefined();
  expect(readPublishAddress('live', '', `x?${'y'.repeat(10_000)}`)).toBeUndefined();
});

it('readPublishAddress limits the number of query fields', () => {
  const query = Array.from({ length: 100 }, (_, i) => `f${i}=1`).join('&');
  expect(readPublishAddress('live', '', `x?${query}`)?.query.size).toBe(32);
});
