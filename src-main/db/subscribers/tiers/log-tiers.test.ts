import { generateKeyPairSync } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { OPERATION_TYPES } from '../../../../src-preload/contract/api/subscribers/operation-object.ts';
import { isoTime } from '../../../lib/clock.ts';
import { silentLog } from '../../../lib/log.ts';
import { CHAIN_START } from '../../../subscribers/hash-chain.ts';
import { digestHash, signDigest } from '../../../subscribers/log-digest.ts';
import { LogVerifier } from '../../../subscribers/log-verifier.ts';
import { printId, timeOfId } from '../../../subscribers/snowflake.ts';
import type { OperationQuery } from '../../../subscribers/subscriber-query.ts';
import type { LogRetention } from '../../../subscribers/subscriber-write.ts';
import { Database, type Connection } from '../../database.ts';
import { LOG_FILE_SCHEMA } from '../../schemas/log-file.ts';
import { SUBSCRIBERS_SCHEMA } from '../../schemas/subscribers.ts';
import { LogProof } from '../log-digests.ts';
import { OperationReader } from '../operation-reader.ts';
import { SubscriberReader } from '../subscriber-reader.ts';
import { SubscriberWriter } from '../subscriber-writer.ts';
import { LogFiles } from './log-files.ts';
import { LogMover } from './log-mover.ts';
import { OperationTiers } from './operation-tiers.ts';

const DAY_MS = 86_400_000;
const START_MS = Date.UTC(2024, 0, 20);
const KEYS = generateKeyPairSync('ed25519');
const RUNS = Number(process.env['AIRDESK_FUZZ_RUNS'] ?? 3);

/** Log in a folder; its process can be killed before any of its writes to the database. */
class TieredLog {
  readonly folder = mkdtempSync(join(tmpdir(), 'airdesk-tiers-'));
  writesLeft = Infinity;
  /** Table and event at which the process is killed. */
  diesAt = '';
  #database: Database;
  #files: LogFiles;
  writer: SubscriberWriter;
  operations: OperationReader;
  proof: LogProof;
  mover: LogMover;

