import { createHash, generateKeyPairSync, verify } from 'node:crypto';
import fc from 'fast-check';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { FakeClock } from '../../../tests/helpers/fake-clock.ts';
import { until } from '../../../tests/helpers/until.ts';
import type { AsRunObject } from '../../../src-preload/contract/api/as-run/as-run-object.ts';
import { AsRunTable } from '../../db/as-run/as-run-table.ts';
import { silentLog } from '../../lib/log.ts';
import { canonicalJson } from '../../subscribers/canonical-json.ts';
import { AsRunLog } from './as-run-log.ts';

const DAY_MS = 86_400_000;
const { privateKey, publicKey } = generateKeyPairSync('ed25519');
const pem = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();

let clock: FakeClock;
let table: AsRunTable;
let isBroken: boolean;
let log: AsRunLog;

beforeEach(() => {
  clock = new FakeClock();
  isBroken = false;
  table = AsRunTable.open(':memory:', { log: silentLog, now: () => clock.now() });
  log = new AsRunLog({
    clock,
    log: silentLog,
    exists: () => true,
    retentionMs: () => DAY_MS,
    signingKey: () => Promise.resolve(pem),
    store: async () => {
      if (isBroken) throw new Error('the disk is full');
      return Promise.resolve({
        write: (rows) => Promise.resolve(table.write(rows)),
        rows: (query) => Promise.resolve(table.rows(query)),
        count: (conditions) => Promise.resolve(table.count(conditions)),
        removeBefore: (timeMs) => Promise.resolve(table.removeBefore(timeMs)),
      });
    },
  });
});

afterEach(async () => {
  await log.close();
  table.close();
});

function row(id: string, change: Partial<AsRunObject> = {}): AsRunObject {
  return {
    id,
    sent_at: 1000,
    stream: 'cam',
    session_id: 's',
    path: 'ads/a.mp4',
    break_id: 'splice-1',
    placement: 'midroll',
    midroll_insert_by: 'splicing',
    dts: 1,
    duration: 4,
    sent: 1,
    progress: 25,
    proto: 'hls',
    country: null,
    user_id: 'u, "x"',
    ...change,
  };
}

async function all(): Promise<readonly AsRunObject[]> {
  return log.rows({ conditions: [], isDescending: false, limit: 1000 });
}

it('AsRunLog keeps one row per showing, with its progress', async () => {
  log.record(row('one', { sent_at: 1000, progress: 25 }));
  await log.write();
  log.record(row('one', { sent_at: 2000, progress: 100, sent: 4 }));
  log.record(row('two'));
  expect(await all()).toEqual([row('one', { progress: 100, sent: 4 }), row('two')]);
});

it('AsRunTable filters by every field like lists do', async () => {
  const rows = [
    row('a'),
    row('b', { sent_at: 2000, stream: 'other', country: 'DE' }),
    row('c', { sent_at: 3000, path: 'ads/b.mp4', progress: 100 }),
  ];
  for (const one of rows) log.record(one);
  await log.write();
  const ids = (...conditions: Parameters<AsRunTable['count']>[0]): string =>
    table
      .rows({ conditions, isDescending: true, limit: 10 })
      .map(({ id }) => id)
      .join('');
  expect(ids({ field: 'stream', operator: 'in', values: ['cam'] })).toBe('ca');
  expect(ids({ field: 'id', operator: 'in', values: ['a', 'b'] })).toBe('ba');
  expect(ids({ field: 'country', operator: 'ne', values: ['DE'] })).toBe('ca');
  expect(ids({ field: 'country', operator: 'is', values: [] })).toBe('ca');
  expect(ids({ field: 'country', operator: 'is_not', values: [] })).toBe('b');
  expect(ids({ field: 'path', operator: 'like', values: ['ads/b'] })).toBe('c');
  expect(ids({ field: 'sent_at', operator: 'gte', values: [2000] })).toBe('cb');
  expect(ids({ field: 'sent_at', operator: 'lt', values: [2000] })).toBe('a');
  expect(table.count([{ field: 'progress', operator: 'in', values: [25] }])).toBe(2);
});

it('AsRunLog keeps rows that the disk refuses, and writes them later', async () => {
  isBroken = true;
  log.record(row('one'));
  await log.write();
  isBroken = false;
  expect(await all()).toHaveLength(1);
  expect(log.lostRows).toBe(0);
});

it('AsRunLog writes rows after a second, tries again after a refusal, and has no timer without rows', async () => {
  const removals = 1;
  expect(clock.timerCount).toBe(removals);
  isBroken = true;
  log.record(row('one'));
  clock.advance(1000);
  await until('timer of the next attempt', () => clock.timerCount === removals + 1, 5000);
  expect(table.count([])).toBe(0);
  isBroken = false;
  clock.advance(1000);
  await until('written row', () => table.count([]) === 1, 5000);
  await log.write();
  expect(clock.timerCount).toBe(removals);
});

