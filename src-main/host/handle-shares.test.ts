import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Log } from '../lib/log.ts';
import { HandleShares, shareHandles } from './handle-shares.ts';

const REQUESTED = { http: 20_000, rtmp: 2000 };

describe('shareHandles', () => {
  it.each([
    ['are complete if there are enough handles', 1_048_576, 60, REQUESTED, REQUESTED],
    ['are three quarters for HTTP and a quarter for encoders', 1000, 60, REQUESTED, { http: 593, rtmp: 197 }],
    ['are at least half of the free handles', 1000, 800, REQUESTED, { http: 75, rtmp: 25 }],
    ['are one handle each if none is free', 1000, 2000, REQUESTED, { http: 1, rtmp: 1 }],
    [
      'include handles for HTTP that encoders do not request',
      1000,
      60,
      { http: 20_000, rtmp: 20 },
      { http: 770, rtmp: 20 },
    ],
    [
      'include handles for encoders that HTTP does not request',
      1000,
      60,
      { http: 100, rtmp: 2000 },
      { http: 100, rtmp: 690 },
    ],
    ['are all for HTTP without a port for RTMP', 1000, 60, { http: 20_000, rtmp: 0 }, { http: 790, rtmp: 0 }],
  ])('returns shares that %s', (_, limit, otherHandles, requested, expected) => {
    expect(shareHandles(limit, otherHandles, requested)).toEqual(expected);
  });

  it('never exceeds the free handles, with any other open files', () => {
    const count = fc.nat(100_000);
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 100_000 }), count, count, count, (limit, otherHandles, http, rtmp) => {
        const shares = shareHandles(limit, otherHandles, { http, rtmp });
        expect(shares.http + shares.rtmp).toBeLessThanOrEqual(Math.max(2, limit - otherHandles));
        expect([shares.http <= http, shares.rtmp <= rtmp]).toEqual([true, true]);
      }),
    );
  });
});

it('HandleShares logs shares below the configured ones once, and updates them with each check and configuration', () => {
  const lines: unknown[] = [];
  const note = (message: string, { http, rtmp }: Readonly<Record<string, unknown>> = {}): void => {
    lines.push([message, http, rtmp]);
  };
  const log: Log = { debug: note, info: note, warn: note, error: note };
  const allowed: Record<string, number> = {};
  const port = (name: string, total: number) => ({
    total,
    isFull: false,
    allow: (limit: number) => (allowed[name] = limit),
  });
  const shares = new HandleShares(log, () => ({ http: port('http', 100), rtmp: port('rtmp', 40) }));
  shares.apply(REQUESTED);
  expect(allowed).toEqual({});
  shares.measured({ count: 200, limit: 1_000_000 });
  expect([allowed, lines]).toEqual([REQUESTED, []]);
  // Connections of the ports themselves do not count as other handles.
  for (let round = 0; round < 2; round++) shares.measured({ count: 200, limit: 1000 });
  expect(allowed).toEqual({ http: 593, rtmp: 197 });
  const warning = [
    'the limit of open files allows fewer connections of viewers and encoders than configured',
    593,
    197,
  ];
  expect(lines).toEqual([warning]);
  shares.apply({ http: 300, rtmp: 100 });
  expect(allowed).toEqual({ http: 300, rtmp: 100 });
  shares.apply(REQUESTED);
  expect(lines).toEqual([warning, warning]);
});
