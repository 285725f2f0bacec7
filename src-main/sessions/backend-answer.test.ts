import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readAnswer, type Verdict } from './backend-answer.ts';

function read(status: number, headers: Readonly<Record<string, string>> = {}, body = ''): Verdict {
  return readAnswer({ status, header: (name) => headers[name], body });
}

describe('readAnswer', () => {
  it.each<[string, Verdict, Partial<Record<string, unknown>>]>([
    [
      'admits for three minutes by default',
      read(200),
      { kind: 'allow', durationMs: 180_000, userId: null, maxSessions: null, adInject: undefined },
    ],
    ['uses its duration', read(200, { 'x-authduration': '30' }), { durationMs: 30_000 }],
    ['ignores an invalid duration', read(200, { 'x-authduration': 'soon' }), { durationMs: 180_000 }],
    ['limits the duration', read(200, { 'x-authduration': '1e300' }), { durationMs: 604_800_000 }],
    ['asks again after a second at the earliest', read(200, { 'x-authduration': '0' }), { durationMs: 1000 }],
    ['reads user and limit', read(200, { 'x-userid': 'u1', 'x-max-sessions': '2' }), { userId: 'u1', maxSessions: 2 }],
    [
      'reads user and limit from a body',
      read(200, {}, '{"user_id":7,"max_sessions":3,"auth_duration":60}'),
      { userId: '7', maxSessions: 3, durationMs: 60_000 },
    ],
    ['prefers headers', read(200, { 'x-userid': 'head' }, '{"user_id":"body"}'), { userId: 'head' }],
    [
      'treats unique as a limit of one session',
      read(200, { 'x-unique': 'true', 'x-max-sessions': '5' }),
      { maxSessions: 1 },
    ],
    ['keeps advertisements', read(200, {}, '{"ad_inject":{"v":2}}'), { adInject: { v: 2 } }],
    ['ignores a body that is no JSON', read(200, {}, '{"user_id":'), { kind: 'allow', userId: null }],
    ['ignores a page', read(200, {}, '<html>{"user_id":1}'), { kind: 'allow', userId: null }],
    ['refuses', read(403), { kind: 'deny', durationMs: 180_000, reason: 'the backend answered 403' }],
    ['refuses for its duration', read(403, { 'x-authduration': '5' }), { kind: 'deny', durationMs: 5000 }],
    ['treats 401 as a refusal', read(401), { kind: 'deny' }],
    [
      'redirects',
      read(302, { location: 'http://example.org/other/index.m3u8' }),
      { kind: 'redirect', location: 'http://example.org/other/index.m3u8' },
    ],
    [
      'redirects to another path',
      read(302, { location: '/other/index.m3u8' }),
      { kind: 'redirect', location: '/other/index.m3u8' },
    ],
    ['fails for a redirect without a location', read(302), { kind: 'failed' }],
    ['fails for a location with a line break', read(302, { location: '/a\r\nX-Evil: 1' }), { kind: 'failed' }],
    ['fails for a location with a script', read(302, { location: 'javascript:alert(1)' }), { kind: 'failed' }],
    ['treats status 500 as no answer', read(500), { kind: 'failed', reason: 'it answered 500' }],
    ['treats a missing status as no answer', read(0), { kind: 'failed' }],
  ])('%s', (_what, verdict, expected) => {
    expect(verdict).toMatchObject(expected);
  });

  it('accepts any answer, and limits its values', () => {
    const header = fc.option(fc.string({ maxLength: 20 }), { nil: undefined });
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 999 }),
        fc.record({
          'x-authduration': header,
          'x-userid': header,
          'x-max-sessions': header,
          'x-unique': header,
          location: header,
        }),
        fc.oneof(fc.string(), fc.json()),
        (status, headers, body) => {
          const verdict = readAnswer({
            status,
            header: (name) => (Object.entries(headers).find(([key]) => key === name) ?? [])[1],
            body,
          });
          if (verdict.kind === 'failed') return;
          expect(verdict.durationMs).toBeGreaterThanOrEqual(1000);
          expect(verdict.durationMs).toBeLessThanOrEqual(604_800_000);
          if (verdict.kind === 'allow') expect(verdict.maxSessions ?? 1).toBeGreaterThan(0);
        },
      ),
    );
  });
});
