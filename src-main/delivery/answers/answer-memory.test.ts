import { describe, expect, it } from 'vitest';
import { AnswerMemory, MediaBusy } from './answer-memory.ts';

describe('AnswerMemory', () => {
  it('refuses new answers when full, and lets waiting answers continue in order', async () => {
    const memory = new AnswerMemory(400);
    const first = memory.takeNow('a', 60);
    expect(() => memory.takeNow('a', 41)).toThrow(MediaBusy);
    const signal = new AbortController().signal;
    const order: number[] = [];
    const waiting = [70, 20].map(async (bytes) => {
      const done = await memory.take('a', bytes, signal);
      order.push(bytes);
      return done;
    });
    // 20 bytes are free, but the waiting answers come first.
    expect(() => memory.takeNow('a', 20)).toThrow(MediaBusy);
    first();
    first();
    for (const done of await Promise.all(waiting)) done();
    expect([order, memory.usedBytes]).toEqual([[70, 20], 0]);
  });

  it('drops answers whose viewers have left', async () => {
    const memory = new AnswerMemory(400);
    const first = memory.takeNow('a', 100);
    const over = new AbortController();
    const gone = memory.take('a', 100, over.signal);
    const next = memory.take('a', 50, new AbortController().signal);
    over.abort(new Error('gone'));
    await expect(gone).rejects.toThrow('gone');
    first();
    (await next)();
    expect(memory.usedBytes).toBe(0);
  });

  it('counts memory shared by several answers once', () => {
    const memory = new AnswerMemory(400);
    const bytes = new Uint8Array(80);
    const all = [memory.share('a', bytes, false), memory.share('a', bytes.subarray(10), false)];
    expect(memory.usedBytes).toBe(80);
    expect(() => memory.share('a', new Uint8Array(30), false)).toThrow(MediaBusy);
    const started = memory.share('a', new Uint8Array(30), true);
    expect(memory.usedBytes).toBe(110);
    for (const done of [...all, started]) done();
    expect(memory.usedBytes).toBe(0);
  });

  it('allows one answer larger than the share of its address', () => {
    const memory = new AnswerMemory(400);
    memory.takeNow('a', 200)();
    expect(memory.usedBytes).toBe(0);
  });

  it('keeps memory for other addresses when one address takes all it can', async () => {
    const memory = new AnswerMemory(400);
    const releases: (() => void)[] = [];
    const fill = (who: string): number => {
      for (let count = 0; ; count++)
        try {
          releases.push(memory.takeNow(who, 10));
        } catch (error) {
          expect(error).toBeInstanceOf(MediaBusy);
          return count;
        }
    };
    expect(fill('greedy')).toBe(10);
    // An address that waits does not delay any other address.
    const order: string[] = [];
    const { signal } = new AbortController();
    const waiting = memory.take('greedy', 10, signal).then((done) => {
      order.push('greedy');
      return done;
    });
    expect(['b', 'c'].map((who) => fill(who))).toEqual([10, 10]);
    (await memory.take('d', 100, signal))();
    expect(order).toEqual([]);
    releases.shift()?.();
    (await waiting)();
    for (const done of releases) done();
    expect(memory.usedBytes).toBe(0);
  });
});
