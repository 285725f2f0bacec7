import { describe, expect, it } from 'vitest';
import { nextTurn, runAtOnce, runInTurns } from './turns.ts';

function* count(to: number, stepMs: number): Generator<void, number> {
  for (let n = 0; n < to; n++) {
    const end = performance.now() + stepMs;
    while (performance.now() < end);
    yield;
  }
  return to;
}

describe('work in steps', () => {
  it('runs completely with runAtOnce', () => {
    expect(runAtOnce(count(10, 0))).toBe(10);
  });

  it('yields between its steps with runInTurns', async () => {
    let others = 0;
    const timer = setInterval(() => others++, 1);
    expect(await runInTurns(count(30, 1))).toBe(30);
    clearInterval(timer);
    expect(others).toBeGreaterThan(2);
  });

  it('shares a turn of the event loop between parallel and successive work', async () => {
    let turn = 0;
    let isRunning = true;
    const countTurns = (): void => {
      turn++;
      if (isRunning) setImmediate(countTurns);
    };
    setImmediate(countTurns);
    const stepsOfTurns = new Map<number, number>();
    // Each step takes longer than a turn may.
    function* long(steps: number): Generator<void, void> {
      for (const _ of count(steps, 5)) {
        stepsOfTurns.set(turn, (stepsOfTurns.get(turn) ?? 0) + 1);
        yield;
      }
    }
    const work = async (): Promise<void> => {
      await nextTurn();
      await runInTurns(long(3));
      await runInTurns(long(3));
    };
    await Promise.all([work(), work(), work()]);
    isRunning = false;
    expect([...stepsOfTurns.values()]).toEqual(Array.from({ length: 18 }, () => 1));
  });

  it('fails with the error of a step', async () => {
    await expect(
      runInTurns(
        (function* () {
          yield;
          throw new Error('no');
        })(),
      ),
    ).rejects.toThrow('no');
  });
});
