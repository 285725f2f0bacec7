import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { expectLinear } from '../../tests/helpers/growth.ts';
import { findHeader, findHeaderList, HeadReader, statusLine, type RequestHead } from './http-head.ts';

const readRequestHead = (text: string): RequestHead | undefined => new HeadReader().read(text);

describe('HeadReader', () => {
  it('reads request line, query and persistence', () => {
    const head = readRequestHead('GET /cam1/v1/index.m3u8?_HLS_msn=5&x=1 HTTP/1.1\r\nHost: a\r\nUser-Agent: p');
    expect(head).toMatchObject({
      method: 'GET',
      path: '/cam1/v1/index.m3u8',
      query: '_HLS_msn=5&x=1',
      isHttp11: true,
      fields: { keepsAlive: true, hasBody: false },
    });
  });

  it.each([
    ['GET / HTTP/1.1\r\nHost: a\r\nConnection: close', false],
    ['GET / HTTP/1.1\r\nHost: a\r\nConnection: x\r\nConnection: close', false],
    ['GET / HTTP/1.0', false],
    ['GET / HTTP/1.0\r\nConnection: Keep-Alive', true],
  ])('reads from %j whether the connection stays open: %s', (text, keepsAlive) => {
    expect(readRequestHead(text)?.fields.keepsAlive).toBe(keepsAlive);
  });

  it.each(['', 'GET', 'GET /', 'GET / HTTP/2', 'GET index.m3u8 HTTP/1.1', ' / HTTP/1.1', '\u0016\u0003\u0001'])(
    'refuses %j',
    (text) => {
      expect(readRequestHead(text)).toBeUndefined();
    },
  );
});

it.each([
  [200, 'OK'],
  [415, 'Unsupported Media Type'],
  [422, 'Unprocessable Entity'],
  [429, 'Too Many Requests'],
])('statusLine(%d) has the reason phrase %s', (status, reason) => {
  expect(statusLine(status)).toBe(`HTTP/1.1 ${status} ${reason}\r\n`);
});

describe('the header fields of a request head', () => {
  it('include range, If-None-Match and gzip support', () => {
    const lines = 'rAnGe:  bytes=0-1 \r\nIf-None-Match: "a"\r\nIf-None-Match: "b"\r\nAccept-Encoding: gzip, br';
    const fields = readRequestHead(`GET / HTTP/1.1\r\nHost: a\r\n${lines}`)?.fields;
    expect(fields).toMatchObject({ range: 'bytes=0-1', ifNoneMatch: '"a"', acceptsGzip: true });
    const none = readRequestHead('GET / HTTP/1.1\r\nHost: a\r\nX-Range: 1')?.fields;
    expect(none).toMatchObject({ range: undefined, ifNoneMatch: undefined, acceptsGzip: false });
  });
});

describe('HeadReader, which caches header lines of a connection', () => {
  const lines = fc.constantFrom(
    '',
    '\r\nHost: a',
    '\r\nHost: a\r\nConnection: close',
    '\r\nHost: a\r\nContent-Length: 5',
    '\r\nHost: a\r\nHost: b',
    '\r\nHost : a',
    '\r\nhost: a\r\nX: \u0000',
    `\r\nHost: a\r\nX: ${'long '.repeat(1000)}`,
  );
  const first = fc.constantFrom('GET /a HTTP/1.1', 'GET /b?c HTTP/1.0', 'POST / HTTP/1.1', 'GET  / HTTP/1.1', 'GET /');

  it('reads each head like a new reader', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(first, lines), { maxLength: 12 }), (heads) => {
        const reader = new HeadReader();
        for (const [line, fields] of heads) expect(reader.read(line + fields)).toEqual(readRequestHead(line + fields));
      }),
    );
  });

  const more = fc.constantFrom('', '', '', '', '\r\n', 'GET /a HTTP/1.1\r\nHost: a\r\n\r\n', '\0');
  const odd = fc.constantFrom(
    'GET /a?b?c HTTP/1.1',
    'GET http://a/x HTTP/1.1',
    'GET  HTTP/1.1',
    'GET /\r\n HTTP/1.1',
    'GET /\x7f HTTP/1.1',
    'GET /ä HTTP/1.1',
  );

  it('uses the fast reader for complete single requests only, with the same result as the full reader', () => {
    let count = 0;
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.oneof(first, odd), lines, more), { minLength: 12, maxLength: 40 }), (heads) => {
        const reader = new HeadReader();
        for (const [line, fields, rest] of heads) {
          const bytes = Buffer.from(`${line}${fields}\r\n\r\n${rest}`, 'latin1');
          const again = reader.readAgain(bytes);
          const text = bytes.toString('latin1', 0, bytes.indexOf('\r\n\r\n'));
          const parsed = reader.read(text);
          if (!again) continue;
          count++;
          expect([again, rest]).toEqual([parsed, '']);
          expect(again).toEqual(readRequestHead(text));
        }
      }),
    );
    expect(count).toBeGreaterThan(0);
  });
});

