import { describe, expect, it } from 'vitest';
import { CallLimit } from './call-limit.ts';

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** Limit, and tasks that run until they are released, in the order of their start. */
function stage(): {
  limit: CallLimit;
  started: number[];
  offer: (id: number) => boolean;
  finish: (id: number) => void;
} {
  const limit = new CallLimit({ atOnce: 2, waiting: 3 });
  const started: number[] = [];
  const ends = new Map<number, () => void>();
  const offer = (id: number): boolean =>
    limit.take(() => {
      started.push(id);
      return new Promise((resolve) => ends.set(id, resolve));
    });
  return { limit, started, offer, finish: (id) => ends.get(id)?.() };
}

describe('CallLimit', () => {
  it('runs two tasks concurrently, in order, each started in its own turn of the event loop', async () => {
    const { started, offer, finish } = stage();
    for (const id of [1, 2, 3]) expect(offer(id)).toBe(true);
    expect(started).toEqual([]);
    await turn();
    expect(started).toEqual([1]);
    await turn();
    await turn();
    expect(started).toEqual([1, 2]);
    finish(2);
    await turn();
    await turn();
    expect(started).toEqual([1, 2, 3]);
  });

  it('refuses and counts tasks beyond the queue, and accepts more later', async () => {
    const { limit, started, offer, finish } = stage();
    expect([1, 2, 3, 4, 5].map(offer)).toEqual([true, true, true, false, false]);
    expect(limit.refused).toBe(2);
    for (let turns = 0; turns < 4; turns++) await turn();
    expect(offer(6)).toBe(true);
    finish(1);
    for (let turns = 0; turns < 4; turns++) await turn();
    expect(started).toEqual([1, 2, 3]);
  });

  it('drops waiting tasks when it is cleared', async () => {
    const { limit, started, offer } = stage();
    offer(1);
    limit.clear();
    await turn();
    expect(started).toEqual([]);
  });
});