  constructor() {
    [this.#database, this.#files] = this.#open();
    ({ writer: this.writer, operations: this.operations, proof: this.proof, mover: this.mover } = this.#use());
  }

  get connection(): Connection {
    return this.#database.connection;
  }

  reopen(): void {
    this.#files.close();
    this.#database.close();
    this.writesLeft = Infinity;
    this.diesAt = '';
    [this.#database, this.#files] = this.#open();
    ({ writer: this.writer, operations: this.operations, proof: this.proof, mover: this.mover } = this.#use());
  }

  close(): void {
    this.#files.close();
    this.#database.close();
    rmSync(this.folder, { recursive: true });
  }

  retention(nowMs: number): LogRetention {
    return { nowMs, hotMs: 90 * DAY_MS, warmMs: 365 * DAY_MS, coldFolder: join(this.folder, 'cold') };
  }

  /**
   * Moves all due operations; the process is killed repeatedly meanwhile.
   *
   * @param killEvery number of writes of each process
   */
  move(nowMs: number, killEvery = Infinity): void {
    this.sign(nowMs);
    for (let kills = 0; ;) {
      this.writesLeft = killEvery + kills;
      try {
        while (this.mover.step(this.retention(nowMs)));
        this.writesLeft = Infinity;
        return;
      } catch (error) {
        expect(String(error)).toContain('the process was killed');
        kills++;
        this.reopen();
      }
    }
  }

  /**
   * Signs one digest of each portal up to a time: those of all hours of years would take most of the test.
   *
   * @param only one of them
   */
  sign(nowMs: number, only?: string): void {
    const portals = this.connection.prepare<[], bigint>('SELECT id FROM portal').pluck().safeIntegers().all();
    for (const portal of portals) {
      const id = printId(portal);
      if (only !== undefined && id !== only) continue;
      const before = this.proof.digests(id, 0, 1000).at(-1);
      const newest = this.proof.records(id, '', 100_000).at(-1);
      const number = (before?.digest.number ?? 0) + 1;
      const signed = signDigest(
        {
          portalId: id,
          number,
          from: before?.digest.to ?? isoTime(START_MS),
          to: isoTime(nowMs),
          lastSequence: newest?.sequence ?? 0,
          headHash: newest?.hash ?? Buffer.from(CHAIN_START).toString('hex'),
          previousHash: before ? digestHash(before) : '',
          signedAt: isoTime(nowMs),
        },
        KEYS.privateKey,
      );
      this.connection
        .prepare('INSERT INTO log_digest (portal_id, number, to_ms, signed) VALUES (?, ?, ?, ?)')
        .run(portal, number, nowMs, JSON.stringify(signed));
    }
  }

  #open(): [Database, LogFiles] {
    const options = { log: silentLog, now: () => START_MS };
    const path = join(this.folder, 'subscribers.db');
    const database = Database.open(path, { ...options, schema: SUBSCRIBERS_SCHEMA, content: 'record' });
    const { connection } = database;
    connection.pragma('synchronous = OFF');
    connection.function('written', { deterministic: false }, (what) => {
      if (this.writesLeft-- <= 0 || what === this.diesAt) throw new Error('the process was killed');
      return 1;
    });
    for (const [table, event] of [
      ['portal', 'UPDATE'],
      ['operation', 'DELETE'],
      ['log_file', 'INSERT'],
      ['log_file', 'UPDATE'],
    ] as const)
      connection.exec(
        `CREATE TEMP TRIGGER ${table}_${event} BEFORE ${event} ON main.${table} BEGIN SELECT written('${table} ${event}'); END`,
      );
    return [database, new LogFiles(connection, { ...options, folder: join(this.folder, 'operations') })];
  }

  #use() {
    const { connection } = this.#database;
    const tiers = new OperationTiers(connection, this.#files);
    return {
      writer: new SubscriberWriter(connection, new SubscriberReader(connection)),
      operations: new OperationReader(tiers),
      proof: new LogProof(connection, tiers),
      mover: new LogMover(connection, this.#files),
    };
  }
}

/** Fills two portals over a time. Returns their ids, and those of some subscribers and packages. */
function fill(log: TieredLog, days: readonly number[]) {
  let nowMs = START_MS;
  let batch = 0;
  const create = (write: Parameters<SubscriberWriter['write']>[1][number], id: string): string => {
    const [result] = log.writer.write(`b${batch++}`, [write]);
    return result?.ok === true && result.object
      ? String((result.object as unknown as Record<string, unknown>)[id])
      : '';
  };
  const portals = ['a', 'b'].map((name) =>
    create({ kind: 'portal', change: { type: 'createPortal', name, isAutoRegistration: false }, nowMs }, 'portalId'),
  );
  const subscribers: string[] = [];
  const packages: string[] = [];
  for (const [at, step] of days.entries()) {
    nowMs += step * DAY_MS;
    const portalId = portals[at % 3 === 0 ? 1 : 0] ?? '';
    const base = {
      kind: 'command',
      portalId,
      keyName: 'k',
      managerEmail: undefined,
      nowMs,
      idempotency: undefined,
    } as const;
    if (at % 7 === 0) {
      const content = { name: `p${at}`, isFree: false, streams: ['s'], maxSessions: null };
      packages.push(create({ ...base, command: { type: 'createPackage', ...content } }, 'packageId'));
    } else {
      const command = { type: 'createSubscriber', name: `n${at}`, phoneCountryCode: '', phone: '' } as const;
      const subscriberId = create({ ...base, command }, 'subscriberId');
      subscribers.push(subscriberId);
      create({ ...base, command: { type: 'attach', subscriberId, packageId: packages.at(-1) ?? '' } }, 'packageId');
      create({ ...base, command: { type: 'disableSubscriber', subscriberId, reason: undefined } }, 'subscriberId');
    }
    if (at % 5 === 0) log.sign(nowMs + 1);
  }
  return { portals, subscribers, packages, nowMs };
}

const days = fc.array(fc.integer({ min: 0, max: 60 }), { minLength: 10, maxLength: 24 });
const question = fc.record({
  portal: fc.nat(1),
  subscribers: fc.option(fc.array(fc.nat(60), { minLength: 1, maxLength: 3 }), { nil: undefined, freq: 2 }),
  package: fc.option(fc.nat(8), { nil: undefined, freq: 2 }),
  types: fc.option(fc.array(fc.constantFrom(...OPERATION_TYPES), { minLength: 1, maxLength: 3 }), {
    nil: undefined,
    freq: 2,
  }),
  fromDay: fc.option(fc.nat(900), { nil: undefined, freq: 2 }),
  beforeDay: fc.option(fc.nat(900), { nil: undefined, freq: 2 }),
  isDescending: fc.boolean(),
  limit: fc.integer({ min: 1, max: 20 }),
});

describe('the operation log in tiers', () => {
  it('answers all queries as before after interrupted moves, and remains verifiable', () => {
    fc.assert(
      fc.property(
        days,
        fc.array(question, { minLength: 5, maxLength: 10 }),
        fc.nat(9),
        (steps, questions, killEvery) => {
          const log = new TieredLog();
          try {
            const { portals, subscribers, packages, nowMs } = fill(log, steps);
            /** All pages of each query, in order. */
            const answers = () =>
              questions.map((one) => {
                const day = (at: number | undefined) => (at === undefined ? undefined : START_MS + at * DAY_MS);
                const query = {
                  subscriberIds: one.subscribers?.map((at) => subscribers[at % subscribers.length] ?? ''),
                  packageId: one.package === undefined ? undefined : packages[one.package % packages.length],
                  types: one.types,
                  fromMs: day(one.fromDay),
                  beforeMs: day(one.beforeDay),
                  isDescending: one.isDescending,
                };
                const pages = [];
                for (let afterId: string | undefined; ;) {
                  const pageQuery: OperationQuery = { ...query, afterId, limit: one.limit };
                  const page = log.operations.operations(portals[one.portal] ?? '', pageQuery);
                  pages.push(page.items);
                  afterId = page.items.at(-1)?.operationId;
                  if (!page.hasMore) return pages;
                }
              });
            const records = () => portals.map((id) => log.proof.records(id, '', 10_000));
            const [before, recorded] = [answers(), records()];
            for (const laterDays of [0, 100, 800]) {
              log.move(nowMs + laterDays * DAY_MS, killEvery);
              expect(answers()).toEqual(before);
              expect(records()).toEqual(recorded);
              const one = recorded[0]?.[0]?.operation;
              expect(log.operations.operation(one?.portalId ?? '', one?.operationId ?? '')).toEqual(one);
            }
            expect(log.connection.prepare('SELECT count(*) FROM operation').pluck().get()).toBe(0);
            // The chain continues from the moved operations.
            const laterMs = nowMs + 801 * DAY_MS;
            log.sign(laterMs);
            for (const id of portals) {
              const verifier = new LogVerifier(KEYS.publicKey);
              for (const signed of log.proof.digests(id, 0, 100_000)) verifier.addDigest(signed);
              for (const record of log.proof.records(id, '', 10_000)) verifier.addRecord(record);
              expect(verifier.report()).toMatchObject({ isIntact: true, faultCount: 0 });
            }
          } finally {
            log.close();
          }
        },
      ),
      { numRuns: RUNS },
    );
  });

  it('has a file per month, moves old files to the cold folder, and reports missing ones', () => {
    const log = new TieredLog();
    try {
      const { portals, nowMs } = fill(
        log,
        Array.from({ length: 25 }, () => 31),
      );
      log.move(nowMs);
      const cold = readdirSync(join(log.folder, 'cold'));
      const warm = readdirSync(join(log.folder, 'operations')).filter((name) => name.endsWith('.db'));
      expect(cold.length).toBeGreaterThan(5);
      expect(warm.length).toBeGreaterThan(5);
      expect(cold.every((name) => /^operations-202[45]-\d\d\.db$/.test(name))).toBe(true);
      expect(warm.filter((name) => cold.includes(name))).toEqual([]);
      log.reopen();
      const [gone = ''] = cold;
      renameSync(join(log.folder, 'cold', gone), join(log.folder, 'away.db'));
      expect(() => log.proof.records(portals[0] ?? '', '', 10)).toThrow(
        `The file with the operations of ${gone.slice(11, 18)} is missing`,
      );
      renameSync(join(log.folder, 'away.db'), join(log.folder, 'cold', gone));
      expect(log.proof.records(portals[0] ?? '', '', 10)).toHaveLength(10);
    } finally {
      log.close();
    }
  });

  it('loses no operation of a month whose move was interrupted', () => {
    const log = new TieredLog();
    try {
      const { portals, nowMs } = fill(log, [0, 1, 1, 1, 1, 1, 1]);
      const [first = '', second = ''] = portals;
      const records = () => portals.map((id) => log.proof.records(id, '', 1000));
      const before = records();
      expect(before.map((of) => of.length > 2)).toEqual([true, true]);
      const laterMs = nowMs + 800 * DAY_MS;
      // The newest operations of the second portal are signed, and moved, later.
      log.sign(laterMs, first);
      log.diesAt = 'log_file UPDATE';
      expect(() => {
        while (log.mover.step(log.retention(laterMs)));
      }).toThrow('the process was killed');
      log.reopen();
      log.sign(laterMs, second);
      while (log.mover.step(log.retention(laterMs)));
      expect(records()).toEqual(before);
      const filesIn = (folder: string) =>
        readdirSync(join(log.folder, folder)).filter((name) => !/-(wal|shm)$/.test(name));
      expect([filesIn('operations'), filesIn('cold')]).toEqual([[], ['operations-2024-01.db']]);
    } finally {
      log.close();
    }
  });

  it.each(['operations', 'link'])('moves no months if the cold folder is the folder of all months: %s', (name) => {
    const log = new TieredLog();
    try {
      const { portals, nowMs } = fill(log, [0, 1, 1, 1]);
      const records = () => portals.map((id) => log.proof.records(id, '', 1000));
      const before = records();
      log.move(nowMs + 100 * DAY_MS);
      symlinkSync(join(log.folder, 'operations'), join(log.folder, 'link'));
      const retention = { ...log.retention(nowMs + 800 * DAY_MS), coldFolder: join(log.folder, name) };
      while (log.mover.step(retention));
      log.reopen();
      expect(records()).toEqual(before);
    } finally {
      log.close();
    }
  });

  it('does not move a month whose index is incomplete', () => {
    const log = new TieredLog();
    try {
      const { nowMs } = fill(log, [0, 1, 1]);
      log.move(nowMs + 100 * DAY_MS);
      const path = join(log.folder, 'operations', 'operations-2024-01.db');
      log.reopen();
      const file = Database.open(path, { log: silentLog, now: () => 0, schema: LOG_FILE_SCHEMA });
      file.connection.exec('DELETE FROM operation WHERE id = (SELECT max(id) FROM operation)');
      file.close();
      expect(() => {
        while (log.mover.step(log.retention(nowMs + 800 * DAY_MS)));
      }).toThrow('is damaged: its index');
      expect(existsSync(path)).toBe(true);
    } finally {
      log.close();
    }
  });

  it('keeps recent operations, and those after the last digest, in the database', () => {
    const log = new TieredLog();
    try {
      const { portals, nowMs } = fill(log, [0, 40, 40, 40, 40]);
      const left = () =>
        log.connection
          .prepare<[], bigint>('SELECT id FROM operation ORDER BY id')
          .safeIntegers()
          .pluck()
          .all()
          .map((id) => Math.round((timeOfId(id) - START_MS) / DAY_MS));
      // The digests of `fill` end after the first day.
      while (log.mover.step(log.retention(nowMs + 800 * DAY_MS)));
      expect(new Set(left())).toEqual(new Set([40, 80, 120, 160]));
      for (const id of portals) log.sign(nowMs, id);
      const before = left().length;
      expect(log.mover.step(log.retention(nowMs))).toBe(true);
      // Each step moves many operations.
      expect(left().length).toBeLessThan(before - 1);
      while (log.mover.step(log.retention(nowMs)));
      expect(new Set(left())).toEqual(new Set([80, 120, 160]));
    } finally {
      log.close();
    }
  });

  it('does not move a month whose file is missing', () => {
    const log = new TieredLog();
    try {
      const { nowMs } = fill(log, [0, 1, 1]);
      log.move(nowMs + 100 * DAY_MS);
      log.reopen();
      rmSync(join(log.folder, 'operations', 'operations-2024-01.db'));
      const move = () => log.mover.step(log.retention(nowMs + 800 * DAY_MS));
      expect(move).toThrow('is damaged: it is not there');
      // The file is not listed in the cold folder either.
      expect(move).toThrow('is damaged: it is not there');
      expect(existsSync(join(log.folder, 'cold', 'operations-2024-01.db'))).toBe(false);
    } finally {
      log.close();
    }
  });

  it('accepts a month that an operator moved to the cold folder', () => {
    const log = new TieredLog();
    try {
      const { portals, nowMs } = fill(log, [0, 1, 1]);
      const records = () => portals.map((id) => log.proof.records(id, '', 1000));
      const before = records();
      log.move(nowMs + 100 * DAY_MS);
      log.reopen();
      mkdirSync(join(log.folder, 'cold'));
      const name = 'operations-2024-01.db';
      renameSync(join(log.folder, 'operations', name), join(log.folder, 'cold', name));
      while (log.mover.step(log.retention(nowMs + 800 * DAY_MS)));
      expect(records()).toEqual(before);
    } finally {
      log.close();
    }
  });

  it('moves a month in several steps', () => {
    const log = new TieredLog();
    try {
      const { portals, nowMs } = fill(log, [0]);
      const [, portalId = ''] = portals;
      const command = { type: 'createSubscriber', name: 'n', phoneCountryCode: '', phone: '' } as const;
      const base = {
        kind: 'command',
        portalId,
        keyName: 'k',
        managerEmail: undefined,
        nowMs,
        idempotency: undefined,
      } as const;
      log.writer.write(
        'many',
        Array.from({ length: 1300 }, () => ({ ...base, command })),
      );
      const all = log.proof.records(portalId, '', 10_000);
      expect(all.length).toBeGreaterThan(1000);
      log.move(nowMs + 91 * DAY_MS, 1200);
      expect(log.proof.records(portalId, '', 10_000)).toEqual(all);
      log.move(nowMs + 400 * DAY_MS);
      expect(log.proof.records(portalId, '', 10_000)).toEqual(all);
    } finally {
      log.close();
    }
  });
});