/** Heads forbidden by RFC 9112, with the reason. */
const FORBIDDEN: readonly (readonly [why: string, text: string])[] = [
  ['space before the colon', 'GET /x HTTP/1.1\r\nHost : a'],
  ['tab before the colon', 'GET /x HTTP/1.1\r\nHost: a\r\nX\t: b'],
  ['line without a colon', 'GET /x HTTP/1.1\r\nHost: a\r\nword'],
  ['empty name', 'GET /x HTTP/1.1\r\nHost: a\r\n: b'],
  ['name with other characters', 'GET /x HTTP/1.1\r\nHost: a\r\nX(y): b'],
  ['two lengths', 'GET /x HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\nContent-Length: 6'],
  ['the same length twice', 'GET /x HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\ncontent-length: 5'],
  ['a list of lengths', 'GET /x HTTP/1.1\r\nHost: a\r\nContent-Length: 5, 5'],
  ['a signed length', 'GET /x HTTP/1.1\r\nHost: a\r\nContent-Length: +5'],
  ['a hexadecimal length', 'GET /x HTTP/1.1\r\nHost: a\r\nContent-Length: 0x5'],
  ['an empty length', 'GET /x HTTP/1.1\r\nHost: a\r\nContent-Length:'],
  ['length and chunks', 'GET /x HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\nTransfer-Encoding: chunked'],
  ['length 0 and chunks', 'GET /x HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\nContent-Length: 0'],
  ['two codings', 'GET /x HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\nTransfer-Encoding: chunked'],
  ['a coding that is not chunked', 'GET /x HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: xchunked'],
  ['chunks in HTTP/1.0', 'GET /x HTTP/1.0\r\nTransfer-Encoding: chunked'],
  ['a folded line', 'GET /x HTTP/1.1\r\nHost: a\r\nX: b\r\n c'],
  ['a folded first line', 'GET /x HTTP/1.1\r\n Host: a'],
  ['a bare CR', 'GET /x HTTP/1.1\r\nHost: a\r\nX: b\rY: c'],
  ['a bare LF', 'GET /x HTTP/1.1\r\nHost: a\r\nX: b\nY: c'],
  ['a bare LF in the target', 'GET /x?a\nb HTTP/1.1\r\nHost: a'],
  ['a bare LF after the first line', 'GET /x HTTP/1.1\nHost: a'],
  ['NUL', 'GET /x HTTP/1.1\r\nHost: a\r\nX: b\0'],
  ['another control character', 'GET /x HTTP/1.1\r\nHost: a\r\nX: \x1b[2J'],
  ['a control character in the target', 'GET /x\x01 HTTP/1.1\r\nHost: a'],
  ['DEL in the target', 'GET /x\x7f HTTP/1.1\r\nHost: a'],
  ['a tab in the target', 'GET /x\ty HTTP/1.1\r\nHost: a'],
  ['a space in the target', 'GET /x y HTTP/1.1\r\nHost: a'],
  ['two spaces', 'GET  /x HTTP/1.1\r\nHost: a'],
  ['a method that is no token', 'G(T /x HTTP/1.1\r\nHost: a'],
  ['two hosts', 'GET /x HTTP/1.1\r\nHost: a\r\nhost: a'],
  ['no host', 'GET /x HTTP/1.1\r\nX: a'],
  ['two hosts in HTTP/1.0', 'GET /x HTTP/1.0\r\nHost: a\r\nHost: b'],
  ['a list of hosts', 'GET /x HTTP/1.1\r\nHost: a, b'],
  ['a host with a path', 'GET /x HTTP/1.1\r\nHost: a/b'],
  ['a host with a user', 'GET /x HTTP/1.1\r\nHost: u@a'],
];

