import { generateKeyPairSync } from 'node:crypto';
import { cpSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { subscribersHere } from '../../../tests/helpers/subscribers-here.ts';
import { Database } from '../../db/database.ts';
import { LOG_FILE_SCHEMA } from '../../db/schemas/log-file.ts';
import { SUBSCRIBERS_SCHEMA } from '../../db/schemas/subscribers.ts';
import { openSubscriberDatabase, type SubscriberDatabase } from '../../db/subscribers/subscriber-database.ts';
import type { OperationRow } from '../../db/subscriber-rows.ts';
import { packRows, unpackRows } from '../../db/subscribers/tiers/packed-rows.ts';
import { silentLog } from '../../lib/log.ts';
import { LogVerifier, type LogRecord, type LogReport } from '../../subscribers/log-verifier.ts';
import { LogProofService } from './log-proof-service.ts';

const HOUR_MS = 3_600_000;
/**
 * Last half hour of a month. Operations of this time go to the cold folder, those of the next hours to a file next to
 * the database and into the database.
 */
const START_MS = Date.UTC(2026, 0, 31, 23, 30);
/** Number of records per hour, and so per tier. */
const EACH = 6;
const TIERS = ['cold', 'warm', 'hot', 'unsigned'] as const;
type Tier = (typeof TIERS)[number];
const FILES: Readonly<Record<Tier, string>> = {
  cold: 'operations/cold/operations-2026-01.db',
  warm: 'operations/operations-2026-02.db',
  hot: 'subscribers.db',
  unsigned: 'subscribers.db',
};
const { privateKey, publicKey } = generateKeyPairSync('ed25519');
const PRIVATE_KEY = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();

let nowMs = START_MS;
const folder = mkdtempSync(join(tmpdir(), 'airdesk-tampering-'));
const [original, changed] = [join(folder, 'whole'), join(folder, 'changed')];
let portalId = '';
let records: readonly LogRecord[] = [];

const openIn = (dataFolder: string): SubscriberDatabase =>
  openSubscriberDatabase(join(dataFolder, 'subscribers.db'), { log: silentLog, now: () => nowMs });

beforeAll(() => {
  mkdirSync(original);
  const database = openIn(original);
  const change = { type: 'createPortal', name: 'city', isAutoRegistration: false } as const;
  const [created] = database.writer.write('portal', [{ kind: 'portal', change, nowMs }]);
  portalId = created?.ok === true && created.object && 'portalId' in created.object ? created.object.portalId : '';
  for (const tier of TIERS) {
    for (let at = 0; at < EACH; at++) {
      const command = { type: 'createSubscriber', name: `${tier} ${at}`, phoneCountryCode: '', phone: '' } as const;
      const other = { keyName: 'k', managerEmail: undefined, idempotency: undefined };
      database.writer.write(`${tier} ${at}`, [{ kind: 'command', portalId, command, ...other, nowMs: nowMs + at }]);
    }
    if (tier === 'unsigned') break;
    nowMs += HOUR_MS;
    database.writer.write(tier, [{ kind: 'digests', privateKey: PRIVATE_KEY, nowMs }]);
  }
  // The time is 2:30. The hour from 0:30 is warm, and January is cold.
  const times = { nowMs, hotMs: 1.5 * HOUR_MS, warmMs: 1.5 * HOUR_MS };
  while (database.moveLog({ ...times, coldFolder: join(original, 'operations', 'cold') }));
  records = database.proof.records(portalId, '', 100);
  database.close();
});
afterAll(() => {
  rmSync(folder, { recursive: true });
});

const openFile = (file: string, schema: typeof SUBSCRIBERS_SCHEMA): Database =>
  Database.open(join(changed, file), { log: silentLog, now: () => nowMs, schema, content: 'rebuildable' });

/** Copies an intact log to a folder where it may be changed. */
function copyWhole(): void {
  rmSync(changed, { recursive: true, force: true });
  cpSync(original, changed, { recursive: true });
  const database = openFile(FILES.hot, SUBSCRIBERS_SCHEMA);
  database.connection.prepare('UPDATE log_file SET cold_path = replace(cold_path, ?, ?)').run(original, changed);
  database.close();
}

/**
 * Changes a tier like an attacker who has the files and knows their format.
 *
 * @param change receives the records of the tier in order
 * @param damage SQL that is then run on its file
 */
function tamper(tier: Tier, change: (rows: OperationRow[]) => readonly OperationRow[], damage = ''): void {
  copyWhole();
  const isPacked = tier === 'cold' || tier === 'warm';
  const schema = isPacked ? LOG_FILE_SCHEMA : SUBSCRIBERS_SCHEMA;
  const database = openFile(FILES[tier], schema);
  const { connection } = database;
  const first = TIERS.indexOf(tier) * EACH;
  if (isPacked) {
    const { portal, data } = connection
      .prepare<[], { readonly portal: bigint; readonly data: Uint8Array }>(
        'SELECT portal_id AS portal, data FROM chunk',
      )
      .safeIntegers()
      .get() ?? { portal: 0n, data: new Uint8Array() };
    const rows = change([...unpackRows(portal, data)]);
    connection.exec('DELETE FROM operation');
    connection.prepare('UPDATE chunk SET data = ?').run(packRows(rows, 'quick'));
    const add = connection.prepare(
      'INSERT INTO operation VALUES (@portal_id, @id, @type, @subscriber_id, @package_id, 1)',
    );
    for (const { sequence: _, payload: _payload, hash: _hash, ...row } of rows) add.run(row);
  } else {
    const rowsOfChunk = 'FROM operation WHERE sequence > ? AND sequence <= ?';
    const rows = connection
      .prepare<[number, number], OperationRow>(`SELECT * ${rowsOfChunk} ORDER BY id`)
      .safeIntegers();
    const after = change(rows.all(first, first + EACH));
    connection.prepare(`DELETE ${rowsOfChunk}`).run(first, first + EACH);
    const add = connection.prepare(
      `INSERT INTO operation (portal_id, id, type, subscriber_id, package_id, sequence, payload, hash)
       VALUES (@portal_id, @id, @type, @subscriber_id, @package_id, @sequence, @payload, @hash)`,
    );
    for (const row of after) add.run(row);
  }
  connection.pragma('foreign_keys = OFF');
  connection.exec(damage);
  database.close();
}

const named = ({ faults }: LogReport): readonly string[] =>
  faults.map(({ kind, sequence, operationId }) => `${kind} ${sequence} ${operationId ?? '-'}`);

/** Faults reported by the API call, by the desk, and from the export alone. */
async function foundFaults(): Promise<readonly string[]> {
  const database = openIn(changed);
  try {
    const store = subscribersHere(() => database);
    const service = new LogProofService({
      store: () => Promise.resolve(store),
      signingKey: () => Promise.resolve(PRIVATE_KEY),
    });
    const caller = { portalId, keyName: 'k' };
    const report = named(await service.verify(caller));
    service.watchVerification(caller, true);
    for (let firstReport; !firstReport; await Promise.resolve())
      firstReport = service.watchVerification(caller, false).report;
    const watched = service.watchVerification(caller, false).report;
    expect(watched && named(watched)).toEqual(report);
    const lines: string[] = [];
    for await (const line of service.exportLines(caller)) lines.push(line);
    const verifier = new LogVerifier(publicKey);
    for (const line of lines.join('').trimEnd().split('\n')) verifier.addLine(line);
    expect(named(verifier.report())).toEqual(report);
    return report;
  } finally {
    database.close();
  }
}

/** Sequence number and id of the n-th record of a tier. */
const idOf = (tier: Tier, at: number): string => {
  const record = records[TIERS.indexOf(tier) * EACH + at];
  return `${record?.sequence ?? 0} ${record?.operation.operationId ?? ''}`;
};
const numberOf = (tier: Tier, at: number): string => `${TIERS.indexOf(tier) * EACH + at + 1}`;

/** Manipulation of the third record of a tier, and the faults it causes. */
type Way = readonly [
  what: string,
  change: (rows: OperationRow[]) => readonly OperationRow[],
  names: (tier: Tier) => readonly string[],
];
const at = (rows: readonly OperationRow[], index: number): OperationRow => rows[index] as OperationRow;
const NONE = (tier: Tier): readonly string[] =>
  Array.from({ length: EACH }, (_, index) => `removed ${numberOf(tier, index)} -`);
const WAYS: readonly Way[] = [
  [
    'another payload',
    (rows) => rows.with(2, { ...at(rows, 2), payload: '{"name":"x"}' }),
    (tier) => [`changed ${idOf(tier, 2)}`],
  ],
  [
    'a payload that is no JSON',
    (rows) => rows.with(2, { ...at(rows, 2), payload: '{"name":' }),
    (tier) => [`changed ${idOf(tier, 2)}`],
  ],
  ['an unknown type', (rows) => rows.with(2, { ...at(rows, 2), type: 200n }), (tier) => [`changed ${idOf(tier, 2)}`]],
  [
    'another subscriber',
    (rows) => rows.with(2, { ...at(rows, 2), subscriber_id: at(rows, 1).subscriber_id }),
    (tier) => [`changed ${idOf(tier, 2)}`],
  ],
  ['a removed record', (rows) => rows.toSpliced(2, 1), (tier) => [`removed ${numberOf(tier, 2)} -`]],
  ['no last record', (rows) => rows.slice(0, -1), (tier) => [`removed ${numberOf(tier, EACH - 1)} -`]],
  ['none', () => [], NONE],
  [
    'a duplicate record',
    (rows) => rows.toSpliced(3, 0, { ...at(rows, 2), id: at(rows, 2).id + 1n }),
    (tier) => [expect.stringMatching(`^inserted ${numberOf(tier, 2)} `) as string],
  ],
  [
    'two swapped records',
    (rows) => rows.with(2, { ...at(rows, 3), id: at(rows, 2).id }).with(3, { ...at(rows, 2), id: at(rows, 3).id }),
    // The records now have the id of the other portal, which is part of their hash.
    (tier) => [
      `reordered ${numberOf(tier, 2)} ${idOf(tier, 3).split(' ')[1] ?? ''}`,
      `changed ${numberOf(tier, 2)} ${idOf(tier, 3).split(' ')[1] ?? ''}`,
      `changed ${numberOf(tier, 3)} ${idOf(tier, 2).split(' ')[1] ?? ''}`,
    ],
  ],
];

/** Damage to a file outside its records, and the faults it causes. */
const DAMAGES: readonly (readonly [what: string, sql: string, names: (tier: Tier) => readonly string[]])[] = [
  [
    'another type in its index',
    'UPDATE operation SET type = 4 WHERE id = (SELECT id FROM operation ORDER BY id LIMIT 1 OFFSET 2)',
    (tier) => [`changed ${idOf(tier, 2)}`],
  ],
  [
    'another subscriber in its index',
    'UPDATE operation SET subscriber_id = 7 WHERE id = (SELECT id FROM operation ORDER BY id LIMIT 1 OFFSET 2)',
    (tier) => [`changed ${idOf(tier, 2)}`],
  ],
  [
    'a record only in its index',
    'INSERT INTO operation SELECT portal_id, id + 1, type, subscriber_id, package_id, chunk FROM operation ORDER BY id LIMIT 1',
    () => [],
  ],
  [
    'records that are not in its index',
    'DELETE FROM operation WHERE id = (SELECT id FROM operation ORDER BY id LIMIT 1 OFFSET 2)',
    (tier) => [`removed ${numberOf(tier, 2)} -`],
  ],
  ...['DELETE FROM chunk', "UPDATE chunk SET data = x'00ff'", 'UPDATE chunk SET data = substr(data, 1, 40)'].map(
    (sql) => [sql, sql, NONE] as const,
  ),
];

describe('the verification of the operation log', () => {
  it('finds no fault in an intact log', async () => {
    tamper('hot', (rows) => rows);
    expect(records).toHaveLength(EACH * TIERS.length);
    expect(await foundFaults()).toEqual([]);
  });

  it.each(TIERS.flatMap((tier) => WAYS.map(([what, ...way]) => [tier, what, ...way] as const)))(
    'reports the record where %s records have %s',
    async (tier, _what, change, names) => {
      tamper(tier, change);
      expect(new Set(await foundFaults())).toEqual(new Set(names(tier)));
    },
  );

  it.each(
    (['cold', 'warm'] as const).flatMap((tier) => DAMAGES.map(([what, ...damage]) => [tier, what, ...damage] as const)),
  )('reports the records where the %s file has %s', async (tier, _what, sql, names) => {
    tamper(tier, (rows) => rows, sql);
    expect(new Set(await foundFaults())).toEqual(new Set(names(tier)));
  });
});
