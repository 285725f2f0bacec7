import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { SocketBridge } from './socket-bridge.ts';
import type { Socket, SocketHandlers } from './socket-bridge.ts';

class FakeSocket implements Socket {
  readonly handlers: SocketHandlers;
  readonly sent: unknown[] = [];
  isClosed = false;
  constructor(handlers: SocketHandlers) {
    this.handlers = handlers;
  }
  send(text: string): void {
    this.sent.push(JSON.parse(text));
  }
  close(): void {
    this.isClosed = true;
  }
  say(message: unknown): void {
    this.handlers.onMessage(JSON.stringify(message));
  }
}

const info = {
  version: '1',
  hostname: 'h',
  started_at: 1,
  now: 2,
  base_url: 'http://h',
  rtmp_url: null,
  live_prefixes: [],
  wall_origins: [],
  is_demo: false,
  config_error: null,
  has_edit_login: false,
  has_view_login: false,
  may_watch_all: true,
  may_operate: true,
  may_write: true,
};

describe('SocketBridge', () => {
  let sockets: FakeSocket[];
  let bridge: SocketBridge;
  let needsLogin: boolean;
  const last = (): FakeSocket => {
    const socket = sockets.at(-1);
    if (!socket) throw new Error('no socket was opened');
    return socket;
  };

  beforeEach(() => {
    vi.useFakeTimers();
    sockets = [];
    const open = (handlers: SocketHandlers): Socket => {
      const socket = new FakeSocket(handlers);
      sockets.push(socket);
      return socket;
    };
    needsLogin = false;
    bridge = new SocketBridge({
      open,
      mediaBase: 'http://h',
      random: () => 0.5,
      login: {
        access: () => Promise.resolve({ mayRead: !needsLogin, server: 'studio' }),
        logIn: () => Promise.resolve({ kind: 'done' }),
        logOut: () => Promise.resolve(),
      },
    });
  });
  afterEach(() => {
    bridge.close();
    vi.useRealTimers();
  });

  it('is connecting, then live, and assigns replies to calls', async () => {
    expect(bridge.link.phase).toBe('connecting');
    last().handlers.onOpen();
    expect(bridge.link.phase).toBe('connecting');
    last().say({ kind: 'event', topic: 'streams', payload: {} });
    expect(bridge.link.phase).toBe('live');
    const reply = bridge.call('streams.restart', { name: 'cam' });
    const sent = last().sent.at(-1);
    expect(sent).toMatchObject({ kind: 'call', name: 'streams.restart', input: { name: 'cam' } });
    last().say({ kind: 'reply', id: (sent as { id: number }).id, reply: { ok: true, value: {} } });
    expect(await reply).toEqual({ ok: true, value: {} });
  });

  it('refuses calls without a connection, and times them out with one', async () => {
    expect(await bridge.call('server.info', {})).toMatchObject({ ok: false, error: { code: 'unavailable' } });
    last().handlers.onOpen();
    const reply = bridge.call('streams.list', {});
    await vi.advanceTimersByTimeAsync(5_000);
    last().say({ kind: 'event', topic: 'nothing', payload: 1 });
    await vi.advanceTimersByTimeAsync(5_100);
    expect(await reply).toMatchObject({ ok: false, error: { code: 'unavailable', details: { is_unanswered: true } } });
  });

  it('is stale when the socket closes, reconnects with growing delays, and subscribes again', async () => {
    bridge.on('streams', () => {});
    last().handlers.onOpen();
    expect(last().sent).toContainEqual({ kind: 'subscribe', topic: 'streams' });
    last().say({ kind: 'event', topic: 'streams', payload: {} });
    last().handlers.onClose();
    expect(bridge.link).toMatchObject({ phase: 'stale' });
    expect((bridge.link.retryAtMs ?? 0) - Date.now()).toBe(500);
    await vi.advanceTimersByTimeAsync(500);
    expect(sockets).toHaveLength(2);
    last().handlers.onClose();
    expect((bridge.link.retryAtMs ?? 0) - Date.now()).toBe(1000);
    await vi.advanceTimersByTimeAsync(1000);
    last().handlers.onOpen();
    last().say({ kind: 'event', topic: 'streams', payload: {} });
    expect(bridge.link.phase).toBe('live');
    expect(last().sent).toContainEqual({ kind: 'subscribe', topic: 'streams' });
  });

  it('reports that the server requires a login, and reconnects only after one', async () => {
    needsLogin = true;
    last().handlers.onClose();
    await vi.advanceTimersByTimeAsync(60_000);
    expect(bridge.link).toMatchObject({ phase: 'connecting', mustLogIn: true, retryAtMs: null });
    expect(sockets).toHaveLength(1);
    bridge.reconnect();
    expect(bridge.link.mustLogIn).toBe(false);
    last().handlers.onOpen();
    last().say({ kind: 'event', topic: 'streams', payload: {} });
    expect(bridge.link.phase).toBe('live');
    // A second login while the connection is open: the connection now belongs to the second login.
    bridge.reconnect();
    expect([sockets.length, sockets[1]?.isClosed]).toEqual([3, true]);
  });

  it('is stale after some silence, and then closes the connection', async () => {
    last().handlers.onOpen();
    const first = last();
    first.say({ kind: 'event', topic: 'streams', payload: {} });
    await vi.advanceTimersByTimeAsync(2000);
    expect(bridge.link.phase).toBe('live');
    await vi.advanceTimersByTimeAsync(1000);
    expect([bridge.link.phase, first.isClosed]).toEqual(['stale', false]);
    first.say({ kind: 'event', topic: 'streams', payload: {} });
    expect(bridge.link.phase).toBe('live');
    await vi.advanceTimersByTimeAsync(9_000);
    expect([bridge.link.phase, first.isClosed]).toEqual(['stale', true]);
  });

  it('retries every second while the server is unreachable', async () => {
    last().handlers.onOpen();
    last().say({ kind: 'event', topic: 'streams', payload: {} });
    const waits: number[] = [];
    for (let attempt = 0; attempt < 20; attempt++) {
      last().handlers.onClose();
      waits.push((bridge.link.retryAtMs ?? 0) - Date.now());
      await vi.advanceTimersByTimeAsync(waits.at(-1) ?? 0);
    }
    expect(waits).toEqual([500, ...Array.from({ length: 19 }, () => 1000)]);
  });

  it('waits longer for a busy server with each attempt that gets no answer', async () => {
    const openMs: number[] = [];
    for (let attempt = 0; attempt < 4; attempt++) {
      const [socket, startMs] = [last(), Date.now()];
      while (!socket.isClosed) await vi.advanceTimersByTimeAsync(100);
      openMs.push(Math.floor((Date.now() - startMs) / 1000));
      while (last() === socket) await vi.advanceTimersByTimeAsync(100);
    }
    expect(openMs.every((ms, index) => ms >= (openMs[index - 1] ?? 7))).toBe(true);
    expect(openMs.at(-1)).toBeGreaterThanOrEqual(20);
    // A connection that was open is given up after the usual silence.
    last().handlers.onOpen();
    const open = last();
    await vi.advanceTimersByTimeAsync(9000);
    expect(open.isClosed).toBe(true);
  });

  it('forwards events that match their schema, and drops invalid ones', () => {
    const seen: unknown[] = [];
    const end = bridge.on('streams', (payload) => seen.push(payload));
    last().handlers.onOpen();
    last().say({ kind: 'event', topic: 'streams', payload: { is_snapshot: true, changed: [], removed: [] } });
    last().say({ kind: 'event', topic: 'streams', payload: { is_snapshot: 'yes' } });
    last().handlers.onMessage('no json');
    expect(seen).toEqual([{ is_snapshot: true, changed: [], removed: [] }]);
    end();
    expect(last().sent.at(-1)).toEqual({ kind: 'unsubscribe', topic: 'streams' });
  });

  it('subscribes again for another listener, because the server sends a snapshot only to new subscribers', () => {
    last().handlers.onOpen();
    bridge.on('events', () => {});
    const end = bridge.on('events', () => {});
    expect(last().sent.filter((message) => (message as { topic?: string }).topic === 'events')).toEqual([
      { kind: 'subscribe', topic: 'events' },
      { kind: 'unsubscribe', topic: 'events' },
      { kind: 'subscribe', topic: 'events' },
    ]);
    end();
    expect(last().sent.at(-1)).toEqual({ kind: 'subscribe', topic: 'events' });
  });

  it('forwards the server information in each heartbeat', async () => {
    const seen: string[] = [];
    bridge.onInfo((value) => seen.push(value.hostname));
    last().handlers.onOpen();
    const call = last().sent.find((message) => (message as { name?: string }).name === 'server.info');
    last().say({ kind: 'reply', id: (call as { id: number }).id, reply: { ok: true, value: info } });
    await vi.advanceTimersByTimeAsync(1);
    expect(seen).toEqual(['h']);
  });

  it('reports an unknown error code as a server error', async () => {
    last().handlers.onOpen();
    const reply = bridge.call('streams.remove', { name: 'a' });
    const id = (last().sent.at(-1) as { id: number }).id;
    last().say({ kind: 'reply', id, reply: { ok: false, error: { code: 'from_the_future', message: 'x' } } });
    expect(await reply).toEqual({ ok: false, error: { code: 'internal', message: 'x' } });
  });
});
