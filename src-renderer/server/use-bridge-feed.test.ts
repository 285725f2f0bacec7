import { describe, expect, it, beforeEach } from 'vitest';
import { aStream } from '../../tests/helpers/desk/a-stream.ts';
import { TestDesk } from '../../tests/helpers/desk/test-desk.ts';
import { useServerStore } from './server-store.ts';
import { useBridgeFeed } from './use-bridge-feed.ts';
import { useServerLink } from './use-server-link.ts';

const snapshot = { is_snapshot: true, changed: [aStream()], removed: [] };
let desk: TestDesk;

beforeEach(() => {
  desk = new TestDesk();
});

describe('useBridgeFeed', () => {
  it('passes on the link, heartbeats and topics until its component is removed', () => {
    const received: unknown[] = [];
    const { end } = desk.run(() =>
      useBridgeFeed({
        link: ({ phase }) => received.push(phase),
        info: ({ hostname }) => received.push(hostname),
        topics: { streams: ({ changed }) => received.push(changed.length) },
      }),
    );
    desk.bridge.setLink({ phase: 'stale' });
    desk.bridge.setLink({ phase: 'live' });
    desk.bridge.sendInfo({ hostname: 'studio' });
    desk.bridge.send('streams', snapshot);
    expect(received).toEqual(['live', 'stale', 'live', 'studio', 1]);
    end();
    desk.bridge.setLink({ phase: 'stale' });
    desk.bridge.send('streams', snapshot);
    expect([received.length, desk.bridge.listeners]).toEqual([5, 0]);
  });

  it('subscribes again without duplicates', () => {
    let count = 0;
    const { result: made, end } = desk.run(() => useBridgeFeed({ topics: { streams: () => count++ } }));
    made.renew();
    made.renew();
    desk.bridge.send('streams', snapshot);
    expect([count, desk.bridge.listeners]).toEqual([1, 1]);
    end();
    expect(desk.bridge.listeners).toBe(0);
  });
});

it('useServerLink updates the store of the server: link, clock, rights, media address', () => {
  const { end } = desk.run(useServerLink);
  const server = useServerStore();
  expect([server.link.phase, server.may('streams', 'edit'), server.isStale]).toEqual(['live', false, false]);
  desk.bridge.sendInfo({ may_write: true, now: Date.now() + 60_000 });
  expect(server.may('streams', 'edit')).toBe(true);
  expect(server.mediaBase).toBe('http://desk.example');
  expect(server.clockOffsetMs).toBeGreaterThan(59_000);
  desk.bridge.setLink({ phase: 'stale', retryAtMs: 5 });
  expect([server.isStale, server.link.retryAtMs]).toEqual([true, 5]);
  end();
  expect(desk.bridge.listeners).toBe(0);
});
