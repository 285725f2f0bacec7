import { generateKeyPairSync } from 'node:crypto';
import { appendFileSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { OPERATION_TYPES, type Operation } from '../../../src-preload/contract/api/operation-object.ts';
import { isoTime } from '../../lib/clock.ts';
import { silentLog } from '../../lib/log.ts';
import { LogVerifier } from '../../subscribers/log-verifier.ts';
import { printId, SnowflakeIds } from '../../subscribers/snowflake.ts';
import type { OperationQuery } from '../../subscribers/subscriber-query.ts';
import { Database } from '../database.ts';
import { SUBSCRIBERS_MIGRATIONS } from '../migrations.ts';
import { LogProof } from './log-digests.ts';
import { OperationArchive } from './operation-archive.ts';
import { operationLog } from './operation-log.ts';
import { OperationReader } from './operation-reader.ts';

const DAY_MS = 86_400_000;
const START_MS = Date.UTC(2026, 0, 20);
const PER_PORTAL = 150;
const COUNT = 2 * PER_PORTAL;
const BLOCK = 4;

const ids = new SnowflakeIds(0n);
const PORTALS = [printId(ids.next(START_MS - 2)), printId(ids.next(START_MS - 2))];
const WHO = [1, 2, 3].map(() => printId(ids.next(START_MS - 1)));
/** A record every six hours, of one portal after the other. */
const WRITTEN = Array.from({ length: COUNT }, (_, at): Operation => {
  const ms = START_MS + (at * DAY_MS) / 4;
  const pick = (list: readonly string[], by: number): string | null => list[Math.floor(at / by) % 4] ?? null;
  const written = {
    ...{ operationId: printId(ids.next(ms)), type: OPERATION_TYPES[at % OPERATION_TYPES.length] },
    ...{ portalId: PORTALS[at % 2], subscriberId: pick(WHO, 1), packageId: pick(WHO, 3) },
    ...{ createdAt: isoTime(ms), updatedAt: isoTime(ms), payload: { name: `ä "${at}"\n`, keyName: 'k' } },
  };
  // The log does not look into payloads.
  return written as unknown as Operation;
});

let folder = '';
let database: Database;
let archive: OperationArchive;
let reader: OperationReader;

/** As after a start of the server: nothing is remembered. */
function reopen(): void {
  const { connection } = database;
  archive = new OperationArchive(connection, join(folder, 'archive'), BLOCK);
  reader = new OperationReader(connection, archive);
}

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'airdesk-archive-'));
  database = Database.open(join(folder, 'subscribers.db'), {
    ...{ log: silentLog, now: () => START_MS, migrations: SUBSCRIBERS_MIGRATIONS, content: 'record' },
  });
  const { connection } = database;
  const id = (text: string): bigint => Buffer.from(text.slice(0, -1), 'base64url').readBigUInt64BE();
  const portal = connection.prepare(
    `INSERT INTO portal (id, name, is_auto_registration, is_disabled, chain_length, chain_hash) VALUES (?, ?, 0, 0, 0, zeroblob(32))`,
  );
  connection.transaction(() => {
    for (const one of PORTALS) portal.run(id(one), one);
    const append = operationLog(connection);
    for (const operation of WRITTEN) append(operation);
  })();
  reopen();
});
afterEach(() => {
  database.close();
  rmSync(folder, { recursive: true });
});

function moveAll(beforeMs: number): number {
  let all = 0;
  for (let moved; (moved = archive.move(beforeMs)) > 0;) all += moved;
  return all;
}

function everything(): readonly Operation[] {
  const none = { subscriberIds: undefined, packageId: undefined, types: undefined, fromMs: undefined };
  const query = { ...none, beforeMs: undefined, afterId: undefined, limit: 1000, isDescending: false };
  return PORTALS.flatMap((portal) => reader.operations(portal, query).items);
}
const EXPECTED = PORTALS.flatMap((portal) => WRITTEN.filter(({ portalId }) => portalId === portal));

const files = (): readonly string[] => readdirSync(join(folder, 'archive')).sort();
const pathOf = (file: string | undefined): string => join(folder, 'archive', file ?? '');

const time = fc.option(
  fc.integer({ min: -1, max: COUNT / 4 + 1 }).map((day) => START_MS + day * DAY_MS),
  {
    nil: undefined,
  },
);
const query: fc.Arbitrary<OperationQuery> = fc.record({
  subscriberIds: fc.option(fc.subarray([...WHO], { minLength: 1 }), { nil: undefined }),
  packageId: fc.option(fc.constantFrom(...WHO), { nil: undefined }),
  types: fc.option(fc.subarray([...OPERATION_TYPES], { minLength: 1 }), { nil: undefined }),
  ...{ fromMs: time, beforeMs: time, isDescending: fc.boolean() },
  afterId: fc.option(fc.constantFrom(...WRITTEN.map(({ operationId }) => operationId)), { nil: undefined }),
  limit: fc.integer({ min: 1, max: 60 }),
});

