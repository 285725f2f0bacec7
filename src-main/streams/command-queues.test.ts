import { beforeEach, describe, expect, it } from 'vitest';
import { CommandQueues } from './command-queues.ts';

let queues: CommandQueues;
let steps: string[];

beforeEach(() => {
  queues = new CommandQueues();
  steps = [];
});

/** A command that runs until `end` is called. */
function slow(label: string): { readonly command: () => Promise<string>; readonly end: () => void } {
  const { promise, resolve } = Promise.withResolvers<undefined>();
  return {
    command: async () => {
      steps.push(`${label} begins`);
      await promise;
      steps.push(`${label} ends`);
      return label;
    },
    end: () => {
      resolve(undefined);
    },
  };
}

describe('CommandQueues', () => {
  it('runs a command at once if none is running', async () => {
    const done = queues.run('a', () => steps.push('one'));
    expect([steps, queues.isBusy('a')]).toEqual([['one'], false]);
    expect(await done).toBe(1);
  });

  it('runs commands for one name in sequence, and commands for other names in parallel', async () => {
    const first = slow('first');
    const all = [queues.run('a', first.command), queues.run('a', () => steps.push('second'))];
    void queues.run('b', () => steps.push('other'));
    expect(steps).toEqual(['first begins', 'other']);
    first.end();
    expect(await Promise.all(all)).toEqual(['first', 4]);
    expect(steps).toEqual(['first begins', 'other', 'first ends', 'second']);
    expect(queues.isBusy('a')).toBe(false);
  });

  it('queues a command issued by a running command', async () => {
    await queues.run('a', () => {
      void queues.run('a', () => steps.push('inner'));
      steps.push('outer');
    });
    expect(steps).toEqual(['outer', 'inner']);
  });

  it('joins a waiting command with the same key, but not a running one', async () => {
    const first = slow('first');
    const runs = ['x', 'y', 'z'].map((label) =>
      queues.run(
        'a',
        label === 'x' ? first.command : () => Promise.resolve(label).then((text) => `${steps.push(text)}`),
        'restart',
      ),
    );
    expect(runs[1]).toBe(runs[2]);
    first.end();
    await Promise.all(runs);
    expect(steps).toEqual(['first begins', 'first ends', 'y']);
  });

  it('continues after a failed command, and rejects with its error', async () => {
    const first = slow('first');
    void queues.run('a', first.command);
    const failing = queues.run('a', () => {
      throw new Error('no');
    });
    const rejecting = queues.run('a', () => Promise.reject(new Error('later')));
    const last = queues.run('a', () => 'last');
    first.end();
    const results = await Promise.allSettled([failing, rejecting, last]);
    expect(results.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'fulfilled']);
  });
});
