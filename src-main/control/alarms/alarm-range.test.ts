import { expect, it } from 'vitest';
import { anAlarm } from '../../../tests/helpers/desk/an-alarm.ts';
import { AlarmRepository } from '../../db/alarm-repository.ts';
import { Database } from '../../db/database.ts';
import { silentLog } from '../../lib/log.ts';
import { AlarmHistory } from '../../monitor/alarm-history.ts';
import { FakeClock } from '../../../tests/helpers/fake-clock.ts';
import { AlarmService } from './alarm-service.ts';

it('the alarm history returns the alarms raised in a time range, optionally with a text', async () => {
  const database = Database.open(':memory:', { log: silentLog, now: () => 0 });
  const history = new AlarmHistory({
    clock: new FakeClock(),
    store: new AlarmRepository(database.connection),
    failed: () => undefined,
  });
  for (let at = 0; at < 10; at++) history.keep(anAlarm(`a${at}`, { raised_at: at * 1000, cleared_at: at * 1000 + 1 }));
  const alarms = { list: () => [], find: () => undefined, acknowledge: () => undefined, shelve: () => undefined };
  const service = new AlarmService({ alarms, history });
  const idsOf = async (more: object): Promise<string[]> =>
    (await service.historyPage({ limit: 5, ...more })).map(({ id }) => id);
  expect(await idsOf({ from: 2000, to: 5000 })).toEqual(['a4', 'a3', 'a2']);
  expect(await idsOf({ from: 8000, text: 'No frame' })).toEqual(['a9', 'a8']);
  expect(await idsOf({ from: 2000, to: 5000, before: { raised_at: 3000, id: 'a3' } })).toEqual(['a2']);
  history.close();
  database.close();
});