describe('archive files of the operations log', () => {
  it('change no answer, whatever is asked and however much was moved', () => {
    fc.assert(
      fc.property(fc.array(query, { minLength: 10, maxLength: 10 }), fc.nat(COUNT / 4), (queries, days) => {
        const ask = (): unknown => queries.map((one) => PORTALS.map((portal) => reader.operations(portal, one)));
        const before = ask();
        // It only grows from one run to the next.
        moveAll(START_MS + days * DAY_MS);
        reopen();
        expect(ask()).toEqual(before);
      }),
      { numRuns: 60 },
    );
    expect(everything()).toEqual(EXPECTED);
    for (const one of WRITTEN.slice(0, 40)) {
      expect(reader.operation(one.portalId, one.operationId)).toEqual(one);
      expect(
        reader.operation(PORTALS.find((portal) => portal !== one.portalId) ?? '', one.operationId),
      ).toBeUndefined();
    }
  });

  it('take whole blocks of what is old enough, and leave the rest', () => {
    expect(archive.move(START_MS)).toBe(0);
    // 40 records of each portal are older than 20 days.
    expect(moveAll(START_MS + 20 * DAY_MS)).toBe(80);
    expect(moveAll(START_MS + 20 * DAY_MS)).toBe(0);
    const left = database.connection.prepare(`SELECT count(*) FROM operation WHERE payload <> ''`).pluck().get();
    expect(left).toBe(COUNT - 80);
    expect(moveAll(START_MS + COUNT * DAY_MS)).toBe(COUNT - 80 - 2 * (PER_PORTAL % BLOCK));
    expect(files().every((file) => /^[0-9a-f]{16}-2026-0[1-4]\.jsonl\.gz$/.test(file))).toBe(true);
    if (process.platform !== 'win32') expect(statSync(pathOf(files()[0])).mode & 0o777).toBe(0o600);
  });

  it('stay in the chain, and are gzip files of the lines of an export', () => {
    moveAll(START_MS + COUNT * DAY_MS);
    const proof = new LogProof(database.connection, archive);
    for (const portal of PORTALS) {
      const records = proof.records(portal, '', 1000);
      const verifier = new LogVerifier(generateKeyPairSync('ed25519').publicKey);
      for (const record of records) verifier.addRecord(record);
      expect(verifier.report()).toMatchObject({ isIntact: true, records: PER_PORTAL });
      const number = Buffer.from(portal.slice(0, -1), 'base64url').toString('hex');
      const own = files().filter((file) => file.startsWith(number));
      const lines = own.map((file) => gunzipSync(readFileSync(pathOf(file))).toString()).join('');
      expect(lines).toBe(
        records
          .slice(0, PER_PORTAL - (PER_PORTAL % BLOCK))
          .map((one) => `${JSON.stringify(one)}\n`)
          .join(''),
      );
    }
  });

  it('lose nothing when the process is killed at any write', () => {
    const { connection } = database;
    let left = Number.POSITIVE_INFINITY;
    connection.function('written', { deterministic: false }, () => {
      if (left-- <= 0) throw new Error('the process was killed');
      return 1;
    });
    for (const table of ['operation', 'operation_block'])
      for (const event of ['BEFORE INSERT', 'AFTER INSERT', 'BEFORE UPDATE', 'AFTER UPDATE'])
        connection.exec(
          `CREATE TEMP TRIGGER "${table} ${event}" ${event} ON main.${table} BEGIN SELECT written(); END`,
        );
    let kills = 0;
    for (let writes = 0; ; writes++) {
      left = writes;
      try {
        archive.move(START_MS + 30 * DAY_MS);
        break;
      } catch (error) {
        expect(String(error)).toContain('killed');
        kills++;
      }
      reopen();
      expect(everything()).toEqual(EXPECTED);
    }
    // For each of 8 blocks of 4 records: around its row, and around each of its records.
    expect(kills).toBe(8 * (2 + 4 * 2));
    left = Number.POSITIVE_INFINITY;
    // The file is on the disk, the transaction is not.
    for (let at = 0; at < 4; at++) {
      expect(() =>
        connection.transaction(() => {
          archive.move(START_MS + 60 * DAY_MS);
          throw new Error('the process was killed');
        })(),
      ).toThrow('killed');
      reopen();
      expect(everything()).toEqual(EXPECTED);
      for (const file of files()) appendFileSync(pathOf(file), 'half of a block');
      archive.move(START_MS + 60 * DAY_MS);
      reopen();
      expect(everything()).toEqual(EXPECTED);
    }
  });

  it('that are damaged, cut or missing are named, and nothing else suffers', () => {
    moveAll(START_MS + COUNT * DAY_MS);
    const [first] = files();
    const whole = readFileSync(pathOf(first));
    const [old, newest] = [EXPECTED[0] as Operation, EXPECTED[PER_PORTAL - 5] as Operation];
    const damaged = Buffer.from(whole).fill(0xff, 20, 60);
    for (const spoil of [
      () => writeFileSync(pathOf(first), damaged),
      () => writeFileSync(pathOf(first), whole.subarray(0, 30)),
      () => rmSync(pathOf(first)),
    ]) {
      spoil();
      reopen();
      expect(() => reader.operation(old.portalId, old.operationId)).toThrow(
        expect.objectContaining({ code: 'unavailable', message: expect.stringContaining(first ?? '') as string }),
      );
      expect(reader.operation(newest.portalId, newest.operationId)).toEqual(newest);
    }
    writeFileSync(pathOf(first), whole);
    expect(everything()).toEqual(EXPECTED);
  });
});
