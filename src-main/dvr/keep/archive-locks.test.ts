import fc from 'fast-check';
import { expect, it } from 'vitest';
import { ListLocks } from '../../../tests/helpers/list-locks.ts';
import { ArchiveLocks, MAX_LOCKS, MAX_NOTE } from './archive-locks.ts';

const MAX_MS = 40;
const time = fc
  .tuple(fc.nat({ max: MAX_MS }), fc.integer({ min: 1, max: 12 }))
  .map(([startMs, length]) => ({ startMs, endMs: startMs + length }));
const change = fc.record({
  stream: fc.constantFrom('a', 'b'),
  what: fc.constantFrom('add' as const, 'put' as const, 'remove' as const),
  time,
  note: fc.constantFrom('', 'one', 'two'),
});

it('locks cover the listed milliseconds, with the notes of each, across restarts', () => {
  fc.assert(
    fc.property(fc.array(change, { maxLength: 30 }), time, (changes, range) => {
      const store = new ListLocks();
      const locks = new ArchiveLocks(store);
      const notes = new Map<string, Set<string>[]>();
      for (const [at, one] of changes.entries()) {
        const list = notes.get(one.stream) ?? Array.from({ length: MAX_MS + 20 }, () => new Set<string>());
        notes.set(one.stream, list);
        const lock = { ...one.time, note: one.note, by: 'north', atMs: at };
        if (one.what === 'remove') locks.remove(one.stream, one.time);
        else {
          const changed = locks[one.what](one.stream, lock);
          expect(changed?.note.split('\n')).toContain(one.note === '' ? changed?.note.split('\n')[0] : one.note);
          expect(changed).toMatchObject({ by: 'north', atMs: at });
          if (one.what === 'put') expect(changed).toEqual(lock);
        }
        for (let ms = one.time.startMs; ms < one.time.endMs; ms++)
          list[ms] = one.what === 'remove' ? new Set() : new Set(['locked']);
      }
      const again = new ArchiveLocks(store);
      for (const stream of ['a', 'b']) {
        const list = notes.get(stream) ?? [];
        const ever = { startMs: 0, endMs: 1000 };
        const locked = locks.list(stream, ever);
        expect(again.list(stream, ever)).toEqual(locked);
        for (const [at, lock] of locked.entries()) {
          expect(lock.startMs).toBeLessThan(lock.endMs);
          expect(lock.startMs).toBeGreaterThanOrEqual(locked[at - 1]?.endMs ?? 0);
        }
        const isLocked = (ms: number): boolean => (list[ms]?.size ?? 0) > 0;
        const all = Array.from({ length: range.endMs - range.startMs }, (_, ms) => isLocked(range.startMs + ms));
        expect(locks.hasLocked(stream, range)).toBe(all.includes(true));
        expect(locks.isAllLocked(stream, range)).toBe(!all.includes(false));
        const milliseconds = locked.reduce((sum, { startMs, endMs }) => sum + endMs - startMs, 0);
        expect(milliseconds).toBe(list.filter((set) => set.size > 0).length);
      }
    }),
  );
});

it('locks are joined if they overlap or touch, keep all notes, and are cut by unlocking', () => {
  const locks = new ArchiveLocks(new ListLocks());
  const by = { by: 'north', atMs: 1 };
  locks.add('a', { startMs: 0, endMs: 10, note: 'case 12', ...by });
  locks.add('a', { startMs: 20, endMs: 30, note: 'goal', ...by });
  expect(locks.add('a', { startMs: 10, endMs: 25, note: 'case 12', by: 'west', atMs: 2 })).toEqual({
    startMs: 0,
    endMs: 30,
    note: 'case 12\ngoal',
    by: 'west',
    atMs: 2,
  });
  expect(locks.remove('a', { startMs: 5, endMs: 8 })).toHaveLength(1);
  expect(locks.list('a', { startMs: 0, endMs: 99 }).map(({ startMs, endMs }) => [startMs, endMs])).toEqual([
    [0, 5],
    [8, 30],
  ]);
  expect(locks.remove('a', { startMs: 5, endMs: 8 })).toEqual([]);
  expect([...locks.streams]).toEqual(['a']);
  locks.remove('a', { startMs: 0, endMs: 99 });
  expect([...locks.streams]).toEqual([]);
});

it('locks are limited in number, and refused if they cannot be stored', () => {
  const store = new ListLocks();
  const locks = new ArchiveLocks(store);
  const lock = (startMs: number, note = ''): Parameters<ArchiveLocks['add']>[1] => ({
    startMs,
    endMs: startMs + 1,
    note,
    by: '',
    atMs: 0,
  });
  expect(locks.add('b', lock(0, 'x'.repeat(MAX_NOTE + 1)))).toBeUndefined();
  for (let at = 0; at < MAX_LOCKS; at += 1000)
    for (let more = 0; more < 1000; more++) store.locks.push({ stream: 'a', ...lock((at + more) * 2) });
  const full = new ArchiveLocks(store);
  expect(full.add('a', lock(2 * MAX_LOCKS))).toBeUndefined();
  expect(full.add('a', lock(1))).toMatchObject({ startMs: 0, endMs: 3 });
  store.fault = new Error('full');
  expect(() => full.add('c', lock(1))).toThrow('full');
  expect(full.hasLocked('c', lock(1))).toBe(false);
});
