import { join } from 'node:path';
import { DatabaseWorker } from '../../src-main/db/thread/database-worker.ts';
import { SubscribersOnThread } from '../../src-main/db/thread/subscribers-on-thread.ts';
import { systemClock } from '../../src-main/lib/clock.ts';
import { silentLog } from '../../src-main/lib/log.ts';
import type { Command } from '../../src-main/subscribers/command.ts';
import type { BenchContext } from '../context.ts';
import { logFilters, pageQuery, seededRandom } from '../log-queries.ts';
import { syntheticLog, packageId, PACKAGES, PORTAL_ID, subscriberId, SUBSCRIBERS } from '../synthetic-log.ts';
import { oldOperations } from '../old-operations.ts';
import { PortalClient } from '../portal-client.ts';
import { startProbedServer, type ProbedServer } from '../probed-server.ts';
import { threadsCpuMs } from '../process-cost.ts';
import { figuresOf, median, percentile, type Row } from '../row.ts';

const OPERATIONS = 10_000_000;
const QUICK_OPERATIONS = 1_000_000;
/** Number of connections of portal tools. */
const CONNECTIONS = 64;
/** Number of concurrent changes without HTTP. */
const CLIENTS = 200;
const ROUNDS = 3;
/** Number of queries of each kind. */
const QUERIES = 60;
/** Number of unmeasured requests before the first measurement. */
const WARM_UP = 200;
const TARGET_MS = 10;
/** Retention that keeps the whole log in the database. */
const CONFIG = 'operations_log_hot 3650d;\noperations_log_archive 3650d;';

const base = { section: 'subscribers', better: 'lower' } as const;

/**
 * Measures a portal with ten million operations: pages of its log with each filter and at different depths, and changes.
 * They run over HTTP on a separate server; then changes run on the database thread alone.
 */
export async function subscribers(context: BenchContext): Promise<Row[]> {
  const count = context.isQuick ? QUICK_OPERATIONS : OPERATIONS;
  const folder = syntheticLog(count, 'hot', context.say);
  context.say(`subscribers: ${count} operations`);
  const server = await startProbedServer(context, folder, CONFIG);
  const rows: Row[] = [];
  try {
    const client = await PortalClient.open(server.url);
    rows.push(...(await pages(server, client, count)), ...(await searches(server, client)));
    client.close();
    rows.push(...(await changesByHttp(server, context.isQuick)));
  } finally {
    await server.stop();
  }
  rows.push(...(await changesOnThread(folder, context.isQuick)));
  rows.push(...oldOperations(context.say));
  return rows;
}

/** Measurements of one kind of query. */
class QueryTimes {
  readonly wallMs: number[] = [];
  readonly cpuMs: number[] = [];
  /** Durations of each query repeated immediately, so that its data is in memory. */
  readonly repeatedMs: number[] = [];

  async measure({ pid }: ProbedServer, client: PortalClient, path: string): Promise<void> {
    const before = { cpuMs: threadsCpuMs(pid), ms: performance.now() };
    await client.request('GET', path);
    const answeredMs = performance.now();
    this.wallMs.push(answeredMs - before.ms);
    this.cpuMs.push(threadsCpuMs(pid) - before.cpuMs);
    await client.request('GET', path);
    this.repeatedMs.push(performance.now() - answeredMs);
  }

  rows(name: string): Row[] {
    const of = (values: readonly number[]): string =>
      `99 % ${percentile(values, 0.99).toFixed(1)}, worst ${Math.max(...values).toFixed(1)}`;
    return [
      {
        ...base,
        name,
        unit: 'ms',
        ours: median(this.wallMs),
        target: TARGET_MS,
        note: `${of(this.wallMs)}, repeated ${median(this.repeatedMs).toFixed(1)}`,
      },
      { ...base, name: `${name}, CPU of the server`, unit: 'ms', ours: median(this.cpuMs), note: of(this.cpuMs) },
    ];
  }
}

async function pages(server: ProbedServer, client: PortalClient, count: number): Promise<Row[]> {
  const random = seededRandom(1);
  const filters = logFilters(count, random);
  const times = new QueryTimes();
  // Operations before the requested page: first page, a page in the middle, the last page, three pages at random depths.
  const positionOf = (query: number): number | undefined =>
    query % 6 === 0 ? undefined : ([0, Math.floor(count / 2), count - 50][query % 6] ?? Math.floor(random() * count));
  for (let query = 0; query < WARM_UP; query++) await client.request('GET', '/operations');
  const round = async (queries: number, request: (path: string) => Promise<unknown>): Promise<void> => {
    for (let query = 0; query < queries; query++)
      for (const filter of Object.values(filters)) {
        const order = random() < 0.5 ? 'asc' : 'desc';
        await request(`/operations?${pageQuery(filter(), order, positionOf(query))}`);
      }
  };
  await round(QUERIES, (path) => times.measure(server, client, path));
  // The probe keeps the server thread busy, so its run is not timed.
  const cost = await server.measured(() => round(QUERIES / 6, (path) => client.request('GET', path)));
  return [...times.rows('page of 100, any filter and depth'), ...turnRows('pages', cost)];
}

async function searches(server: ProbedServer, client: PortalClient): Promise<Row[]> {
  const random = seededRandom(2);
  const some = (end: number): number => Math.floor(random() * end);
  const searchPaths: Readonly<Record<string, () => string>> = {
    'page of subscribers': () => '/subscribers',
    'subscriber of a number': () => `/subscribers?phone=${String(some(SUBSCRIBERS) * 7).padStart(10, '0')}`,
    'number and package': () =>
      `/subscribers?phone=${String(some(SUBSCRIBERS) * 7).padStart(10, '0')}&packageId=${packageId(0)}`,
    'subscribers of a package': () => `/subscribers?packageId=${packageId(some(PACKAGES))}`,
    'subscriptions of a subscriber with 1000': () => `/subscriptions?subscriberId=${subscriberId(0)}`,
    'subscriptions of a package': () => `/subscriptions?packageId=${packageId(0)}`,
    packages: () => '/packages?limit=1000',
  };
  const rows: Row[] = [];
  for (const [name, path] of Object.entries(searchPaths)) {
    const kind = new QueryTimes();
    for (let query = 0; query < QUERIES; query++) await kind.measure(server, client, path());
    rows.push(...kind.rows(name));
  }
  return rows;
}

