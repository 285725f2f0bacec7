import { describe, expect, it } from 'vitest';
import type { AlarmObject } from '../../../src-preload/contract/api/alarm-object.ts';
import { AlarmService } from '../../control/alarms/alarm-service.ts';
import { Database } from '../../db/database.ts';
import { AlarmRepository } from '../../db/alarm-repository.ts';
import { silentLog } from '../../lib/log.ts';
import { AlarmHistory } from '../../monitor/alarm-history.ts';
import { Alarms } from '../../monitor/alarms.ts';
import { FakeClock } from '../../../tests/helpers/fake-clock.ts';
import { PiecesBody, TextBody, type EndpointRequest } from '../endpoints/endpoint.ts';
import { readQueryString } from '../endpoints/query-string.ts';
import { listEndpoint } from './generic/list-endpoint.ts';
import { alarmCollection } from './collections.ts';
import { ALARM_OPERATIONS } from '../../../src-preload/contract/operations/alarms.ts';
import { alarmOperations } from '../../control/alarms/alarm-operations.ts';
import { endpointsOf } from '../endpoints/operation-endpoints.ts';
import { alarmEndpoints } from './alarm-endpoints.ts';

const ALL = { mayRead: true, mayWrite: true, who: 'pat', address: '' };

class Stage {
  readonly clock = new FakeClock(1000);
  #count = 0;
  readonly #database = Database.open(':memory:', { log: silentLog, now: () => 0 });
  readonly history = new AlarmHistory({
    clock: this.clock,
    store: new AlarmRepository(this.#database.connection),
    failed: (error) => {
      throw error;
    },
  });
  readonly alarms = new Alarms({
    now: () => this.clock.now(),
    newId: () => `n${this.#count++}`,
    changed: (alarm) => {
      this.history.keep(alarm);
    },
    happened: () => undefined,
  });
  readonly #context = { alarms: new AlarmService({ alarms: this.alarms, history: this.history }) };
  readonly #endpoints = [
    listEndpoint(alarmCollection(this.#context)),
    ...alarmEndpoints(this.#context),
    ...endpointsOf(ALARM_OPERATIONS, alarmOperations(this.#context), { tag: 'alarms' }),
  ];

  raise(names: readonly string[]): void {
    this.alarms.beginRound();
    for (const name of names)
      this.alarms.measure(
        { name, alarm: 'no_input', fault: 'no_frames', facts: {}, isFaulty: true },
        { severity: 'critical', raiseMs: 0, clearMs: 0 },
      );
    this.alarms.endRound();
  }

  async request(id: string, more: Partial<EndpointRequest> = {}): Promise<unknown> {
    const url = more.url ?? '/streamer/api/v3/x';
    const request = { url, query: readQueryString(url), params: {}, caller: ALL, headers: {}, ...more };
    // The handlers read nothing else.
    const answer = await this.#endpoints.find((one) => one.id === id)?.handle(request as EndpointRequest);
    return answer?.body;
  }
}

describe('the alarm API', () => {
  it('lists open alarms within the scope of the caller', async () => {
    const stage = new Stage();
    stage.raise(['studio/a', 'b']);
    const list = async (prefixes?: readonly string[]): Promise<unknown> => {
      const body = await stage.request('alarm_list', { caller: { ...ALL, ...(prefixes ? { prefixes } : {}) } });
      return body instanceof TextBody ? JSON.parse(body.text) : body;
    };
    expect(await list()).toMatchObject({ alarms: [{ name: 'studio/a' }, { name: 'b' }], estimated_count: 2 });
    expect(await list(['studio'])).toMatchObject({ alarms: [{ name: 'studio/a' }], estimated_count: 1 });
  });

  it('lists no alarms of the server for a caller who may see only some streams', async () => {
    const stage = new Stage();
    stage.alarms.beginRound();
    stage.alarms.measure(
      { name: null, alarm: 'disk', fault: 'disk_full', facts: {}, isFaulty: true },
      { severity: 'critical', raiseMs: 0, clearMs: 0 },
    );
    stage.alarms.endRound();
    const body = await stage.request('alarm_list', { caller: { ...ALL, prefixes: ['null'] } });
    expect(body instanceof TextBody ? JSON.parse(body.text) : body).toMatchObject({ estimated_count: 0 });
    const all = await stage.request('alarm_list');
    expect(all instanceof TextBody ? JSON.parse(all.text) : all).toMatchObject({ estimated_count: 1 });
  });

  it('lists and exports the history within the scope of the caller', async () => {
    const stage = new Stage();
    stage.raise(['studio/a', 'studios', 'b']);
    const caller = { ...ALL, prefixes: ['studio'] };
    const studio = { alarm_history: [{ name: 'studio/a' }], estimated_count: 1, next: null };
    for (const url of ['/x', '/x?q=studio']) {
      expect(await stage.request('alarm_history_list', { url, caller })).toMatchObject(studio);
      const body = await stage.request('alarm_history_export', { url, caller });
      let text = '';
      if (body instanceof PiecesBody) for await (const piece of body.pieces) text += piece;
      expect(text.trimEnd().split('\n')).toEqual([expect.stringContaining('studio/a')]);
    }
    expect(await stage.request('alarm_history_list', { url: '/x?name=b', caller })).toMatchObject({
      alarm_history: [],
      estimated_count: 0,
    });
  });

  it('acknowledges an alarm with a note, and shelves it', async () => {
    const stage = new Stage();
    stage.raise(['a']);
    const acknowledged = await stage.request('alarm_acknowledge', { params: { id: 'n0' }, body: { note: 'cable' } });
    expect(acknowledged).toMatchObject({ acknowledged_by: 'pat', note: 'cable' });
    const shelved = await stage.request('alarm_shelve', { params: { id: 'n0' }, body: { seconds: 60 } });
    expect(shelved).toMatchObject({ shelved_until: stage.clock.now() + 60_000 });
  });

  it('finds a text in the history, and exports the complete history as a file', async () => {
    const stage = new Stage();
    stage.raise(Array.from({ length: 1200 }, (_, index) => `cam${index}`));
    const [first] = stage.alarms.list();
    stage.alarms.acknowledge(first?.id ?? '', 'pat', 'Loose, "red" cable');
    expect(await stage.request('alarm_history_list', { url: '/x?q=CABLE&limit=5' })).toMatchObject({
      alarm_history: [{ name: 'cam0' }],
      estimated_count: 1,
      next: null,
    });
    const page = await stage.request('alarm_history_list', { url: '/x?q=cam11&limit=50' });
    expect(page).toMatchObject({ estimated_count: 111 });
    const file = async (url: string): Promise<string> => {
      const body = await stage.request('alarm_history_export', { url });
      let text = '';
      if (body instanceof PiecesBody) for await (const piece of body.pieces) text += piece;
      return text;
    };
    const csv = (await file('/x?format=csv')).trimEnd().split('\r\n');
    expect([csv.length, csv[0]?.split(',').slice(0, 3)]).toEqual([1201, ['id', 'name', 'alarm']]);
    expect(csv.find((line) => line.includes('cam0,'))).toContain('"Loose, ""red"" cable"');
    const rows = (await file('/x?q=pat&severity=critical')).trimEnd().split('\n');
    expect(rows.map((row) => (JSON.parse(row) as AlarmObject).name)).toEqual(['cam0']);
    expect(await file('/x?q=nowhere')).toBe('');
  });

  it('hides texts of an export from read-only callers, as in the list', async () => {
    const stage = new Stage();
    stage.raise(['cam0']);
    stage.alarms.acknowledge(stage.alarms.list()[0]?.id ?? '', 'pat', 'door code 1234');
    const notes = async (mayWrite: boolean): Promise<string> => {
      const body = await stage.request('alarm_history_export', { url: '/x', caller: { ...ALL, mayWrite } });
      let text = '';
      if (body instanceof PiecesBody) for await (const piece of body.pieces) text += piece;
      const { name, note, detail } = JSON.parse(text) as AlarmObject;
      return [name, note, detail === '********' ? detail : 'shown'].join();
    };
    expect(await notes(true)).toBe('cam0,door code 1234,shown');
    expect(await notes(false)).toBe('cam0,********,********');
  });

  it.each([
    ['alarm_acknowledge', { params: { id: 'none' }, body: {} }, 'alarm_not_found'],
    ['alarm_shelve', { params: { id: 'n0' }, body: { seconds: -1 } }, 'bad_value'],
    ['alarm_shelve', { params: { id: 'n0' }, body: {} }, 'bad_value'],
    ['alarm_acknowledge', { params: { id: 'n0' }, body: { note: 'x'.repeat(1001) } }, 'bad_value'],
    ['alarm_acknowledge', { params: { id: 'n0' }, body: {}, caller: { ...ALL, prefixes: ['b'] } }, 'alarm_not_found'],
    ['alarm_history_list', { url: '/x?sort=detail' }, 'bad_query'],
    ['alarm_history_list', { url: `/x?q=${'x'.repeat(5000)}` }, 'bad_query'],
    ['alarm_history_export', { url: '/x?format=xml' }, 'bad_query'],
    ['alarm_history_export', { url: '/x?limit=3' }, 'bad_query'],
  ])('refuses %s of %j', async (id, request, code) => {
    const stage = new Stage();
    stage.raise(['a']);
    await expect(stage.request(id, request)).rejects.toMatchObject({ code });
  });

  it('returns the history in pages, with the outcome of each alarm', async () => {
    const stage = new Stage();
    stage.raise(['a', 'b', 'c']);
    stage.clock.advance(500);
    stage.raise(['b']);
    type ListPage = { alarm_history: AlarmObject[]; next: string | null };
    const first = (await stage.request('alarm_history_list', { url: '/x?sort=-raised_at&limit=2' })) as ListPage;
    const query = `/x?sort=-raised_at&limit=2&cursor=${first.next}`;
    const second = (await stage.request('alarm_history_list', { url: query })) as ListPage;
    const all = [...first.alarm_history, ...second.alarm_history];
    expect(all.map(({ name, cleared_at: at }) => [name, at])).toEqual([
      ['c', 1500],
      ['b', null],
      ['a', 1500],
    ]);
    expect(second.next).toBeNull();
  });
});
