import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { BytesBody } from './cached-body.ts';
import { PiecesBody, TextBody, type Answer } from './endpoint.ts';
import { SharedAnswers } from './shared-answers.ts';

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
});
afterEach(() => {
  vi.useRealTimers();
});

async function* piecesOf(count: number, length: number): AsyncGenerator<string> {
  for (let index = 0; index < count; index++) {
    await Promise.resolve();
    yield 'é'.repeat(length);
  }
}

async function textOf({ body }: Answer): Promise<string> {
  if (body instanceof BytesBody) return body.bytes.toString();
  let text = '';
  if (body instanceof PiecesBody) for await (const piece of body.pieces) text += piece;
  return text;
}

describe('shared answers to callers without a login', () => {
  it('are built once per second for all callers', async () => {
    const answers = new SharedAnswers();
    let count = 0;
    const make = (): Promise<Answer> => {
      count++;
      return Promise.resolve({ status: 200, body: new PiecesBody(piecesOf(3, 2), 'text/plain') });
    };
    const all = await Promise.all(
      Array.from({ length: 1000 }, (_, index) => answers.get('/media', `192.0.2.${index % 250}`, make)),
    );
    expect(new Set(all).size).toBe(1);
    expect([count, await textOf(all[0]!)]).toEqual([1, 'éééééé']);
    vi.advanceTimersByTime(1000);
    await answers.get('/media', 'a', make);
    expect(count).toBe(2);
    expect(await textOf(await answers.get('/other', 'a', () => Promise.resolve({ status: 200, body: { a: 1 } })))).toBe(
      '{"a":1}',
    );
    expect(
      await textOf(
        await answers.get('/text', 'a', () => Promise.resolve({ status: 200, body: new TextBody('b', '') })),
      ),
    ).toBe('b');
  });

  it('are not cached if they are too long or errors', async () => {
    const answers = new SharedAnswers();
    let count = 0;
    const long = (): Promise<Answer> => {
      count++;
      return Promise.resolve({ status: 200, body: new PiecesBody(piecesOf(20, 1024 * 1024)) });
    };
    const all = await Promise.all([answers.get('/long', 'a', long), answers.get('/long', 'b', long)]);
    for (const answer of all) expect((await textOf(answer)).length).toBe(20 * 1024 * 1024);
    expect(count).toBe(2);

    let failures = 0;
    const fail = (): Promise<Answer> => Promise.reject(new Error(`no ${failures++}`));
    const results = await Promise.allSettled([answers.get('/no', 'a', fail), answers.get('/no', 'b', fail)]);
    expect(results.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    expect(await answers.get('/no', 'a', () => Promise.resolve({ status: 204 }))).toEqual({ status: 204 });
  });

  it('are built in turns by address', async () => {
    const answers = new SharedAnswers();
    const order: string[] = [];
    const ends: (() => void)[] = [];
    const request = (who: string, key: string): void => {
      void answers.get(key, who, async () => {
        order.push(who);
        await new Promise<void>((resolve) => ends.push(resolve));
        return { status: 204 };
      });
    };
    for (let index = 0; index < 100; index++) request('greedy', `/list?q=${index}`);
    await new Promise(setImmediate);
    // One place remains free for other addresses.
    expect(order).toEqual(['greedy', 'greedy', 'greedy']);
    request('other', '/list');
    await new Promise(setImmediate);
    expect(order.at(-1)).toBe('other');
  });
});
