import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { SocketBridge } from './socket-bridge.ts';
import type { Socket } from './socket-bridge.ts';

class FakeSocket implements Socket {
  onopen: (() => void) | null = null;
  onmessage: ((event: { readonly data: unknown }) => void) | null = null;
  onclose: (() => void) | null = null;
  readonly sent: unknown[] = [];
  isClosed = false;
  send(text: string): void {
    this.sent.push(JSON.parse(text));
  }
  close(): void {
    this.isClosed = true;
  }
  say(message: unknown): void {
    this.onmessage?.({ data: JSON.stringify(message) });
  }
}

const info = {
  version: '1', hostname: 'h', started_at: 1, now: 2, base_url: 'http://h', rtmp_url: null, live_prefixes: [], is_demo: false, config_error: null,
};

describe('SocketBridge', () => {
  let sockets: FakeSocket[];
  let bridge: SocketBridge;
  const last = (): FakeSocket => {
    const socket = sockets.at(-1);
    if (!socket) throw new Error('no socket was opened');
    return socket;
  };

  beforeEach(() => {
    vi.useFakeTimers();
    sockets = [];
    const open = (): Socket => {
      const socket = new FakeSocket();
      sockets.push(socket);
      return socket;
    };
    bridge = new SocketBridge({ open, mediaBase: 'http://h', random: () => 0.5 });
  });
  afterEach(() => {
    bridge.close();
    vi.useRealTimers();
  });

  it('is connecting, then live, and pairs replies with calls', async () => {
    expect(bridge.link.phase).toBe('connecting');
    last().onopen?.();
    expect(bridge.link.phase).toBe('live');
    const reply = bridge.call('streams.restart', { name: 'cam' });
    const sent = last().sent.at(-1);
    expect(sent).toMatchObject({ kind: 'call', name: 'streams.restart', input: { name: 'cam' } });
    last().say({ kind: 'reply', id: (sent as { id: number }).id, reply: { ok: true, value: {} } });
    expect(await reply).toEqual({ ok: true, value: {} });
  });

  it('refuses calls without a connection and times them out with one', async () => {
    expect(await bridge.call('server.info', {})).toMatchObject({ ok: false, error: { code: 'unavailable' } });
    last().onopen?.();
    const reply = bridge.call('streams.list', {});
    await vi.advanceTimersByTimeAsync(5_000);
    last().say({ kind: 'event', topic: 'nothing', payload: 1 });
    await vi.advanceTimersByTimeAsync(5_100);
    expect(await reply).toMatchObject({ ok: false, error: { code: 'unavailable' } });
  });

  it('turns stale when the socket closes, tries again with growing waits and takes its subscriptions along', async () => {
    bridge.on('streams', () => {});
    last().onopen?.();
    expect(last().sent).toContainEqual({ kind: 'subscribe', topic: 'streams' });
    last().onclose?.();
    expect(bridge.link).toMatchObject({ phase: 'stale' });
    expect((bridge.link.retryAtMs ?? 0) - Date.now()).toBe(500);
    await vi.advanceTimersByTimeAsync(500);
    expect(sockets).toHaveLength(2);
    last().onclose?.();
    expect((bridge.link.retryAtMs ?? 0) - Date.now()).toBe(1000);
    await vi.advanceTimersByTimeAsync(1000);
    last().onopen?.();
    expect(bridge.link.phase).toBe('live');
    expect(last().sent).toContainEqual({ kind: 'subscribe', topic: 'streams' });
  });

  it('counts silence as a lost connection', async () => {
    last().onopen?.();
    const first = last();
    await vi.advanceTimersByTimeAsync(9_000);
    expect(bridge.link.phase).toBe('stale');
    expect(first.isClosed).toBe(true);
  });

  it('hands on events that fit and drops those that do not', () => {
    const seen: unknown[] = [];
    const end = bridge.on('streams', (payload) => seen.push(payload));
    last().onopen?.();
    last().say({ kind: 'event', topic: 'streams', payload: { is_snapshot: true, changed: [], removed: [] } });
    last().say({ kind: 'event', topic: 'streams', payload: { is_snapshot: 'yes' } });
    last().onmessage?.({ data: 'no json' });
    expect(seen).toEqual([{ is_snapshot: true, changed: [], removed: [] }]);
    end();
    expect(last().sent.at(-1)).toEqual({ kind: 'unsubscribe', topic: 'streams' });
  });

  it('tells what the server says of itself with each heartbeat', async () => {
    const seen: string[] = [];
    bridge.onInfo((value) => seen.push(value.hostname));
    last().onopen?.();
    const call = last().sent.find((message) => (message as { name?: string }).name === 'server.info');
    last().say({ kind: 'reply', id: (call as { id: number }).id, reply: { ok: true, value: info } });
    await vi.advanceTimersByTimeAsync(1);
    expect(seen).toEqual(['h']);
  });

  it('turns an unknown error code into a fault of the server', async () => {
    last().onopen?.();
    const reply = bridge.call('streams.remove', { name: 'a' });
    const id = (last().sent.at(-1) as { id: number }).id;
    last().say({ kind: 'reply', id, reply: { ok: false, error: { code: 'from_the_future', message: 'x' } } });
    expect(await reply).toEqual({ ok: false, error: { code: 'internal', message: 'x' } });
  });
});
