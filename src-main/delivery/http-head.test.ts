import { describe, expect, it } from 'vitest';
import { findHeader, findHeaderList, readRequestHead } from './http-head.ts';

describe('readRequestHead', () => {
  it('reads line, query and persistence', () => {
    const head = readRequestHead('GET /cam1/v1/index.m3u8?_HLS_msn=5&x=1 HTTP/1.1\r\nHost: a\r\nUser-Agent: p');
    expect(head).toMatchObject({
      method: 'GET',
      path: '/cam1/v1/index.m3u8',
      query: '_HLS_msn=5&x=1',
      isHttp11: true,
      keepsAlive: true,
    });
  });

  it.each([
    ['GET / HTTP/1.1\r\nConnection: close', false],
    ['GET / HTTP/1.0', false],
    ['GET / HTTP/1.0\r\nConnection: Keep-Alive', true],
  ])('knows whether %j keeps the connection', (text, keepsAlive) => {
    expect(readRequestHead(text)?.keepsAlive).toBe(keepsAlive);
  });

  it.each(['', 'GET', 'GET /', 'GET / HTTP/2', 'GET index.m3u8 HTTP/1.1', ' / HTTP/1.1', '\u0016\u0003\u0001'])(
    'refuses %j',
    (text) => {
      expect(readRequestHead(text)).toBeUndefined();
    },
  );
});

describe('findHeaderList', () => {
  it('joins all lines of a name: a proxy may add one behind what a client made up', () => {
    const text = 'GET / HTTP/1.1\r\nX-Forwarded-For: 127.0.0.1\r\nHost: a\r\nx-forwarded-for:  198.51.100.1, 10.0.0.1 ';
    expect(findHeaderList(text, 'x-forwarded-for')).toBe('127.0.0.1, 198.51.100.1, 10.0.0.1');
    expect(findHeaderList(text, 'x-real-ip')).toBeUndefined();
    expect(findHeaderList('GET / HTTP/1.1', 'host')).toBeUndefined();
  });
});

describe('findHeader', () => {
  const text = 'GET / HTTP/1.1\r\nX-Range: no\r\nrAnGe:  bytes=0-1 \r\nAccept-Encoding: gzip, br';

  it('finds names without case and trims values', () => {
    expect(findHeader(text, 'range')).toBe('bytes=0-1');
    expect(findHeader(text, 'accept-encoding')).toBe('gzip, br');
  });

  it('does not take a part of a name or of the first line for a header', () => {
    expect(findHeader(text, 'ange')).toBeUndefined();
    expect(findHeader('GET /range:x HTTP/1.1', 'range')).toBeUndefined();
  });
});
