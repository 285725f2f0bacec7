import { expect, it } from 'vitest';
import { FakeClock } from '../../../tests/helpers/fake-clock.ts';
import { settled } from '../../../tests/helpers/settled.ts';
import { JobQueue, type JobOutcome } from './job-queue.ts';

it('JobQueue runs as many jobs concurrently as currently allowed', async () => {
  let maxRunning = 2;
  const running = new Map<string, (outcome: JobOutcome<string>) => void>();
  const jobs = new JobQueue<string, string, string, never>({
    clock: new FakeClock(),
    codes: { failed: 'f', cancelled: 'c' },
    maxRunning: () => maxRunning,
    store: { all: () => [], put: () => undefined, remove: () => undefined },
    runner: {
      run: (task) => {
        const { promise, resolve } = Promise.withResolvers<JobOutcome<string>>();
        running.set(task, resolve);
        return { outcome: promise, stop: () => Promise.resolve() };
      },
    },
    ended: ({ id }) => void running.delete(id),
    unstored: () => undefined,
  });
  const end = async (id: string): Promise<string[]> => {
    running.get(id)?.({ files: [] });
    await settled();
    return [...running.keys()];
  };
  for (const id of ['a', 'b', 'c', 'd', 'e', 'f']) jobs.add(id, id, id, 'test');
  expect([...running.keys()]).toEqual(['a', 'b']);
  expect(await end('b')).toEqual(['a', 'c']);
  maxRunning = 1;
  expect([await end('a'), await end('c')]).toEqual([['c'], ['d']]);
  maxRunning = 3;
  expect(await end('d')).toEqual(['e', 'f']);
});
