import { describe, expect, it } from 'vitest';
import { FakeClock } from '../../../tests/helpers/fake-clock.ts';
import type { Call } from './calls.ts';
import { Channel, type Silence } from './channel.ts';
import { localPipes } from './message-pipe.ts';

interface Table extends Silence {
  readonly calls: { readonly echo: readonly [unknown, unknown] };
}

/** Two sides of a channel between threads; the second answers as the test defines. */
function sides(echo: (question: unknown, call: Call<unknown>) => void): {
  readonly asking: Channel<Table, Silence>;
  readonly answering: Channel<Silence, Table>;
  close(): void;
} {
  const clock = new FakeClock();
  const none = { calls: {}, feeds: {}, subscriptions: {}, events: {} };
  const asking = new Channel<Table, Silence>(clock, none);
  const answering = new Channel<Silence, Table>(clock, { ...none, calls: { echo } });
  const pipes = localPipes();
  asking.attach(pipes.server);
  answering.attach(pipes.worker);
  return {
    asking,
    answering,
    close() {
      pipes.server.close();
      pipes.worker.close();
    },
  };
}

describe('a value that cannot be cloned', () => {
  it('as an argument rejects the call, and leaves no open call', async () => {
    const { asking, answering, close } = sides((question, call) => {
      call.answer(question);
    });
    await expect(asking.call('echo', () => undefined, { timeoutMs: 1000 })).rejects.toThrow('could not be cloned');
    expect(asking.openCount).toBe(0);
    // The channel still works.
    expect(await asking.call('echo', 7)).toBe(7);
    expect(answering.openCount).toBe(0);
    close();
  });

  it('as an answer rejects the call', async () => {
    const { asking, answering, close } = sides((_question, call) => {
      call.answer(() => undefined);
    });
    await expect(asking.call('echo', 7)).rejects.toMatchObject({
      code: 'internal',
      message: expect.stringContaining('could not be cloned') as string,
    });
    expect([asking.openCount, answering.openCount]).toEqual([0, 0]);
    close();
  });
});