it('AsRunLog counts the rows that it drops while the disk refuses them', async () => {
  isBroken = true;
  for (let count = 0; count < 100_003; count++) log.record(row(String(count)));
  await log.write();
  expect(log.lostRows).toBe(3);
});

it('AsRunLog removes old rows in short turns', async () => {
  for (let count = 0; count < 1200; count++) log.record(row(`old ${count}`, { sent_at: clock.now() - DAY_MS }));
  log.record(row('new', { sent_at: clock.now() }));
  await log.write();
  const turns: number[] = [];
  const remove = table.removeBefore.bind(table);
  table.removeBefore = (timeMs) => {
    const removed = remove(timeMs);
    turns.push(removed);
    return removed;
  };
  clock.advance(600_000);
  await expect.poll(() => turns).toEqual([500, 500, 200, 0]);
  await expect.poll(async () => (await all()).map(({ id }) => id)).toEqual(['new']);
});

it.each(['jsonl', 'csv'] as const)('AsRunLog exports %s with a signature over every byte', async (format) => {
  for (let count = 0; count < 450; count++) log.record(row(`r${String(count).padStart(3, '0')}`));
  let text = '';
  for await (const piece of await log.export(format, [])) text += piece;
  const end = text.trimEnd().lastIndexOf('\n') + 1;
  const last = text.slice(end).trimEnd();
  const proof = format === 'jsonl' ? last : (/^proof,"(.*)",+$/.exec(last)?.[1] ?? '').replaceAll('""', '"');
  const { signature, ...facts } = JSON.parse(proof) as Record<string, string | number>;
  expect(facts).toMatchObject({ rows: 450, sha256: createHash('sha256').update(text.slice(0, end)).digest('hex') });
  const signed = Buffer.from(String(signature), 'base64');
  expect(verify(null, Buffer.from(canonicalJson(facts)), publicKey, signed)).toBe(true);
  expect(verify(null, Buffer.from(canonicalJson({ ...facts, rows: 449 })), publicKey, signed)).toBe(false);
  expect(text.slice(0, end).trimEnd().split('\n')).toHaveLength(format === 'csv' ? 451 : 450);
  if (format === 'csv') expect(text).toContain('"u, ""x"""');
  expect(await log.publicKey()).toContain('BEGIN PUBLIC KEY');
});

it('AsRunTable returns each row once in pages, for any times', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.uniqueArray(fc.tuple(fc.nat(3), fc.string({ minLength: 1, maxLength: 3 })), { selector: ([, id]) => id }),
      fc.boolean(),
      (rows, isDescending) => {
        const one = AsRunTable.open(':memory:', { log: silentLog, now: () => 0 });
        one.write(rows.map(([sentAt, id]) => row(id, { sent_at: sentAt })));
        const found: string[] = [];
        let after: { atMs: number; id: string; isInclusive: boolean } | undefined;
        for (;;) {
          const page = one.rows({ conditions: [], isDescending, limit: 2, ...(after ? { after } : {}) });
          const last = page.at(-1);
          if (!last) break;
          found.push(...page.map(({ id }) => id));
          after = { atMs: last.sent_at, id: last.id, isInclusive: false };
        }
        one.close();
        expect(new Set(found).size).toBe(found.length);
        expect(found).toHaveLength(rows.length);
        return Promise.resolve();
      },
    ),
    { numRuns: 20 },
  );
});

it('AsRunLog returns a page of the newest matching rows, and their count', async () => {
  for (const [index, stream] of ['cam1', 'cam2', 'cam1'].entries())
    log.record(row(`row-${index}`, { sent_at: 1000 + index, stream, path: `ads/${index}.mp4` }));
  const idsOf = ({ rows }: { readonly rows: readonly AsRunObject[] }): string[] => rows.map(({ id }) => id);
  const page = await log.page({ limit: 1, stream: 'cam1' });
  expect([idsOf(page), page.count]).toEqual([['row-2'], 2]);
  const [last] = page.rows;
  expect(idsOf(await log.page({ limit: 5, stream: 'cam1', before: { sent_at: last!.sent_at, id: last!.id } }))).toEqual(
    ['row-0'],
  );
  expect(idsOf(await log.page({ limit: 5, path: 'ads/1', from: 1001, to: 1002 }))).toEqual(['row-1']);
  expect(await log.page({ limit: 5, user_id: 'nobody' })).toEqual({ rows: [], count: 0 });
});
