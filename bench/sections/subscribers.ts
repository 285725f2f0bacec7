import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { OPERATION_TYPES } from '../../src-preload/contract/api/operation-object.ts';
import { Database } from '../../src-main/db/database.ts';
import { SUBSCRIBERS_MIGRATIONS } from '../../src-main/db/migrations.ts';
import { DatabaseWorker } from '../../src-main/db/thread/database-worker.ts';
import { SubscribersOnThread } from '../../src-main/db/thread/subscribers-on-thread.ts';
import { systemClock } from '../../src-main/lib/clock.ts';
import { silentLog } from '../../src-main/lib/log.ts';
import { firstIdOf, printId } from '../../src-main/subscribers/snowflake.ts';
import type { OperationQuery } from '../../src-main/subscribers/subscriber-query.ts';
import type { BenchContext } from '../context.ts';
import { median, spreadOf, type Row } from '../row.ts';
import { Turns } from '../thread-cost.ts';

const OPERATIONS = 10_000_000;
const QUICK_OPERATIONS = 1_000_000;
const BEGIN_MS = Date.UTC(2025, 0, 1);
/** Operations are so far apart, in milliseconds. */
const STEP_MS = 3000;
const SUBSCRIBERS = 500_000;
const PACKAGES = 100;
const WRITES = 20_000;
/** Changes that wait at a time. */
const CLIENTS = 200;
const ROUNDS = 5;
const LIMIT = 100;

/** The log of a portal with ten million operations, on a file and a thread of its own: portions under any filter and at any depth, and changes. */
export async function subscribers(context: BenchContext): Promise<Row[]> {
  const count = context.isQuick ? QUICK_OPERATIONS : OPERATIONS;
  context.say(`subscribers: ${count} operations`);
  const folder = await mkdtemp(join(tmpdir(), 'airdesk-subscribers-'));
  const path = join(folder, 'subscribers.db');
  const worker = new DatabaseWorker({
    entry: new URL('../../src-main/database-thread.ts', import.meta.url),
    clock: systemClock,
    log: silentLog,
  });
  try {
    const portal = generate(path, count);
    await worker.open('subscribers-open', path);
    const store = new SubscribersOnThread(worker);
    const turns = new Turns();
    turns.start();
    const rows = [...(await portions(store, portal, count)), await changes(store, portal)];
    turns.stop();
    const base = { section: 'subscribers', better: 'lower' } as const;
    const { size } = await stat(path);
    return [
      ...rows,
      { ...base, name: 'longest turn of the thread that asks, CPU', unit: 'ms', ours: turns.longestMs, target: 10 },
      { ...base, name: 'size', unit: 'GB', ours: size / 1e9, note: `${count} operations` },
    ];
  } finally {
    await worker.close();
    await rm(folder, { recursive: true });
  }
}

function idOf(at: number): bigint {
  return firstIdOf(BEGIN_MS + at * STEP_MS);
}

/** Subscribers and packages have ids of before the log. */
function subscriberId(at: number): bigint {
  return idOf(0) - BigInt((at + 1) * 7919);
}

function packageId(at: number): bigint {
  return idOf(0) - BigInt(at + 1);
}

