import { describe, expect, it } from 'vitest';
import { CrashingFolder } from '../../tests/helpers/crashing-folder.ts';
import { FakeClock } from '../../tests/helpers/fake-clock.ts';
import { EventBus } from './event-bus.ts';
import { EventIds } from './event-ids.ts';
import { RecentEvents } from './recent-events.ts';

/** Event bus whose turns the test triggers. */
function stage() {
  const turns: (() => void)[] = [];
  let id = 1;
  const clock = new FakeClock(1000);
  const bus = new EventBus({ server: 'here', clock, nextId: () => id++, defer: (work) => turns.push(work) });
  const turn = (): boolean => {
    const [work] = turns.splice(0, 1);
    work?.();
    return work !== undefined;
  };
  return { bus, clock, turn };
}

describe('EventBus', () => {
  it('delivers events in later turns, in order, with id, time and server', async () => {
    const { bus, clock, turn } = stage();
    const got: string[] = [];
    bus.receive((events) => got.push(...events.map(({ text }) => text)));
    bus.emit('server_starting', { version: '1' });
    clock.advance(5);
    bus.emit('publish_refused', { media: null, path: 'x'.repeat(3000), ip: '192.0.2.1', code: null, detail: null });
    expect(got).toEqual([]);
    const drained = bus.drained();
    turn();
    await drained;
    expect(got[0]).toBe('{"event":"server_starting","event_id":1,"utc_ms":1000,"server":"here","version":"1"}');
    expect(JSON.parse(got[1] ?? '')).toEqual({
      event: 'publish_refused',
      event_id: 2,
      utc_ms: 1005,
      server: 'here',
      media: null,
      path: 'x'.repeat(2000),
      ip: '192.0.2.1',
      code: null,
      detail: null,
    });
    expect(bus.recent.list(10).map(({ event_id: id }) => id)).toEqual([1, 2]);
  });

  it('delivers a limited number of events per turn', () => {
    const { bus, turn } = stage();
    const parts: number[] = [];
    bus.receive((events) => parts.push(events.length));
    for (let count = 0; count < 450; count++) bus.emit('server_starting', { version: '1' });
    while (turn());
    expect(parts).toEqual([200, 200, 50]);
  });

  it('drops events beyond its limit, and emits an event with their number', () => {
    const { bus, turn } = stage();
    const dropped: unknown[] = [];
    let count = 0;
    bus.receive((events) => {
      count += events.length;
      for (const { event } of events) if (event.event === 'events_dropped') dropped.push(event['count']);
    });
    for (let index = 0; index < 20_123; index++) bus.emit('server_starting', { version: '1' });
    while (turn());
    expect(dropped).toEqual([123]);
    expect(count).toBe(20_001);
    expect(bus.droppedCount).toBe(123);
  });

  it('does not call a removed receiver', () => {
    const { bus, turn } = stage();
    const end = bus.receive(() => expect.unreachable());
    bus.emit('server_starting', { version: '1' });
    end();
    expect(turn()).toBe(true);
  });
});

describe('event ids', () => {
  it('grow across restarts, crashes and clocks that are set back', async () => {
    const folder = new CrashingFolder();
    const first = await EventIds.open(folder, 5_000_000);
    expect([first.take(), first.take()]).toEqual([5_000_000, 5_000_001]);
    let last = 0;
    for (let turn = 0; turn < 25; turn++) {
      for (let count = 0; count < 100_000; count++) last = first.take();
      await new Promise(setImmediate);
    }
    const second = await EventIds.open(folder, 1000);
    expect(second.take()).toBeGreaterThan(last);
    folder.files.set('.ids', Buffer.from('rubbish'));
    expect((await EventIds.open(folder, 9e9)).take()).toBe(9e9);
  });
});

describe('RecentEvents', () => {
  it('stores the newest events up to its limit', () => {
    const recent = new RecentEvents(3);
    for (let id = 1; id <= 20; id++) recent.add([{ event: 'server_starting', event_id: id, utc_ms: 0, server: 's' }]);
    expect(recent.list(10).map(({ event_id: id }) => id)).toEqual([18, 19, 20]);
    expect(recent.list(1, ({ event_id: id }) => id < 20).map(({ event_id: id }) => id)).toEqual([19]);
    expect(recent.list(0)).toEqual([]);
  });
});
