import { describe, expect, it } from 'vitest';
import { FakeClock } from '../../tests/helpers/fake-clock.ts';
import { EventBus } from './event-bus.ts';
import { REFUSAL_BURST, REFUSAL_WINDOW_MS } from './refusal-digest.ts';

function stage(): { readonly bus: EventBus; readonly clock: FakeClock; readonly events: () => object[] } {
  const clock = new FakeClock();
  let id = 0;
  const work: (() => void)[] = [];
  const bus = new EventBus({ server: 's', clock, nextId: () => ++id, defer: (turn) => work.push(turn) });
  return {
    bus,
    clock,
    events: () => {
      for (let turn = work.shift(); turn; turn = work.shift()) turn();
      return [...bus.recent.list(10_000)];
    },
  };
}

function refuse(bus: EventBus, ip: string, user: string | null = null): void {
  bus.emit('auth_failed', { ip, user, is_slowed: false });
}

describe('refusal events', () => {
  it('are emitted once per address and reason in ten seconds, with a count', () => {
    const { bus, clock, events } = stage();
    for (let attempt = 0; attempt < 1000; attempt++) refuse(bus, '192.0.2.1');
    refuse(bus, '192.0.2.2');
    bus.emit('auth_failed', { ip: '192.0.2.1', user: null, is_slowed: true });
    expect(events()).toHaveLength(3);
    clock.advance(REFUSAL_WINDOW_MS);
    expect(events().slice(3)).toMatchObject([{ event: 'auth_failed', ip: '192.0.2.1', count: 999 }]);
    refuse(bus, '192.0.2.1');
    expect(events()).toHaveLength(5);
  });

  it('of changes are combined, unlike successful changes', () => {
    const { bus, clock, events } = stage();
    const call = (status: number, index: number, user: string | null): void => {
      const common = {
        method: 'CALL',
        operation: null,
        target: null,
        parent: null,
        kind: null,
        user_agent: null,
        duration_ms: 1,
        trace_id: null,
      };
      bus.emit('api_call', { ...common, path: `streams.update${index}`, status, user, ip: '192.0.2.1' });
    };
    for (let index = 0; index < 3; index++) call(200, index, 'admin');
    for (const status of [401, 403, 429]) for (let index = 0; index < 2000; index++) call(status, index, null);
    expect(events()).toHaveLength(6);
    clock.advance(REFUSAL_WINDOW_MS);
    expect(events().slice(6)).toMatchObject([401, 403, 429].map((status) => ({ status, count: 1999 })));
  });

  it('of one IPv6 network are combined like those of one address', () => {
    const { bus, events } = stage();
    for (let host = 1; host <= 50; host++) refuse(bus, `2001:db8::${host.toString(16)}`);
    expect(events()).toHaveLength(1);
  });

  it('have their own limit, from any number of addresses', () => {
    const { bus, clock, events } = stage();
    bus.emit('stream_opened', { media: 'news', reason: 'configured' });
    for (let second = 0; second < 60; second++) {
      for (let host = 0; host < 200; host++) refuse(bus, `198.51.${second}.${host}`);
      clock.advance(1000);
      events();
    }
    bus.emit('stream_opened', { media: 'sport', reason: 'configured' });
    const all = events() as { readonly event: string; readonly event_id: number; readonly count?: number }[];
    expect(all.filter(({ event }) => event === 'stream_opened')).toHaveLength(2);
    // Every lost refusal is counted.
    const last = all.at(-1)?.event_id ?? 0;
    expect(last).toBeLessThan(REFUSAL_BURST + 80);
    expect(all.map(({ event_id: id }) => id)).toEqual(all.map(({ event_id: id }) => id).toSorted((a, b) => a - b));
  });

  it('are emitted before the server stops', async () => {
    const { bus, events } = stage();
    refuse(bus, '192.0.2.1');
    refuse(bus, '192.0.2.1');
    const drained = bus.drained();
    expect(events()).toMatchObject([{ ip: '192.0.2.1' }, { ip: '192.0.2.1', count: 1 }]);
    await drained;
  });
});
