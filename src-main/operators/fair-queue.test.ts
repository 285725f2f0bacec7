import { describe, expect, it } from 'vitest';
import { FairQueue } from './fair-queue.ts';

function task(): { readonly run: () => Promise<string>; readonly end: () => void; isRunning: boolean } {
  let settle: () => void = () => undefined;
  const done = new Promise<string>((resolve) => {
    settle = () => resolve('done');
  });
  const created = { isRunning: false, run: () => ((created.isRunning = true), done), end: () => settle() };
  return created;
}

const settled = (): Promise<void> => new Promise(setImmediate);

describe('FairQueue', () => {
  it('runs one task at a time, and callers take turns', async () => {
    const queue = new FairQueue();
    const order: string[] = [];
    const gate = task();
    const first = queue.run('a', gate.run);
    const rest = ['a', 'a', 'a', 'b', 'c'].map((who, index) =>
      queue.run(who, () => Promise.resolve(order.push(`${who}${index}`))),
    );
    await settled();
    expect(gate.isRunning).toBe(true);
    expect(order).toEqual([]);
    gate.end();
    await Promise.all([first, ...rest]);
    expect(order).toEqual(['a0', 'b3', 'c4', 'a1', 'a2']);
  });

  it('continues after a failed task', async () => {
    const queue = new FairQueue();
    await expect(queue.run('a', () => Promise.reject(new Error('no')))).rejects.toThrow('no');
    expect(await queue.run('a', () => Promise.resolve(1))).toBe(1);
  });

  it('refuses a task when too many wait', async () => {
    const queue = new FairQueue();
    const gate = task();
    const all = [
      queue.run('a', gate.run),
      ...Array.from({ length: 256 }, (_, index) => queue.run(`w${index}`, () => Promise.resolve('done'))),
    ];
    await expect(queue.run('late', () => Promise.resolve('done'))).rejects.toMatchObject({ code: 'too_many_attempts' });
    gate.end();
    expect(new Set(await Promise.all(all))).toEqual(new Set(['done']));
    expect(await queue.run('late', () => Promise.resolve('done'))).toBe('done');
  });
});
