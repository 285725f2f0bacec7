import { describe, expect, it } from 'vitest';
import { FakeClock } from '../../../tests/helpers/fake-clock.ts';
import type { LoudnessRow } from '../../../src-preload/contract/api/loudness-object.ts';
import { AlarmService } from '../../control/alarms/alarm-service.ts';
import { LoudnessService } from '../../control/alarms/loudness-service.ts';
import { Database } from '../../db/database.ts';
import { LoudnessRepository } from '../../db/loudness-repository.ts';
import { silentLog } from '../../lib/log.ts';
import { HOUR_MS } from '../../monitor/loudness/loudness-file.ts';
import { TextBody, type EndpointRequest } from '../endpoints/endpoint.ts';
import { readQueryString } from '../endpoints/query-string.ts';
import { ARCHIVE_OPERATIONS } from '../../../src-preload/contract/operations/archive-operations.ts';
import { archiveOperations } from '../../control/archive/archive-operations.ts';
import { endpointsOf } from '../endpoints/operation-endpoints.ts';
import { loudnessEndpoint } from './alarm-endpoints.ts';

const ALL = { mayRead: true, mayWrite: true, who: 'pat', address: '' };
const DAY = Date.UTC(2027, 0, 15);
const BLOCK = { momentary: -23, shortTerm: -24, truePeak: -3 };

function row(name: string, span: LoudnessRow['span'], fromMs: number, integrated: number): LoudnessRow {
  return {
    id: `${name} ${span} ${fromMs}`,
    name,
    span,
    from_at: fromMs,
    measured_ms: 3_600_000,
    integrated,
    range: 6,
    max_momentary: -15,
    max_short_term: -18.25,
    true_peak: -1.1,
  };
}

function stage(): (id: string, more: Partial<EndpointRequest>) => Promise<unknown> {
  const kept = new LoudnessRepository(Database.open(':memory:', { log: silentLog, now: () => 0 }).connection);
  for (const name of ['cam', '<b>&', 'other'])
    for (let hour = 0; hour < 3; hour++) kept.write(row(name, 'hour', DAY + hour * HOUR_MS, -20 - hour));
  const service = new LoudnessService({
    clock: new FakeClock(DAY + 3.5 * HOUR_MS),
    store: kept,
    log: {
      hour: (_name, hourMs) => Promise.resolve(hourMs === DAY + HOUR_MS ? Array<typeof BLOCK>(36_000).fill(BLOCK) : []),
      curve: (_name, _hourMs, parts) => Promise.resolve(Array<null>(parts).fill(null)),
      figures: (name, span, fromMs) => Promise.resolve(row(name, span, fromMs, -22.4)),
    },
  });
  const alarms = new AlarmService({
    alarms: { list: () => [], find: () => undefined, acknowledge: () => undefined, shelve: () => undefined },
    history: undefined,
    loudness: service,
  });
  const operations = archiveOperations({ alarms, streams: { get: () => undefined } });
  const endpoints = [loudnessEndpoint({ alarms }), ...endpointsOf(ARCHIVE_OPERATIONS, operations, { tag: 'streams' })];
  return async (id, more) => {
    const url = more.url ?? '/x';
    const request = { url, query: readQueryString(url), params: { name: 'cam' }, caller: ALL, headers: {}, ...more };
    // The handlers read nothing else.
    const answer = await endpoints.find((one) => one.id === id)?.handle(request as EndpointRequest);
    return answer?.body instanceof TextBody ? answer.body.text : answer?.body;
  };
}

describe('the loudness API', () => {
  it('returns hours of one stream, in pages', async () => {
    const request = stage();
    expect(await request('stream_loudness', { url: '/x?sort=-from_at&limit=2' })).toMatchObject({
      loudness: [{ integrated: -22 }, { integrated: -21 }],
      estimated_count: 3,
      prev: null,
    });
    expect(await request('stream_loudness', { url: '/x?integrated_gte=-20.5' })).toMatchObject({ estimated_count: 1 });
  });

  it('returns a value for each 100 ms across the end of an hour', async () => {
    const end = DAY + HOUR_MS;
    const log = await stage()('stream_loudness_log', { url: `/x?from=${end - 250}&to=${end + 200}` });
    expect(log).toEqual({
      name: 'cam',
      from_at: end - 300,
      step_ms: 100,
      momentary: [null, null, null, -23, -23],
      short_term: [null, null, null, -24, -24],
      true_peak: [null, null, null, -3, -3],
    });
  });

  it.each([
    ['stream_loudness_log', '/x?from=0', 'bad_query'],
    ['stream_loudness_log', '/x?from=5&to=5', 'bad_query'],
    ['stream_loudness_log', '/x?from=0&to=3600001', 'bad_query'],
    ['stream_loudness_log', `/x?from=1e3&to=${'9'.repeat(1000)}`, 'bad_query'],
    ['stream_loudness_report', '/x?day=2027-02-31x', 'bad_query'],
    ['stream_loudness_report', '/x', 'bad_query'],
    ['stream_loudness', '/x?sort=integrated', 'bad_query'],
  ])('refuses %s of %s', async (id, url, code) => {
    await expect(stage()(id, { url })).rejects.toMatchObject({ code });
  });

  it('hides other streams from a token with a prefix', async () => {
    const caller = { ...ALL, prefixes: ['studio'] };
    await expect(stage()('stream_loudness', { caller })).rejects.toMatchObject({ code: 'forbidden' });
  });

  it('prints a report of a day with its hours, its curve and an escaped stream name', async () => {
    const page = String(
      await stage()('stream_loudness_report', { url: '/x?day=2027-01-15', params: { name: '<b>&' } }),
    );
    expect(page).toContain('<h1>Loudness of &#60;b&#62;&#38;, 2027-01-15</h1>');
    expect(page).toContain('<td>02:00</td><td>01:00:00</td><td>-22.0</td><td>6.0</td><td>-15.0</td><td>-18.3</td>');
    expect(page).toContain('<td>Day</td><td>01:00:00</td><td>-22.4</td>');
    expect(page.match(/M[0-9.]+ [0-9.]+V[0-9.]+/g)).toHaveLength(30);
    expect(page).not.toContain('<td>04:00</td>');
  });
});