/** Typical commands of portals: a quarter are new subscribers, the others attach a package to an existing subscriber. */
function commandOf(at: number, run: string, random: () => number): Command {
  if (at % 4 === 0)
    return { type: 'createSubscriber', name: 'Anna Example', phoneCountryCode: '49', phone: `${run}${at}` };
  return {
    type: 'attach',
    subscriberId: subscriberId(1 + Math.floor(random() * (SUBSCRIBERS - 1))),
    packageId: packageId(1 + Math.floor(random() * (PACKAGES - 1))),
  };
}

async function changesByHttp(server: ProbedServer, isQuick: boolean): Promise<Row[]> {
  const clients = await Promise.all(Array.from({ length: CONNECTIONS }, () => PortalClient.open(server.url)));
  const random = seededRandom(Date.now());
  const perSecond: number[] = [];
  const run = String(Date.now() % 1e8);
  let started = 0;
  const one = async (client: PortalClient): Promise<void> => {
    const at = started++;
    const command = commandOf(at, run, random);
    if (command.type === 'createSubscriber') {
      const { type: _, ...body } = command;
      await client.request('POST', '/subscribers', body, `${run}-${at}`);
    } else if (command.type === 'attach')
      await client.request(
        'PUT',
        `/subscribers/${command.subscriberId}/packages/${command.packageId}`,
        {},
        `${run}-${at}`,
      );
  };
  const round = async (seconds: number): Promise<void> => {
    const before = { ms: performance.now(), started };
    await Promise.all(
      clients.map(async (client) => {
        while (performance.now() - before.ms < seconds * 1000) await one(client);
      }),
    );
    perSecond.push((started - before.started) / ((performance.now() - before.ms) / 1000));
  };
  await round(2);
  perSecond.length = 0;
  for (let at = 0; at < ROUNDS; at++) await round(isQuick ? 2 : 5);
  // Copied, because the next round also adds its figures.
  const rate = [...perSecond];
  // The probe keeps the server thread busy, so its run is not timed.
  const cost = await server.measured(() => round(2));
  for (const client of clients) client.close();
  return [
    medianRow(`changes by HTTP, ${CONNECTIONS} connections, on the disk`, '/s', rate, 5000),
    ...turnRows('changes by HTTP', cost),
  ];
}

async function changesOnThread(folder: string, isQuick: boolean): Promise<Row[]> {
  const entry = new URL('../../src-main/database-thread.ts', import.meta.url);
  const worker = new DatabaseWorker({ entry, clock: systemClock, log: silentLog });
  try {
    await worker.open('subscribers-open', join(folder, 'subscribers.db'));
    const store = new SubscribersOnThread(worker);
    const random = seededRandom(Date.now());
    const run = String(Date.now() % 1e8);
    const perSecond: number[] = [];
    const cpu: number[] = [];
    let started = 0;
    const one = async (): Promise<void> => {
      const key = `${run}-thread-${started}`;
      const command = commandOf(started++, `${run}9`, random);
      const origin = { keyName: 'billing', managerEmail: undefined, idempotency: { key, fingerprint: '' } };
      const { ok } = await store.write({ kind: 'command', portalId: PORTAL_ID, command, ...origin, nowMs: Date.now() });
      if (!ok) throw new Error('a change was refused');
    };
    const round = async (seconds: number): Promise<void> => {
      const before = {
        ms: performance.now(),
        started,
        cpu: threadsCpuMs(process.pid),
        own: process.threadCpuUsage(),
      };
      await Promise.all(
        Array.from({ length: CLIENTS }, async () => {
          while (performance.now() - before.ms < seconds * 1000) await one();
        }),
      );
      const startedCount = started - before.started;
      const { user, system } = process.threadCpuUsage(before.own);
      perSecond.push(startedCount / ((performance.now() - before.ms) / 1000));
      cpu.push(((threadsCpuMs(process.pid) - before.cpu) * 1000 - user - system) / startedCount);
    };
    await round(2);
    for (const values of [perSecond, cpu]) values.length = 0;
    for (let at = 0; at < ROUNDS; at++) await round(isQuick ? 2 : 4);
    return [
      medianRow(`changes by the database thread, ${CLIENTS} waiting, on the disk`, '/s', perSecond, 5000),
      medianRow('the same, CPU of the other threads each', 'µs', cpu, 200),
    ];
  } finally {
    await worker.close();
  }
}

function turnRows(name: string, { turnMs, workMs, delayMs }: Awaited<ReturnType<ProbedServer['measured']>>): Row[] {
  return [
    {
      ...base,
      name: `${name}: longest turn of the server thread, CPU`,
      unit: 'ms',
      ours: turnMs,
      target: TARGET_MS,
      note: `delay of its loop by the clock at most ${delayMs.toFixed(1)} ms`,
    },
    { ...base, name: `${name}: the same without garbage collections`, unit: 'ms', ours: workMs, target: TARGET_MS },
  ];
}

function medianRow(name: string, unit: string, values: readonly number[], target?: number): Row {
  return {
    ...base,
    name,
    unit,
    better: unit === '/s' ? 'higher' : 'lower',
    ...figuresOf(values),
    target,
  };
}
