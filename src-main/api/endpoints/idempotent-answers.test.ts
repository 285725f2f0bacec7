import { expect, it } from 'vitest';
import { FakeClock } from '../../../tests/helpers/fake-clock.ts';
import type { EndpointRequest } from './endpoint.ts';
import { IdempotentAnswers, type AnswerStore } from './idempotent-answers.ts';

it('IdempotentAnswers executes a request once per key, also across a restart, and works if its store fails', async () => {
  const clock = new FakeClock();
  const kept = new Map<string, Parameters<AnswerStore['put']>[0]>();
  const store: AnswerStore = {
    find: (key, nowMs) => {
      const found = kept.get(key);
      return found && found.untilMs > nowMs ? found : undefined;
    },
    put: (answer) => void kept.set(answer.key, answer),
  };
  const failing: AnswerStore = {
    find: () => {
      throw new Error('the disk is full');
    },
    put: () => {
      throw new Error('the disk is full');
    },
  };
  let count = 0;
  const make = (): Promise<{ status: number; body: number }> => Promise.resolve({ status: 201, body: ++count });
  const request = (body: string): EndpointRequest => ({
    caller: { mayRead: true, mayWrite: true, who: 'admin', address: '' },
    url: '/streams',
    params: {},
    query: [],
    headers: { 'idempotency-key': 'k' },
    body,
  });
  expect(await new IdempotentAnswers(clock, store).answer(request('a'), make)).toEqual({ status: 201, body: 1 });
  const restarted = new IdempotentAnswers(clock, store);
  expect(await restarted.answer(request('a'), make)).toMatchObject({ status: 201, body: 1 });
  await expect(restarted.answer(request('b'), make)).rejects.toMatchObject({ code: 'idempotency_key_reused' });
  clock.advance(86_400_001);
  expect(await restarted.answer(request('b'), make)).toMatchObject({ body: 2 });
  const without = new IdempotentAnswers(clock, failing);
  expect(await without.answer(request('c'), make)).toMatchObject({ body: 3 });
  expect(await without.answer(request('c'), make)).toMatchObject({ body: 3 });
});
