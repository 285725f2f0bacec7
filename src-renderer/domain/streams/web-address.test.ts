import { describe, expect, it } from 'vitest';
import { readWebAddress } from './web-address.ts';

describe('readWebAddress', () => {
  it.each([
    ['http://192.0.2.9/live/mpegts', null, 'tshttp://192.0.2.9/live/mpegts'],
    ['https://example.org/a.ts?x=b.m3u8', null, 'tshttps://example.org/a.ts?x=b.m3u8'],
    ['http://example.org/a/index.m3u8?t=1', null, 'hls://example.org/a/index.m3u8?t=1'],
    [' HTTPS://example.org/a.M3U8 ', null, 'hlss://example.org/a.M3U8'],
    ['http://example.org/playlist', 'hls', 'hls://example.org/playlist'],
    ['http://example.org/odd.m3u8', 'tshttp', 'tshttp://example.org/odd.m3u8'],
  ] as const)('converts %s with the chosen kind %s to %s', (address, chosen, url) => {
    expect(readWebAddress(address, chosen)?.url).toBe(url);
  });

  it.each(['udp://239.0.0.1:1234', 'http://', 'hls://example.org/a', ''])('returns null for %s', (address) => {
    expect(readWebAddress(address, null)).toBeNull();
  });
});
