import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { FakeClock } from '../../../tests/helpers/fake-clock.ts';
import type { StoredChange } from './catalog-store.ts';
import { WaitingChanges } from './waiting-changes.ts';

/** Store that delays every batch until the test releases it. */
class SlowStore {
  readonly stored: StoredChange[] = [];
  readonly pending: (() => void)[] = [];

  async write(changes: readonly StoredChange[]): Promise<void> {
    await new Promise<void>((resolve) => this.pending.push(resolve));
    this.stored.push(...changes);
  }

  /** Completes the delayed batches and all later ones. */
  async release(): Promise<void> {
    for (let turn = 0; turn < 50; turn++) {
      for (const resolve of this.pending.splice(0)) resolve();
      await Promise.resolve();
    }
  }
}

function added(stream: string, startMs: number): StoredChange {
  const [disk, path] = ['/a', `${stream}/${startMs}.mp4`];
  // Other fields of a block do not matter here.
  const block = { stream, disk, path, startMs, endMs: startMs + 10 } as unknown;
  return { type: 'add', block: block as (StoredChange & { type: 'add' })['block'] };
}

/** Whether a promise resolves without further events. */
async function isDone(promise: Promise<void>): Promise<boolean> {
  let isOver = false;
  void promise.then(() => (isOver = true));
  for (let turn = 0; turn < 5; turn++) await Promise.resolve();
  return isOver;
}

describe('pending catalog changes', () => {
  it('delay only queries about their own times', async () => {
    const store = new SlowStore();
    const changes = new WaitingChanges({ store, clock: new FakeClock(), failed: () => undefined });
    changes.add(added('a', 100));
    changes.add({ type: 'remove', disk: '/a', path: 'b/2026/01/01/00/00.mp4' });
    const queries = [
      ['a', 100, 110],
      ['a', 105, 500],
      ['a', 110, 500],
      ['a', 0, 100],
      ['a/b', 100, 110],
      ['b', 0, 1],
      ['c', 0, 1000],
    ] as const;
    const waits = async (): Promise<boolean[]> =>
      Promise.all(
        queries.map(
          async ([stream, startMs, endMs]) => !(await isDone(changes.settledFor(stream, { startMs, endMs }))),
        ),
      );
    expect(await waits()).toEqual([true, true, false, false, false, true, false]);
    await store.release();
    expect(await waits()).toEqual(Array(7).fill(false));
    expect(store.stored).toHaveLength(2);
  });

  it('are stored once each, in order, and failures are counted', async () => {
    const step = fc.oneof(
      fc.record({ add: fc.integer({ min: 1, max: 150 }) }),
      fc.constantFrom({ settle: true }, { release: true }),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 12 }), async (steps) => {
        const store = new SlowStore();
        const changes = new WaitingChanges({ store, clock: new FakeClock(), failed: () => undefined });
        const all: StoredChange[] = [];
        for (const one of steps) {
          if ('add' in one)
            for (let count = 0; count < one.add; count++) {
              const change = added('a', all.length);
              all.push(change);
              changes.add(change);
            }
          else if ('settle' in one) void changes.settled();
          else await store.release();
        }
        const settled = changes.settled();
        await store.release();
        await settled;
        expect(store.stored).toEqual(all);
      }),
    );
    const failures: number[] = [];
    const store = { write: async (): Promise<void> => Promise.reject(new Error('damaged')) };
    const changes = new WaitingChanges({
      store,
      clock: new FakeClock(),
      failed: (_error, count) => failures.push(count),
    });
    for (let count = 0; count < 100; count++) changes.add(added('a', count));
    await changes.settledFor('a', { startMs: 0, endMs: 10 });
    expect(failures).toEqual([64, 36]);
  });

  it('wait in order while the disk is full, and are stored when space is free', async () => {
    const clock = new FakeClock();
    const stored: StoredChange[] = [];
    let isFull = true;
    const store = {
      write: async (changes: readonly StoredChange[]): Promise<void> => {
        await Promise.resolve();
        if (isFull) throw Object.assign(new Error('database or disk is full'), { code: 'SQLITE_FULL' });
        stored.push(...changes);
      },
    };
    const failures: number[] = [];
    const changes = new WaitingChanges({ store, clock, failed: (_error, count) => failures.push(count) });
    const all = Array.from({ length: 100 }, (_, count) => added('a', count));
    for (const change of all.slice(0, 70)) changes.add(change);
    await Promise.all([changes.settled(), changes.settledFor('a', { startMs: 0, endMs: 10 })]);
    for (const change of all.slice(70)) changes.add(change);
    await changes.settled();
    expect([stored, failures]).toEqual([[], [64, 64, 64]]);
    isFull = false;
    clock.advance(10_000);
    for (let turn = 0; turn < 20; turn++) await Promise.resolve();
    expect(stored).toEqual(all);
  });

  it('are limited: excess changes are dropped and counted', () => {
    const failures: number[] = [];
    const store = new SlowStore();
    const options = { store, clock: new FakeClock(), failed: (_error: unknown, count: number) => failures.push(count) };
    const changes = new WaitingChanges(options);
    for (let count = 0; count < 10_002; count++) changes.add(added('a', count));
    expect(failures).toEqual([1, 1]);
  });
});
