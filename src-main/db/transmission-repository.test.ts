import Sqlite from 'better-sqlite3';
import { beforeEach, describe, expect, it } from 'vitest';
import type { PushTransmissionObject } from '../../src-preload/contract/api/push-object.ts';
import { silentLog } from '../lib/log.ts';
import { Database, migrate } from './database.ts';
import { AIRDESK_SCHEMA } from './schemas/airdesk.ts';
import { TransmissionRepository } from './transmission-repository.ts';

const YEAR_MS = 365 * 86_400_000;
const NOW_MS = 1_900_000_000_000;
const TARGET = 'target';
let database: Database;
let log: TransmissionRepository;
beforeEach(() => {
  database = Database.open(':memory:', { log: silentLog, now: () => NOW_MS });
  log = new TransmissionRepository(database.connection);
});

function aTransmission(change: Partial<PushTransmissionObject> = {}): PushTransmissionObject {
  return {
    url: 'rtmp://h/app/***',
    started_at: NOW_MS,
    ended_at: NOW_MS + 1000,
    has_sent: true,
    bytes: 5,
    tries: 1,
    code: 'push_lost',
    detail: 'The server closed the connection',
    explanation: { code: 'push_closed_by_target', facts: {} },
    ...change,
  };
}

describe('the log of transmissions', () => {
  it('lists the transmissions of a stream, newest first, and replaces one by its start', () => {
    const { explanation: _explanation, ...running } = aTransmission({ ended_at: null, code: null, detail: null });
    log.put('a', TARGET, running);
    log.put('a', TARGET, aTransmission({ started_at: NOW_MS + 5000, has_sent: false }));
    log.put('b', TARGET, aTransmission());
    expect(log.list('a')).toEqual([aTransmission({ started_at: NOW_MS + 5000, has_sent: false }), running]);
    log.put('a', TARGET, aTransmission());
    expect(log.list('a')[1]).toEqual(aTransmission());
  });

  it('separates targets whose addresses differ only in their keys', () => {
    log.put('a', TARGET, aTransmission());
    log.put('a', 'other', aTransmission({ bytes: 6 }));
    expect(log.list('a').map(({ bytes }) => bytes)).toEqual([6, 5]);
    expect(log.list('a', TARGET)).toEqual([aTransmission()]);
    expect(log.list('a', 'none')).toEqual([]);
  });

  it('stores the last hundred of each target', () => {
    for (let index = 0; index < 105; index++) log.put('a', TARGET, aTransmission({ started_at: NOW_MS + index }));
    log.put('a', 'other', aTransmission());
    const rows = log.list('a', TARGET);
    expect([rows.length, rows.at(0)?.started_at, rows.at(-1)?.started_at]).toEqual([100, NOW_MS + 104, NOW_MS + 5]);
    expect(log.list('a')).toHaveLength(101);
  });

  it('forgets transmissions after a year', () => {
    log.put('gone', TARGET, aTransmission({ started_at: NOW_MS - YEAR_MS - 1 }));
    log.put('a', TARGET, aTransmission());
    expect(log.list('gone')).toEqual([]);
  });

  it('marks transmissions that ran when the server was killed', () => {
    log.put('a', TARGET, aTransmission({ ended_at: null, code: null, detail: null }));
    log.put('a', TARGET, aTransmission({ started_at: NOW_MS - 1 }));
    const again = new TransmissionRepository(database.connection);
    expect(again.list('a').map(({ ended_at: ended, code }) => [ended, code])).toEqual([
      [null, 'push_interrupted'],
      [NOW_MS + 1000, 'push_lost'],
    ]);
  });

  it('keeps the transmissions of a database without targets', () => {
    const connection = new Sqlite(':memory:');
    migrate(connection);
    new TransmissionRepository(connection).put('a', '', aTransmission());
    // The same table, without the column that the migration adds.
    connection.exec(`DROP INDEX push_transmission_by_time;
      CREATE TABLE before AS SELECT * FROM push_transmission;
      DROP TABLE push_transmission;
      ALTER TABLE before DROP COLUMN target;
      ALTER TABLE before RENAME TO push_transmission;
      CREATE INDEX push_transmission_by_time ON push_transmission (started_at);`);
    connection.pragma(`user_version = ${AIRDESK_SCHEMA.version - 1}`);
    migrate(connection);
    const migrated = new TransmissionRepository(connection);
    expect(migrated.list('a')).toEqual([aTransmission()]);
    migrated.put('a', TARGET, aTransmission());
    expect(migrated.list('a', TARGET)).toHaveLength(1);
  });
});
