import { join } from 'node:path';
import Sqlite from 'better-sqlite3';
import { openSubscriberDatabase } from '../src-main/db/subscribers/subscriber-database.ts';
import { silentLog } from '../src-main/lib/log.ts';
import { logFilters, seededRandom } from './log-queries.ts';
import { START_MS, syntheticLog, operationId, PORTAL_ID, STEP_MS } from './synthetic-log.ts';
import { median, percentile, type Row } from './row.ts';

const OPERATIONS = 1_000_000;
/** Maximum time for moving in one run of the bench, in milliseconds. The next run continues. */
const MOVE_MS = 8000;
const QUERIES = 20;

const base = { section: 'subscribers', better: 'lower', unit: 'ms' } as const;

/**
 * Moves old operations of a log of a million out of the database, then reads pages of all storage tiers. Both run in this
 * process.
 */
export function oldOperations(say: (text: string) => void): Row[] {
  const folder = syntheticLog(OPERATIONS, 'tiers', say);
  const path = join(folder, 'subscribers.db');
  const endMs = START_MS + OPERATIONS * STEP_MS;
  // Only operations covered by a digest are moved.
  const connection = new Sqlite(path);
  connection
    .prepare("INSERT OR IGNORE INTO log_digest (portal_id, number, to_ms, signed) SELECT id, 1, ?, '{}' FROM portal")
    .run(endMs);
  connection.close();
  const database = openSubscriberDatabase(path, { log: silentLog, now: Date.now });
  try {
    const quarterMs = (OPERATIONS / 4) * STEP_MS;
    const coldFolder = join(folder, 'cold');
    const retention = { nowMs: endMs, hotMs: quarterMs, warmMs: 2 * quarterMs, coldFolder };
    const steps: number[] = [];
    const startMs = performance.now();
    for (let isMore = true; isMore && performance.now() - startMs < MOVE_MS;)
      steps.push(cpuOf(() => (isMore = database.moveLog(retention))));
    const rows = [costs('a step of moving operations out of the database, CPU', steps)];
    const random = seededRandom(3);
    for (const [name, filter] of Object.entries(logFilters(OPERATIONS, random))) {
      if (name.includes('period') || name.includes('the same')) continue;
      const values = (searched: string): string[] =>
        filtered.flatMap(([key, value]) => (key === searched ? [value] : []));
      let filtered = filter();
      const cpu = Array.from({ length: QUERIES }, (_, query) => {
        filtered = filter();
        const [subscriberIds, types] = [values('subscriberId'), values('type')];
        return cpuOf(() =>
          database.operations.operations(PORTAL_ID, {
            fromMs: undefined,
            beforeMs: undefined,
            limit: 100,
            isDescending: query % 2 === 1,
            subscriberIds: subscriberIds.length === 0 ? undefined : subscriberIds,
            // `logFilters` takes these values from the list of types.
            types: types.length === 0 ? undefined : (types as never),
            packageId: values('packageId')[0],
            afterId: query % 3 === 0 ? undefined : operationId(Math.floor(random() * OPERATIONS)),
          }),
        );
      });
      rows.push(costs(`page of 100 over all tiers, filter: ${name}, CPU`, cpu));
    }
    return rows;
  } finally {
    database.close();
  }
}

function cpuOf(task: () => unknown): number {
  const before = process.threadCpuUsage();
  task();
  const { user, system } = process.threadCpuUsage(before);
  return (user + system) / 1000;
}

function costs(name: string, cpu: readonly number[]): Row {
  const note = `99 % ${percentile(cpu, 0.99).toFixed(1)}, worst ${Math.max(...cpu).toFixed(1)}, of ${cpu.length}`;
  return { ...base, name, ours: median(cpu), note };
}
