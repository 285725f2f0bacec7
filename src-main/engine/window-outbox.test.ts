import { beforeEach, expect, it } from 'vitest';
import { FakeClock } from '../../tests/helpers/fake-clock.ts';
import { WindowOutbox } from './window-outbox.ts';

let clock: FakeClock;
let streams: number;
/** Number of events per run in each message. */
let posted: [id: number, events: number][][];
let outbox: WindowOutbox;

beforeEach(() => {
  clock = new FakeClock();
  streams = 8;
  posted = [];
  outbox = new WindowOutbox(clock, {
    streamCount: () => streams,
    post: (batches) => posted.push(batches.map(({ id, events }) => [id, events.length])),
  });
});

/** Adds an event for each run. Messages of the same turn are posted when the promise has resolved. */
function add(...ids: number[]): Promise<void> {
  for (const id of ids) outbox.add(id, { type: 'idle' });
  return Promise.resolve();
}

it('events of one turn of the event loop are sent in one message', async () => {
  await add(1, 2, 1);
  expect(posted).toEqual([
    [
      [1, 2],
      [2, 1],
    ],
  ]);
});

it('events shortly after a message are gathered if there are many streams', async () => {
  await add(1);
  clock.advance(3);
  await add(2);
  clock.advance(3);
  await add(3, 2);
  expect(posted).toHaveLength(1);
  clock.advance(4);
  expect(posted).toEqual([
    [[1, 1]],
    [
      [2, 2],
      [3, 1],
    ],
  ]);
  // After a pause events are sent at once.
  clock.advance(10);
  await add(4);
  expect(posted).toHaveLength(3);
});

it('events are not gathered if there are few streams', async () => {
  streams = 7;
  await add(1);
  await add(2);
  expect(posted).toEqual([[[1, 1]], [[2, 1]]]);
});

it('flush sends events at once, and no event is sent twice', async () => {
  await add(1);
  await add(2);
  outbox.flush();
  expect(posted).toEqual([[[1, 1]], [[2, 1]]]);
  clock.advance(100);
  expect(posted).toHaveLength(2);
});

it('events are sent at once after the clock was set back', async () => {
  clock.advance(100_000);
  await add(1);
  clock = Object.assign(clock, { now: () => 5 });
  await add(2);
  expect(posted).toHaveLength(2);
});
