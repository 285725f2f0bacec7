import { expect, it } from 'vitest';
import { readHttpAddress } from './http-address.ts';

it.each([
  ['tshttp://h/live/', 'http://h/live/big%20cam/mpegts'],
  ['tshttps://h:81/in.ts?key=k', 'https://h:81/in.ts?key=k'],
  ['hls://h/live/', 'http://h/live/big%20cam/index.m3u8'],
  ['hls://h/news', 'http://h/news/index.m3u8'],
  ['hlss://h/a/main.m3u8?key=k', 'https://h/a/main.m3u8?key=k'],
  ['hlss://user:pw@h', 'https://h/big%20cam/index.m3u8'],
])('the requests for %s go to %s', (text, url) => {
  const address = readHttpAddress(text, 'big cam');
  expect('url' in address && address.url.href).toBe(url);
});
