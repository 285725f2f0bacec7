import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { silentLog } from '../lib/log.ts';
import { Database } from './database.ts';
import { NoteRepository } from './note-repository.ts';

const folder = mkdtempSync(join(tmpdir(), 'airdesk-notes-'));
let database: Database;
let notes: NoteRepository;
beforeAll(() => {
  database = Database.open(join(folder, 'airdesk.db'), { log: silentLog, now: () => 0 });
  notes = new NoteRepository(database.connection);
});
afterAll(() => {
  database.close();
  rmSync(folder, { recursive: true, force: true });
});
const aNote = (id: string, atMs: number, stream = 'cam') => ({ id, stream, atMs, text: `at ${atMs}`, by: 'pat' });
const idsOf = (startMs: number, endMs: number): string[] =>
  notes.list('cam', { startMs, endMs }, 10).map(({ id }) => id);

it('NoteRepository stores notes by time, and restores a removed note within a day', () => {
  for (const [id, atMs] of [
    ['b', 200],
    ['a', 100],
    ['c', 300],
  ] as const)
    expect(notes.add(aNote(id, atMs), 0, 3)).toBe(true);
  expect([notes.add(aNote('d', 1), 0, 3), notes.add(aNote('d', 1, 'other'), 0, 3)]).toEqual([false, true]);
  expect([idsOf(100, 300), idsOf(101, 301), notes.list('cam', { startMs: 0, endMs: 900 }, 1).length]).toEqual([
    ['a', 'b'],
    ['b', 'c'],
    1,
  ]);
  expect([notes.remove('other', 'a', 5), notes.remove('cam', 'a', 5), notes.remove('cam', 'a', 5)]).toEqual([
    false,
    true,
    false,
  ]);
  expect(idsOf(0, 900)).toEqual(['b', 'c']);
  expect(notes.restore('cam', 'a')).toEqual(aNote('a', 100));
  expect(idsOf(0, 900)).toEqual(['a', 'b', 'c']);
  notes.remove('cam', 'a', 5);
  expect(notes.add(aNote('e', 400), 86_400_006, 3)).toBe(true);
  expect(notes.restore('cam', 'a')).toBeUndefined();
});
