import { expect, it } from 'vitest';
import { checkedUrls } from './checked-url.ts';

const LIMITS = { kind: 'public', hostAddresses: ['198.51.100.4', '2001:db8::4'], port: null, ownPorts: [] } as const;

it.each([
  ['rtsp', 'rtsp://user:pw@cam.example.org:554/main?x=1', 'rtsp://user:pw@198.51.100.4:554/main?x=1', undefined],
  ['srt', 'srt://cam.example.org:9000', 'srt://198.51.100.4:9000', undefined],
  ['rtmp', 'rtmp://cdn.example.org/live/x?k=a', 'rtmp://198.51.100.4/live/x?k=a', 'rtmp://cdn.example.org/live'],
  [
    'rtmp',
    'rtmp://u:p@cdn.example.org:1935/a/b/x',
    'rtmp://u:p@198.51.100.4:1935/a/b/x',
    'rtmp://cdn.example.org:1935/a/b',
  ],
  ['rtmp', 'rtmp://cdn.example.org/a/mp4:b/x', 'rtmp://198.51.100.4/a/mp4:b/x', 'rtmp://cdn.example.org/a'],
] as const)('checkedUrls opens %s %s as %s', (kind, url, opened, tcUrl) => {
  const [first, second] = checkedUrls({ kind, url, options: {} }, LIMITS);
  expect(first).toEqual({ url: opened, ...(tcUrl === undefined ? {} : { tcUrl }) });
  expect(second?.url).toBe(opened.replace('198.51.100.4', '[2001:db8::4]'));
});

it('checkedUrls keeps a host name that a certificate is checked against, and every host name if there are no limits', () => {
  const url = 'rtsps://cam.example.org/x';
  expect(checkedUrls({ kind: 'rtsp', url, options: {} }, LIMITS)).toEqual([{ url }]);
  expect(checkedUrls({ kind: 'rtsp', url, options: { isInsecure: true } }, LIMITS)[0]).toEqual({
    url: 'rtsps://198.51.100.4/x',
  });
  expect(checkedUrls({ kind: 'srt', url: 'srt://0.0.0.0:1', options: {} }, undefined)).toEqual([
    { url: 'srt://0.0.0.0:1' },
  ]);
});
