import { expect, it } from 'vitest';
import { FakeClock } from '../../../tests/helpers/fake-clock.ts';
import type { LoudnessRow } from '../../../src-preload/contract/api/loudness-object.ts';
import { HOUR_MS } from '../../monitor/loudness/loudness-file.ts';
import type { Caller } from '../../operators/caller.ts';
import { LoudnessService } from './loudness-service.ts';

const NOON = Date.UTC(2027, 0, 15, 12);
const CALLER: Caller = { mayRead: true, mayWrite: false, who: 'pat', address: '' };

/** Log in which the loudness of each part of an hour is the number of the part. */
function stage(): {
  readonly service: LoudnessService;
  readonly queries: (readonly [hourMs: number, parts: number])[];
} {
  const queries: (readonly [number, number])[] = [];
  const service = new LoudnessService({
    clock: new FakeClock(NOON),
    store: { rows: () => [], count: () => 0 },
    log: {
      hour: () => Promise.resolve([]),
      // No figures are requested.
      figures: () => Promise.resolve({} as LoudnessRow),
      curve: (_name, hourMs, parts) => {
        queries.push([hourMs, parts]);
        return Promise.resolve(Array.from({ length: parts }, (_, part) => [-part, -part] as const));
      },
    },
  });
  return { service, queries };
}

it('a loudness curve has about the requested number of steps, each a part of an hour', async () => {
  const { service, queries } = stage();
  const time = { fromMs: NOON - 90 * 60_000, toMs: NOON - 30 * 60_000 };
  const { fromMs, stepMs, curve } = await service.curve('cam', time, 60, CALLER);
  expect([fromMs, stepMs, curve.length]).toEqual([time.fromMs, 60_000, 60]);
  expect([curve[0], curve[29], curve[30]]).toEqual([
    [-30, -30],
    [-59, -59],
    [-0, -0],
  ]);
  expect(queries).toEqual([
    [NOON - 2 * HOUR_MS, 60],
    [NOON - HOUR_MS, 60],
  ]);
});

it('a loudness curve of any range reads only stored hours', async () => {
  const { service, queries } = stage();
  const { fromMs, stepMs, curve } = await service.curve('cam', { fromMs: 0, toMs: NOON + 9 * HOUR_MS }, 2000, CALLER);
  expect([fromMs, stepMs, curve.length, queries.length]).toEqual([NOON - 26 * HOUR_MS, HOUR_MS, 26, 26]);
  expect((await service.curve('cam', { fromMs: 0, toMs: 1000 }, 5, CALLER)).curve).toEqual([]);
  const fine = await service.curve('cam', { fromMs: NOON - 1000, toMs: NOON - 750 }, 2000, CALLER);
  expect([fine.stepMs, fine.curve.length]).toEqual([100, 3]);
});

it('loudness days are those with audio, newest first, including today', async () => {
  const DAY_MS = 86_400_000;
  const row = (span: LoudnessRow['span'], fromMs: number, measuredMs: number): LoudnessRow => ({
    id: `${span}-${fromMs}`,
    name: 'cam',
    span,
    from_at: fromMs,
    measured_ms: measuredMs,
    integrated: -23,
    range: 5,
    max_momentary: -18,
    max_short_term: -20,
    true_peak: -3,
  });
  const today = Math.floor(NOON / DAY_MS) * DAY_MS;
  const queries: unknown[] = [];
  const service = new LoudnessService({
    clock: new FakeClock(NOON),
    store: {
      rows: (_name, query) => {
        queries.push(query);
        return [row('day', today - DAY_MS, 1000), row('day', today - 2 * DAY_MS, 0)];
      },
      count: () => 0,
    },
    log: {
      hour: () => Promise.resolve([]),
      curve: () => Promise.resolve([]),
      figures: (_name, span, fromMs) => Promise.resolve(row(span, fromMs, 60_000)),
    },
  });
  expect((await service.days('cam', CALLER)).map(({ from_at: fromMs }) => fromMs)).toEqual([today, today - DAY_MS]);
  expect(queries).toEqual([
    expect.objectContaining({ conditions: [{ field: 'span', operator: 'in', values: ['day'] }], isDescending: true }),
  ]);
  await expect(service.days('cam', { ...CALLER, prefixes: ['news'] })).rejects.toMatchObject({ code: 'forbidden' });
});

it('a loudness curve is refused to callers who may not see the stream', async () => {
  await expect(
    stage().service.curve('cam', { fromMs: 0, toMs: 1 }, 1, { ...CALLER, prefixes: ['news'] }),
  ).rejects.toMatchObject({ code: 'forbidden' });
});
