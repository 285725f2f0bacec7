import { expect, it } from 'vitest';
import { FakeClock } from '../../tests/helpers/fake-clock.ts';
import { silentLog, type Log } from '../lib/log.ts';
import { RefusalLog } from './refusal-log.ts';

it('refused connections are logged at once, and then at most every 10 s', () => {
  const clock = new FakeClock();
  const lines: unknown[] = [];
  const log: Log = { ...silentLog, warn: (_, fields) => lines.push(fields) };
  const refusals = new RefusalLog(clock, log);
  refusals.take(1, 0);
  expect(lines).toEqual([]);
  refusals.take(1, 3);
  expect(lines).toEqual([{ refused: 3 }]);
  for (let second = 1; second <= 9; second++) {
    clock.advance(1000);
    refusals.take(1, 3 + second);
    refusals.take(2, second * 10);
  }
  expect(lines).toHaveLength(1);
  clock.advance(1000);
  expect(lines).toEqual([{ refused: 3 }, { refused: 9 + 90 }]);
  clock.advance(60_000);
  expect(lines).toHaveLength(2);
  // The thread that replaces a dead thread counts from 0.
  refusals.forget(2);
  refusals.take(3, 1);
  expect(lines.at(-1)).toEqual({ refused: 1 });
});
