import { describe, expect, it } from 'vitest';
import { AnswerMemory, MediaBusy } from './answer-memory.ts';

describe('the memory of answers', () => {
  it('refuses new answers when it is used up, and lets started ones wait in order', async () => {
    const memory = new AnswerMemory(100);
    const first = memory.takeNow(60);
    expect(() => memory.takeNow(41)).toThrow(MediaBusy);
    const signal = new AbortController().signal;
    const order: number[] = [];
    const waiting = [70, 20].map(async (bytes) => {
      const done = await memory.take(bytes, signal);
      order.push(bytes);
      return done;
    });
    // There is room for 20, but waiting answers come first.
    expect(() => memory.takeNow(20)).toThrow(MediaBusy);
    first();
    first();
    for (const done of await Promise.all(waiting)) done();
    expect([order, memory.usedBytes]).toEqual([[70, 20], 0]);
  });

  it('drops answers whose viewers have gone', async () => {
    const memory = new AnswerMemory(100);
    const first = memory.takeNow(100);
    const over = new AbortController();
    const gone = memory.take(100, over.signal);
    const next = memory.take(50, new AbortController().signal);
    over.abort(new Error('gone'));
    await expect(gone).rejects.toThrow('gone');
    first();
    (await next)();
    expect(memory.usedBytes).toBe(0);
  });

  it('counts memory shared by several answers once', () => {
    const memory = new AnswerMemory(100);
    const bytes = new Uint8Array(80);
    const all = [memory.share(bytes, false), memory.share(bytes.subarray(10), false)];
    expect(memory.usedBytes).toBe(80);
    expect(() => memory.share(new Uint8Array(30), false)).toThrow(MediaBusy);
    const started = memory.share(new Uint8Array(30), true);
    expect(memory.usedBytes).toBe(110);
    for (const done of [...all, started]) done();
    expect(memory.usedBytes).toBe(0);
  });

  it('sends a single body that is larger than the whole limit', () => {
    const memory = new AnswerMemory(100);
    memory.takeNow(200)();
    expect(memory.usedBytes).toBe(0);
  });
});
