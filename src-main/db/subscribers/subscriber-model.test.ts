import { copyFileSync, existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { replay } from '../../../tests/helpers/portal-replay.ts';
import type { Operation } from '../../../src-preload/contract/api/subscribers/operation-object.ts';
import { silentLog } from '../../lib/log.ts';
import type { Command } from '../../subscribers/command.ts';
import { Database, type Connection } from '../database.ts';
import { SUBSCRIBERS_SCHEMA } from '../schemas/subscribers.ts';
import type { WriteResult } from '../../subscribers/subscriber-write.ts';
import { OperationReader } from './operation-reader.ts';
import { SubscriberReader } from './subscriber-reader.ts';
import { SubscriberWriter } from './subscriber-writer.ts';
import { LogFiles } from './tiers/log-files.ts';
import { OperationTiers } from './tiers/operation-tiers.ts';

const RUNS = Number(process.env['AIRDESK_FUZZ_RUNS'] ?? 40);
const TABLES = [
  'operation',
  'portal',
  'subscriber',
  'package',
  'subscription',
  'subscription_plan',
  'write_result',
  'last_batch',
  'id_state',
];
const START_MS = Date.UTC(2026, 0, 1);
const ALL = { afterId: undefined, limit: 1000 };
const UNFILTERED = {
  subscriberIds: undefined,
  packageId: undefined,
  types: undefined,
  fromMs: undefined,
  beforeMs: undefined,
};

const tiersOf = (connection: Connection, folder: string): OperationTiers =>
  new OperationTiers(connection, new LogFiles(connection, { log: silentLog, now: () => START_MS, folder }));

/** Database on disk whose process can be killed at any write. */
class MortalDatabase {
  readonly #folder: string;
  #generation = 0;
  #database: Database;
  /** Number of remaining writes before the process is killed. */
  writesLeft = Number.POSITIVE_INFINITY;
  reader: SubscriberReader;
  operations: OperationReader;
  writer: SubscriberWriter;

  constructor(folder: string) {
    this.#folder = folder;
    this.#database = this.#open();
    const { connection } = this.#database;
    this.reader = new SubscriberReader(connection);
    this.operations = new OperationReader(tiersOf(connection, this.#folder));
    this.writer = new SubscriberWriter(connection, this.reader);
  }

  /** Opens a copy of the files on disk: after a kill, a new process sees only these files. */
  reopen(isKilled: boolean): void {
    const before = this.#path;
    if (!isKilled) this.#database.close();
    this.#generation++;
    for (const companion of ['', '-wal'])
      if (existsSync(before + companion)) copyFileSync(before + companion, this.#path + companion);
    if (isKilled) this.#database.close();
    this.writesLeft = Number.POSITIVE_INFINITY;
    this.#database = this.#open();
    const { connection } = this.#database;
    this.reader = new SubscriberReader(connection);
    this.operations = new OperationReader(tiersOf(connection, this.#folder));
    this.writer = new SubscriberWriter(connection, this.reader);
  }

  log(portalId: string): readonly Operation[] {
    return this.operations.operations(portalId, { ...UNFILTERED, ...ALL, isDescending: false }).items;
  }

  close(): void {
    this.#database.close();
  }

  get #path(): string {
    return join(this.#folder, `${this.#generation}.db`);
  }

  #open(): Database {
    const options = {
      log: silentLog,
      now: () => START_MS,
      schema: SUBSCRIBERS_SCHEMA,
      content: 'record',
    } as const;
    const database = Database.open(this.#path, options);
    const { connection } = database;
    connection.function('written', { deterministic: false }, () => {
      if (this.writesLeft-- <= 0) throw new Error('the process was killed');
      return 1;
    });
    for (const table of TABLES)
      for (const [event, moment] of ['INSERT', 'UPDATE', 'DELETE'].flatMap((one) => [
        [one, 'BEFORE'],
        [one, 'AFTER'],
      ]))
        connection.exec(
          `CREATE TEMP TRIGGER ${table}_${moment}_${event} ${moment} ${event} ON main.${table} BEGIN SELECT written(); END`,
        );
    return database;
  }
}

type Step =
  | { readonly kind: 'restart' | 'kill' }
  | {
      readonly kind: 'write';
      readonly writes: readonly DrawnCommand[];
      readonly diesAfter: number | null;
      readonly clockMs: number;
    };
/** Random command. Positions count from the end of the list of ids created before. */
interface DrawnCommand {
  readonly portal: 0 | 1;
  readonly commandIndex: number;
  readonly subscriberPosition: number;
  readonly packagePosition: number;
  readonly phone: number;
  readonly key: number | null;
}

const drawnCommand: fc.Arbitrary<DrawnCommand> = fc.record({
  portal: fc.constantFrom(0, 1),
  commandIndex: fc.nat(15),
  subscriberPosition: fc.nat(5),
  packagePosition: fc.nat(3),
  phone: fc.nat(4),
  key: fc.option(fc.nat(6), { freq: 3 }),
});
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 1, arbitrary: fc.constantFrom<Step>({ kind: 'restart' }, { kind: 'kill' }) },
  {
    weight: 6,
    arbitrary: fc.record({
      kind: fc.constant('write' as const),
      writes: fc.array(drawnCommand, { minLength: 1, maxLength: 4 }),
      diesAfter: fc.option(fc.nat(40), { freq: 4 }),
      // The clock may be set back, too.
      clockMs: fc.integer({ min: -5000, max: 5000 }),
    }),
  },
);

function commandOf(
  { commandIndex, phone }: DrawnCommand,
  subscriberId: string,
  packageId: string,
  nowMs: number,
): Command {
  const inSeconds = (count: number): string => new Date(nowMs + count * 1000).toISOString();
  const number = { phoneCountryCode: '49', phone: phone === 0 ? '' : String(phone) };
  const content = { name: `p${phone}`, isFree: phone > 2, streams: ['a'], maxSessions: null };
  const commands: readonly Command[] = [
    { type: 'createSubscriber', name: 'a', ...number },
    { type: 'createSubscriber', name: 'b', ...number, customerNumber: String(phone), note: 'n' },
    { type: 'login', name: 'c', phoneCountryCode: '49', phone: String(phone) },
    { type: 'updateSubscriber', subscriberId, name: 'd', phone: number.phone, customerNumber: '', note: String(phone) },
    { type: 'disableSubscriber', subscriberId, reason: undefined },
    { type: 'enableSubscriber', subscriberId },
    { type: 'deleteSubscriber', subscriberId },
    { type: 'createPackage', ...content },
    { type: 'updatePackage', packageId, ...content },
    { type: 'deletePackage', packageId },
    { type: 'attach', subscriberId, packageId },
    { type: 'detach', subscriberId, packageId },
    { type: 'attach', subscriberId, packageId, startsAt: inSeconds(phone) },
    { type: 'attach', subscriberId, packageId, endsAt: phone === 0 ? null : inSeconds(phone) },
    { type: 'attach', subscriberId, packageId, startsAt: inSeconds(phone), endsAt: inSeconds(2 * phone) },
    { type: 'applyPlan', subscriberId, packageId },
  ];
  return commands[commandIndex] ?? { type: 'createPackage', ...content };
}

describe('the database of subscribers', () => {
  it('equals a replay of its log, after any changes and a kill at any time', () => {
    fc.assert(
      fc.property(fc.array(step, { minLength: 1, maxLength: 25 }), (steps) => {
        const folder = mkdtempSync(join(tmpdir(), 'airdesk-subscribers-'));
        const database = new MortalDatabase(folder);
        try {
          run(database, steps);
        } finally {
          database.close();
          rmSync(folder, { recursive: true });
        }
      }),
      { numRuns: RUNS },
    );
  });
});

function run(database: MortalDatabase, steps: readonly Step[]): void {
  let nowMs = START_MS;
  let batch = 0;
  const portals = [0, 1].map((at) => {
    const change = { type: 'createPortal', name: `portal ${at}`, isAutoRegistration: at === 0 } as const;
    const [created] = database.writer.write(`portal ${at}`, [{ kind: 'portal', change, nowMs }]);
    return created?.ok === true && created.object && 'portalId' in created.object ? created.object.portalId : '';
  });
  const logs = new Map(portals.map((id): [string, readonly Operation[]] => [id, []]));
  const answers = new Map<string, WriteResult>();
  for (const one of steps) {
    if (one.kind !== 'write') database.reopen(one.kind === 'kill');
    else {
      nowMs += one.clockMs;
      const writes = one.writes.map((requested) => {
        const portalId = portals[requested.portal] ?? '';
        // Ids of either portal. Those of the other portal do not exist in this one.
        const ids = [...logs.values()].flat();
        const pick = (list: readonly (string | null)[], at: number): string =>
          list.filter((id) => id !== null).at(-1 - at) ?? '';
        const command = commandOf(
          requested,
          pick(
            ids.map((two) => two.subscriberId),
            requested.subscriberPosition,
          ),
          pick(
            ids.map((two) => two.packageId),
            requested.packagePosition,
          ),
          nowMs,
        );
        const idempotency =
          requested.key === null ? undefined : { key: String(requested.key), fingerprint: JSON.stringify(command) };
        return {
          kind: 'command',
          portalId,
          command,
          keyName: 'k',
          managerEmail: undefined,
          nowMs,
          idempotency,
        } as const;
      });
      const name = `batch ${batch++}`;
      database.writesLeft = one.diesAfter ?? Number.POSITIVE_INFINITY;
      let results: readonly WriteResult[] | undefined;
      try {
        results = database.writer.write(name, writes);
      } catch {
        database.reopen(true);
        // A change without an answer was not made, not even in part.
        for (const id of portals) expect(database.log(id)).toEqual(logs.get(id));
        results = database.writer.write(name, writes);
      }
      // The same batch, repeated after a lost answer, changes nothing.
      if (one.diesAfter !== null) {
        database.reopen(true);
        expect(database.writer.write(name, writes)).toEqual(results);
      }
      for (const [at, { portalId, idempotency, command }] of writes.entries()) {
        const result = results[at];
        if (!idempotency || result?.ok !== true) continue;
        const key = JSON.stringify([portalId, idempotency.key]);
        const earlier = answers.get(key);
        if (earlier) expect(result, JSON.stringify(command)).toEqual({ ...earlier, isReplayed: true });
        else answers.set(key, result);
      }
    }
    for (const id of portals) {
      const log = database.log(id);
      const before = logs.get(id) ?? [];
      expect(log.slice(0, before.length)).toEqual(before);
      logs.set(id, log);
      expectReplay(database, id, log);
    }
  }
  const ids = [...logs.values()]
    .flat()
    .map(({ operationId }) => Buffer.from(operationId.slice(0, -1), 'base64url').readBigUInt64BE());
  expect(new Set(ids).size).toBe(ids.length);
}

function expectReplay({ reader }: MortalDatabase, portalId: string, log: readonly Operation[]): void {
  const { subscribers, packages, subscriptions, plans } = replay(log);
  const none = { phoneCountryCode: undefined, phone: undefined, packageId: undefined };
  const found = reader.subscribers(portalId, { ...ALL, ...none }).items;
  const stored = found.map(
    ({ subscriberId, createdAt: _at, packageIds: _ids, plans: _plans, ...rest }) => [subscriberId, rest] as const,
  );
  expect(new Map(stored)).toEqual(subscribers);
  const planned = found.flatMap(({ subscriberId, plans: own }) =>
    own.map(({ packageId, ...plan }) => [`${subscriberId} ${packageId}`, plan] as const),
  );
  expect(new Map(planned)).toEqual(plans);
  const offered = reader.packages(portalId, ALL).items;
  expect(new Map(offered.map(({ packageId, createdAt: _at, ...rest }) => [packageId, rest] as const))).toEqual(
    packages,
  );
  const links = reader.subscriptions(portalId, { ...ALL, subscriberId: undefined, packageId: undefined }).items;
  expect(new Map(links.map((link) => [`${link.subscriberId} ${link.packageId}`, link.createdAt] as const))).toEqual(
    subscriptions,
  );
}
