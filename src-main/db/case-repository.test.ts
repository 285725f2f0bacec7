import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { silentLog } from '../lib/log.ts';
import { Database } from './database.ts';
import { CaseRepository } from './case-repository.ts';

const folder = mkdtempSync(join(tmpdir(), 'airdesk-cases-'));
let database: Database;
let cases: CaseRepository;
beforeAll(() => {
  database = Database.open(join(folder, 'airdesk.db'), { log: silentLog, now: () => 0 });
  cases = new CaseRepository(database.connection);
});
afterAll(() => {
  database.close();
  rmSync(folder, { recursive: true, force: true });
});
const aCase = (id: string) => ({ id, title: `case ${id}`, note: '', by: 'pat', atMs: 1 });
const anItem = (id: string, caseId: string, fromMs: number) => ({
  id,
  caseId,
  kind: 'clip' as const,
  stream: 'cam',
  fromMs,
  toMs: fromMs + 9,
  text: '',
  by: 'pat',
  atMs: 1,
});

const DAY_MS = 86_400_000;
const idsOf = (caseId: string): string[] => cases.items(caseId).map(({ id }) => id);

it('CaseRepository stores cases with their items, up to the maximum', () => {
  expect([cases.add(aCase('a'), 2), cases.add(aCase('b'), 2), cases.add(aCase('c'), 2)]).toEqual([true, true, false]);
  const limits = { ofCase: 2, inAll: 3 };
  const added = [
    anItem('2', 'a', 200),
    anItem('1', 'a', 100),
    anItem('3', 'a', 300),
    anItem('4', 'b', 1),
    anItem('5', 'b', 2),
  ].map((item) => cases.addItem(item, limits));
  expect(added).toEqual([true, true, false, true, false]);
  expect(idsOf('a')).toEqual(['2', '1']);
  expect(cases.list().map(({ id, itemCount }) => [id, itemCount])).toEqual([
    ['b', 1],
    ['a', 2],
  ]);
  expect([cases.rename('a', { title: 'goal', note: 'x' }), cases.rename('z', { title: '', note: '' })]).toEqual([
    true,
    false,
  ]);
  expect(cases.find('a')).toMatchObject({ title: 'goal', note: 'x' });
});

it('CaseRepository reorders the items of a case, for any list of ids', () => {
  for (const id of ['6', '7', '8']) cases.addItem(anItem(id, 'b', 5), { ofCase: 9, inAll: 99 });
  cases.order('b', ['8', '4', '1', 'none']);
  expect([idsOf('b'), idsOf('a')]).toEqual([
    ['8', '4', '6', '7'],
    ['2', '1'],
  ]);
});

it('CaseRepository restores a removed item at its position within a day, unless the case is full', () => {
  expect([cases.removeItem('b', '1', 10), cases.removeItem('b', '4', 10), cases.removeItem('b', '4', 10)]).toEqual([
    false,
    true,
    false,
  ]);
  expect(idsOf('b')).toEqual(['8', '6', '7']);
  expect(cases.restoreItem('b', '4', 3)).toBeUndefined();
  expect(cases.restoreItem('b', '4', 4)).toMatchObject({ id: '4', fromMs: 1 });
  expect(idsOf('b')).toEqual(['8', '4', '6', '7']);
  cases.removeItem('b', '4', 10);
  cases.addItem({ ...anItem('9', 'b', 5), atMs: DAY_MS + 11 }, { ofCase: 9, inAll: 99 });
  expect([cases.restoreItem('b', '4', 9), idsOf('b')]).toEqual([undefined, ['8', '6', '7', '9']]);
});

it('CaseRepository restores a removed case with its items within a day', () => {
  expect([cases.remove('a', 20), cases.remove('a', 20), cases.find('a'), cases.rename('a', aCase('a'))]).toEqual([
    true,
    false,
    undefined,
    false,
  ]);
  expect(cases.list().map(({ id }) => id)).toEqual(['b']);
  expect([cases.restore('a'), cases.restore('z')]).toEqual([true, false]);
  expect([cases.find('a')?.itemCount, idsOf('a')]).toEqual([2, ['2', '1']]);
  cases.remove('a', 20);
  cases.remove('b', DAY_MS + 21);
  expect([cases.restore('a'), idsOf('a'), cases.restore('b'), idsOf('b').length]).toEqual([false, [], true, 4]);
});