/** Writes the log straight into its table: no wait for the disk, and no chain. @returns the portal */
function generate(path: string, count: number): string {
  const options = {
    log: silentLog,
    now: () => BEGIN_MS,
    migrations: SUBSCRIBERS_MIGRATIONS,
    content: 'remade',
  } as const;
  const { connection } = Database.open(path, options);
  const portal = firstIdOf(BEGIN_MS - 1);
  connection.pragma('cache_size = -500000');
  connection.prepare('INSERT INTO portal VALUES (?, ?, 0, 0, ?, ?)').run(portal, 'bench', count, Buffer.alloc(32));
  const insert = connection.prepare('INSERT INTO operation VALUES (?, ?, ?, ?, ?, ?, ?, ?)');
  const payload = JSON.stringify({
    keyName: 'billing',
    packageName: 'News and weather',
    subscriberName: 'Anna Example',
  });
  const hash = Buffer.alloc(32, 7);
  const portion = connection.transaction((from: number, to: number) => {
    for (let at = from; at < to; at++) {
      // Most are subscriptions; one of a thousand is of a package alone.
      const type =
        at % 1000 === 0
          ? 'createPackage'
          : at % 10 === 1
            ? 'createSubscriber'
            : at % 2 === 0
              ? 'createPackageSubscriber'
              : 'deletePackageSubscriber';
      const number = OPERATION_TYPES.indexOf(type);
      const subscriber = type === 'createPackage' ? null : subscriberId((at * 48_271) % SUBSCRIBERS);
      const own = type === 'createSubscriber' ? null : packageId(Math.floor(at / 7) % PACKAGES);
      insert.run(portal, idOf(at), number, subscriber, own, at + 1, payload, hash);
    }
  });
  for (let at = 0; at < count; at += 50_000) portion(at, Math.min(count, at + 50_000));
  connection.prepare('UPDATE id_state SET last = ?').run(idOf(count));
  connection.close();
  return printId(portal);
}

async function portions(store: SubscribersOnThread, portal: string, count: number): Promise<Row[]> {
  const subscriber = (at: number): string => printId(subscriberId(at));
  const own = printId(packageId(7));
  const none = {
    subscriberIds: undefined,
    packageId: undefined,
    types: undefined,
    fromMs: undefined,
    beforeMs: undefined,
  };
  const filters: Readonly<Record<string, Partial<OperationQuery>>> = {
    all: {},
    type: { types: ['createPackage'] },
    'three types': { types: ['createPackage', 'createSubscriber', 'deletePackageSubscriber'] },
    'type that is not there': { types: ['deletePackage'] },
    subscriber: { subscriberIds: [subscriber(4)] },
    '100 subscribers': { subscriberIds: Array.from({ length: 100 }, (_, at) => subscriber(at)) },
    package: { packageId: own },
    'package and type': { packageId: own, types: ['deletePackageSubscriber'] },
    'package, type and subscriber': {
      packageId: own,
      types: ['createPackageSubscriber'],
      subscriberIds: [subscriber(4)],
    },
    'a day': { fromMs: BEGIN_MS + 86_400_000, beforeMs: BEGIN_MS + 2 * 86_400_000 },
  };
  const rows: Row[] = [];
  for (const [name, filter] of Object.entries(filters)) {
    const times: number[] = [];
    for (const isDescending of [false, true])
      for (let round = 0; round < ROUNDS; round++) {
        const afterId = round === 0 ? undefined : printId(idOf(Math.floor((count * round) / ROUNDS)));
        const startMs = performance.now();
        await store.operations(portal, { ...none, ...filter, afterId, limit: LIMIT, isDescending });
        times.push(performance.now() - startMs);
      }
    const spread = spreadOf(times);
    rows.push({
      ...{ section: 'subscribers', name: `portion of ${LIMIT}: ${name}`, unit: 'ms', better: 'lower', target: 10 },
      ...{ ours: median(times), ...(spread ? { spread } : {}) },
    });
  }
  return rows;
}

async function changes(store: SubscribersOnThread, portal: string): Promise<Row> {
  const startMs = performance.now();
  const nowMs = Date.now();
  let begun = 0;
  const client = async (): Promise<void> => {
    while (begun < WRITES) {
      const phone = String(begun++);
      const command = { type: 'createSubscriber', name: 'Anna Example', phoneCountryCode: '1', phone } as const;
      const origin = { keyName: 'billing', managerEmail: undefined, idempotency: { key: phone, fingerprint: '' } };
      const { ok } = await store.write({ kind: 'command', portalId: portal, command, ...origin, nowMs });
      if (!ok) throw new Error('a change was refused');
    }
  };
  await Promise.all(Array.from({ length: CLIENTS }, client));
  const perSecond = WRITES / ((performance.now() - startMs) / 1000);
  return {
    ...{ section: 'subscribers', name: 'changes with their operations, on the disk', unit: '/s', better: 'higher' },
    ...{ ours: perSecond, target: 5000 },
  };
}
