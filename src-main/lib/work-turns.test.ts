import { expect, it } from 'vitest';
import { WorkTurns } from './work-turns.ts';

const settled = (): Promise<void> => new Promise(setImmediate);

it('WorkTurns gives the next place to another caller, however many tasks of one caller wait', async () => {
  const turns = new WorkTurns(3);
  const order: string[] = [];
  const ends: (() => void)[] = [];
  const request = (who: string): void => {
    void turns.take(who).then((end) => {
      order.push(who);
      ends.push(end);
    });
  };
  for (let index = 0; index < 1000; index++) request('greedy');
  await settled();
  // One place is kept free for other callers.
  expect(order).toEqual(['greedy', 'greedy']);
  request('other');
  await settled();
  expect(order).toEqual(['greedy', 'greedy', 'other']);
  request('third');
  ends[0]?.();
  await settled();
  expect(order.at(-1)).toBe('third');
  ends[1]?.();
  await settled();
  expect(order.at(-1)).toBe('greedy');
  // 1000 requests without the three that had a turn.
  expect(turns.waitingCount).toBe(997);
});

it('WorkTurns removes abandoned requests, and releases a place once', async () => {
  const turns = new WorkTurns(1);
  const end = await turns.take('a');
  const gone = new AbortController();
  const abandoned = turns.take('a', gone.signal);
  const next = turns.take('b');
  gone.abort(new Error('gone'));
  await expect(abandoned).rejects.toThrow('gone');
  expect(turns.waitingCount).toBe(1);
  end();
  end();
  (await next)();
  expect(await turns.run('a', () => Promise.resolve(7))).toBe(7);
  await expect(turns.run('a', () => Promise.reject(new Error('no')))).rejects.toThrow('no');
  expect(await turns.run('a', () => Promise.resolve(8))).toBe(8);
  await expect(turns.take('a', AbortSignal.abort(new Error('late')))).rejects.toThrow('late');
});
