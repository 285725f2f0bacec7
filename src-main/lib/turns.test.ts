import { describe, expect, it } from 'vitest';
import { runAtOnce, runInTurns } from './turns.ts';

function* count(to: number, stepMs: number): Generator<void, number> {
  for (let n = 0; n < to; n++) {
    const end = performance.now() + stepMs;
    while (performance.now() < end);
    yield;
  }
  return to;
}

describe('work in steps', () => {
  it('runs at once', () => {
    expect(runAtOnce(count(10, 0))).toBe(10);
  });

  it('lets others run in between', async () => {
    let others = 0;
    const timer = setInterval(() => others++, 1);
    expect(await runInTurns(count(30, 1))).toBe(30);
    clearInterval(timer);
    expect(others).toBeGreaterThan(2);
  });

  it('passes on what goes wrong', async () => {
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
