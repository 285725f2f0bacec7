import { expect, it } from 'vitest';
import { SharedTurn } from './shared-turn.ts';
import { WorkTurns } from './work-turns.ts';

const settled = (): Promise<void> => new Promise(setImmediate);

it('SharedTurn starts shared work at the first turn that any of its callers gets, and occupies one turn', async () => {
  const turns = new WorkTurns(2);
  await turns.take('greedy');
  for (let index = 0; index < 10; index++) void turns.take('greedy');
  const shared = new SharedTurn(turns);
  shared.request('greedy');
  const place = shared.take();
  // One place is kept free for other callers.
  await settled();
  expect(turns.waitingCount).toBe(11);
  shared.request('other');
  const release = await place;
  await settled();
  expect(turns.waitingCount).toBe(10);
  // A later caller need not wait.
  shared.request('third');
  release();
  await settled();
  expect(turns.waitingCount).toBe(10);
  expect(await turns.take('other')).toBeTypeOf('function');
});

it('SharedTurn leaves the queue when all callers have left or the work is cancelled', async () => {
  const turns = new WorkTurns(1);
  const end = await turns.take('a');
  const unneeded = new SharedTurn(turns);
  unneeded.request('b');
  unneeded.giveUp(new Error('not needed'));
  expect(turns.waitingCount).toBe(0);
  const shared = new SharedTurn(turns);
  const gone = new AbortController();
  shared.request('b', gone.signal);
  shared.request('c');
  const place = shared.take();
  expect(turns.waitingCount).toBe(2);
  gone.abort();
  expect(turns.waitingCount).toBe(1);
  shared.giveUp(new Error('nobody waits'));
  await expect(place).rejects.toThrow('nobody waits');
  expect(turns.waitingCount).toBe(0);
  end();
  expect(await turns.take('d')).toBeTypeOf('function');
});
