import { describe, expect, it } from 'vitest';
import { expectLinear } from '../../tests/helpers/growth.ts';
import { acceptsGzip } from './http-semantics.ts';

describe('acceptsGzip', () => {
  it.each([
    [undefined, false],
    ['', false],
    ['gzip', true],
    ['br, GZIP', true],
    ['deflate,gzip;q=0.5,br', true],
    ['gzip;q=0', false],
    ['gzip; q=0.000, *', false],
    ['gzip;q=x', false],
    ['*', true],
    ['*;q=0', false],
    ['*;q=0, gzip', true],
    ['identity;q=1, *;q=0.1', true],
    ['xgzip, gzipx', false],
  ])('returns for %j: %j', (header, expected) => {
    expect(acceptsGzip(header)).toBe(expected);
  });

  it.each([' ', ',', 'gzip', 'gzip;', 'gzip;q=', ', ', '*;', 'gzip ;', ';q=0'])(
    'takes time proportional to the length of %j',
    async (piece) => {
      await expectLinear({
        make: (size) => piece.repeat(size / piece.length),
        run: acceptsGzip,
        sizes: [4_000, 128_000],
      });
    },
  );
});
