import fc from 'fast-check';
import { expect, it } from 'vitest';
import { ListLocks } from '../../../tests/helpers/list-locks.ts';
import { ArchiveLocks, MAX_LOCKS, MAX_NOTE } from './archive-locks.ts';

const MAX_MS = 40;
const time = fc
  .tuple(fc.nat({ max: MAX_MS }), fc.integer({ min: 1, max: 12 }))
  .map(([startMs, length]) => ({ startMs, endMs: startMs + length }));
const anyChange = fc.record({
  stream: fc.constantFrom('a', 'b'),
  what: fc.constantFrom('add' as const, 'put' as const, 'remove' as const),
  time,
  note: fc.constantFrom('', 'one', 'two'),
});

it('locks cover exactly the locked milliseconds, also after a restart', () => {
  fc.assert(
    fc.property(fc.array(anyChange, { maxLength: 30 }), time, (changes, range) => {
      const store = new ListLocks();
      const locks = new ArchiveLocks(store);
      const lockedMs = new Map<string, boolean[]>();
      for (const [at, change] of changes.entries()) {
        const list = lockedMs.get(change.stream) ?? new Array<boolean>(MAX_MS + 20).fill(false);
        lockedMs.set(change.stream, list);
        const lock = { ...change.time, note: change.note, by: 'north', atMs: at };
        if (change.what === 'remove') locks.remove(change.stream, change.time);
        else {
          const lockAfter = locks[change.what](change.stream, lock);
          expect(lockAfter?.note.split('\n')).toContain(
            change.note === '' ? lockAfter?.note.split('\n')[0] : change.note,
          );
          expect(lockAfter).toMatchObject({ by: 'north', atMs: at });
          if (change.what === 'put') expect(lockAfter).toEqual(lock);
        }
        for (let ms = change.time.startMs; ms < change.time.endMs; ms++) list[ms] = change.what !== 'remove';
      }
      const again = new ArchiveLocks(store);
      for (const stream of ['a', 'b']) {
        const list = lockedMs.get(stream) ?? [];
        const all = { startMs: 0, endMs: 1000 };
        const locked = locks.list(stream, all);
        expect(again.list(stream, all)).toEqual(locked);
        for (const [at, lock] of locked.entries()) {
          expect(lock.startMs).toBeLessThan(lock.endMs);
          expect(lock.startMs).toBeGreaterThanOrEqual(locked[at - 1]?.endMs ?? 0);
        }
        const isLocked = (ms: number): boolean => list[ms] ?? false;
        const inRange = Array.from({ length: range.endMs - range.startMs }, (_, ms) => isLocked(range.startMs + ms));
        expect(locks.hasLocked(stream, range)).toBe(inRange.includes(true));
        expect(locks.isAllLocked(stream, range)).toBe(!inRange.includes(false));
        const milliseconds = locked.reduce((sum, { startMs, endMs }) => sum + endMs - startMs, 0);
        expect(milliseconds).toBe(list.filter(Boolean).length);
      }
    }),
  );
});

it('overlapping or adjacent locks are joined with all notes, and unlocking cuts a lock', () => {
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

it('locks are limited in number, and refused if the store rejects them', () => {
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