describe('heads forbidden by RFC 9112', () => {
  it.each(FORBIDDEN)('are refused: %s', (_why, text) => {
    expect(readRequestHead(text)).toBeUndefined();
  });

  it.each([
    'GET /x HTTP/1.1\r\nHost:',
    'GET /x HTTP/1.1\r\nhOST:\t[2001:db8::1]:8080 \t',
    'GET /x HTTP/1.1\r\nHost: a\r\nX:',
    'GET /x HTTP/1.1\r\nHost: a\r\nX: \u00e4\u00ff',
    "M-SEARCH /x HTTP/1.1\r\nHost: a\r\n!#$%&'*+-.^_`|~9: b",
    'GET /x HTTP/1.0',
    'POST /x HTTP/1.1\r\nHost: a\r\nContent-Length: 007',
    'POST /x HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: Chunked',
  ])('do not include the valid head %j', (text) => {
    expect(readRequestHead(text)).toBeDefined();
  });

  it('never return a control character, whichever byte of a valid head is changed', () => {
    const good =
      'GET /cam/index.m3u8?token=abc HTTP/1.1\r\nHost: example.org\r\nUser-Agent: player/1\r\nRange: bytes=0-1';
    const random = randomNumbers(9112);
    for (let round = 0; round < 20_000; round++) {
      const at = Math.floor(random() * good.length);
      const code = Math.floor(random() * 256);
      const cut = Math.floor(random() * 3);
      const head = readRequestHead(good.slice(0, at) + String.fromCharCode(code) + good.slice(at + cut));
      if (!head) continue;
      expect(`${head.method}${head.path}${head.query}`).not.toMatch(/[\0-\x20\x7f]/);
      for (const line of head.fields.text.split('\r\n').slice(1))
        expect(line).toMatch(/^[^\s:]+:[^\0-\x08\x0a-\x1f\x7f]*$/);
    }
  });
});

/** Numbers from 0 to 1, the same in each run (mulberry32). */
function randomNumbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

describe('the time to read a head', () => {
  it.each([
    ['spaces', ' '],
    ['connection words', 'close '],
    ['commas', ' ,'],
    ['lines', '\r\nX: b'],
    ['lines with a name as long as Transfer-Encoding', '\r\nX-Transfer-Encod: chunked'],
    ['lines without a colon', '\r\nX'],
    ['colons', ':'],
  ])('is proportional to the size of the head: %s', async (_what, piece) => {
    await expectLinear({
      make: (size) => `GET /x HTTP/1.1\r\nHost: a\r\nConnection: ${piece.repeat(size / piece.length)}\0`.slice(0, size),
      run: (text) => [readRequestHead(text), findHeader(text, 'none'), findHeaderList(text, 'x')],
      sizes: [4_000, 128_000],
    });
  });
});

describe('findHeaderList', () => {
  it('joins all lines of a name, because a proxy may add its line after a forged line of the client', () => {
    const text = 'GET / HTTP/1.1\r\nX-Forwarded-For: 127.0.0.1\r\nHost: a\r\nx-forwarded-for:  198.51.100.1, 10.0.0.1 ';
    expect(findHeaderList(text, 'x-forwarded-for')).toBe('127.0.0.1, 198.51.100.1, 10.0.0.1');
    expect(findHeaderList(text, 'x-real-ip')).toBeUndefined();
    expect(findHeaderList('GET / HTTP/1.1', 'host')).toBeUndefined();
  });
});

describe('findHeader', () => {
  const text = 'GET / HTTP/1.1\r\nX-Range: no\r\nrAnGe:  bytes=0-1 \r\nAccept-Encoding: gzip, br';

  it('finds names case-insensitively and trims values', () => {
    expect(findHeader(text, 'range')).toBe('bytes=0-1');
    expect(findHeader(text, 'accept-encoding')).toBe('gzip, br');
  });

  it('does not match a part of a name or of the request line', () => {
    expect(findHeader(text, 'ange')).toBeUndefined();
    expect(findHeader('GET /range:x HTTP/1.1', 'range')).toBeUndefined();
  });
});
