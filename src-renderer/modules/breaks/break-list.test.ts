import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ServerEvent } from '../../../src-preload/contract/events/catalogue.ts';
import { breaksOf as breaksWith, breakState, fillRate, type Break } from './break-list.ts';

const breaksOf = (events: readonly ServerEvent[]): readonly Break[] =>
  breaksWith(events, () => ({ progress: null, sentS: null }));

let nextId = 1;
const mark = (kind: string, at: number, more: Record<string, string | number | boolean | null> = {}): ServerEvent => ({
  event: 'splice_point',
  utc_ms: at - 4000,
  server: 'studio',
  media: 'cam1',
  kind,
  at,
  duration: null,
  auto_return: null,
  ...more,
  event_id: nextId++,
});
const ad = (dts: number, more: Record<string, string | number | null> = {}): ServerEvent => ({
  event: 'ad_inject',
  utc_ms: dts,
  server: 'studio',
  media: 'cam1',
  dts,
  path: 'ads/a.mp4',
  duration: 4,
  placement: 'midroll',
  midroll_insert_by: 'splicing',
  session_id: 's1',
  ...more,
  event_id: nextId++,
});

describe('breaks', () => {
  it('last from an out mark to an in mark, or for their announced duration', () => {
    const [second, first] = breaksOf([
      mark('out', 10_000),
      mark('in', 40_000),
      mark('out', 100_000, { duration: 30_000, auto_return: true }),
    ]);
    expect([first?.startMs, first?.endMs, second?.startMs, second?.endMs]).toEqual([10_000, 40_000, 100_000, 130_000]);
  });

  it('are not extended by an in mark after their end', () => {
    const out = mark('out', 10_000, { duration: 6000, auto_return: true });
    const [one] = breaksOf([out, mark('in', 600_000)]);
    expect([one?.endMs, one?.marks]).toEqual([16_000, [out]]);
    expect(breaksOf([out, mark('in', 12_000)])[0]?.endMs).toBe(12_000);
  });

  it('have no end while their in mark is expected', () => {
    expect(breaksOf([mark('out', 10_000, { duration: 30_000, auto_return: false })])[0]?.endMs).toBeNull();
  });

  it('are announced, running or ended; a cancel before the start cancels them, and later ends them early', () => {
    const [one] = breaksOf([mark('out', 10_000), mark('in', 40_000)]);
    expect(one && [9999, 10_000, 39_999, 40_000].map((now) => breakState(one, now))).toEqual([
      'announced',
      'running',
      'running',
      'ended',
    ]);
    const [early] = breaksOf([mark('out', 10_000), mark('cancel', 10_000, { utc_ms: 9000 })]);
    expect(early && breakState(early, 20_000)).toBe('cancelled');
    const [late] = breaksOf([mark('out', 10_000), mark('cancel', 10_000, { utc_ms: 12_000 })]);
    expect(late && [breakState(late, 11_000), breakState(late, 12_000)]).toEqual(['running', 'ended']);
  });

  it('are one break if the same splice event is announced again for another time', () => {
    const [one, ...others] = breaksOf([
      mark('out', 10_000, { splice_event_id: 5 }),
      mark('out', 11_000, { splice_event_id: 5, duration: 20_000 }),
    ]);
    expect([one?.startMs, one?.endMs, one?.marks.length, others]).toEqual([11_000, 31_000, 2, []]);
  });

  it('contain the clips that were sent to viewers in them', () => {
    const [one] = breaksOf([
      mark('out', 10_000),
      ad(9500),
      ad(14_000, { session_id: 's2' }),
      ad(20_000, { midroll_insert_by: 'interval' }),
      ad(15_000, { media: 'cam2' }),
      mark('in', 40_000),
      ad(41_000),
    ]);
    expect(one?.clips.map(({ sessionId, atMs }) => [sessionId, atMs])).toEqual([
      ['s1', 9500],
      ['s2', 14_000],
    ]);
  });

  it('never end before they start, and are sorted, for any marks', () => {
    const marks = fc.array(
      fc.record({
        kind: fc.constantFrom('out', 'in', 'cancel', 'other'),
        at: fc.integer({ min: 0, max: 1_000_000 }),
        media: fc.constantFrom('a', 'b'),
        splice_event_id: fc.constantFrom(null, 1, 2),
        duration: fc.constantFrom(null, 5000),
        auto_return: fc.constantFrom(null, true, false),
      }),
    );
    fc.assert(
      fc.property(marks, (given) => {
        const breaks = breaksOf(given.map(({ kind, at, ...more }) => mark(kind, at, more)));
        for (const one of breaks) if (one.endMs !== null) expect(one.endMs).toBeGreaterThanOrEqual(one.startMs);
        const starts = breaks.map(({ startMs }) => startMs);
        expect(starts).toEqual(starts.toSorted((a, b) => b - a));
        expect(new Set(breaks.map(({ key }) => key)).size).toBe(breaks.length);
      }),
    );
  });
});

describe('the fill rate of a break', () => {
  const clip = (sessionId: string, seconds: number, progress: number | null, isSkipped = false) => ({
    eventId: 1,
    media: 'cam1',
    atMs: 0,
    path: 'ads/a.mp4',
    trigger: 'splicing',
    seconds,
    progress,
    sentS: null,
    sessionId,
    skipped: isSkipped ? { reason: 'clip_not_found', detail: '' } : null,
  });

  it('is the sent time divided by the length of the break, over all viewers', () => {
    const filled = { startMs: 0, endMs: 20_000, clips: [clip('a', 10, 100), clip('a', 10, 50), clip('b', 10, null)] };
    expect(fillRate(filled)).toBe(0.625);
    expect(fillRate({ ...filled, clips: [clip('a', 10, 100), clip('b', 0, null, true)] })).toBe(0.25);
    expect(fillRate({ ...filled, clips: [clip('a', 30, 100)] })).toBe(1);
    expect(fillRate({ ...filled, clips: [{ ...clip('a', 10, 25), sentS: 4 }] })).toBe(0.2);
  });

  it('is unknown without a viewer or an end', () => {
    expect(fillRate({ startMs: 0, endMs: null, clips: [clip('a', 10, 100)] })).toBeNull();
    expect(fillRate({ startMs: 0, endMs: 20_000, clips: [] })).toBeNull();
  });
});
