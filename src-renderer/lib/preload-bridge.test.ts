import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { writeFeedHead, type ServerInfo, type WindowBridge } from '../../src-preload/contract/index.ts';
import { IPC } from '../../src-preload/contract/ipc-channels.ts';
import { CALL_TIMEOUT_MS, HEARTBEAT_MS } from './link.ts';
import { PreloadBridge } from './preload-bridge.ts';

const INFO = { hostname: 'studio', base_url: 'http://127.0.0.1:8080/' } as ServerInfo;
let answer: (name: string) => Promise<unknown>;
let subscriptions: number;
let portRequests: number;
let bridge: PreloadBridge;

beforeEach(() => {
  vi.useFakeTimers();
  subscriptions = 0;
  portRequests = 0;
  answer = () => Promise.resolve({ ok: true, value: INFO });
});
afterEach(() => {
  bridge.close();
  vi.useRealTimers();
});

async function open(): Promise<void> {
  const preload = {
    call: (name: string) => answer(name),
    on: () => {
      subscriptions += 1;
      return () => (subscriptions -= 1);
    },
    openFeeds: () => (portRequests += 1),
  };
  // The stand-in for the preload script has no types of its own.
  bridge = new PreloadBridge(preload as unknown as WindowBridge);
  await vi.advanceTimersByTimeAsync(0);
}

describe('PreloadBridge', () => {
  it('is live once the server thread answers, and forwards each heartbeat', async () => {
    const received: string[] = [];
    await open();
    bridge.onInfo(({ hostname }) => received.push(hostname));
    expect(bridge.link.phase).toBe('live');
    await vi.advanceTimersByTimeAsync(2 * HEARTBEAT_MS);
    expect(received).toEqual(['studio', 'studio']);
    expect(bridge.mediaBase(INFO)).toBe('http://127.0.0.1:8080');
  });

  it('receives feeds over the port from the preload script', async () => {
    await open();
    const posted: unknown[] = [];
    const port = {
      onmessage: undefined as unknown,
      postMessage: (message: unknown) => posted.push(message),
      close() {},
    };
    const arrive = (data: unknown, source: unknown = window): boolean =>
      window.dispatchEvent(Object.assign(new Event('message'), { data, source, ports: [port] }));
    const [states, frames]: [unknown[], unknown[]] = [[], []];
    const request = { name: 'cam', width: 320, height: 180 };
    const feed = bridge.feeds.open(request, {
      state: (state) => states.push(state),
      frame: ({ kind, media }, taken) => {
        frames.push([kind, [...media]]);
        taken();
      },
    });
    arrive(IPC.feedPort, {});
    arrive('another message');
    expect([portRequests, posted]).toEqual([1, []]);
    arrive(IPC.feedPort);
    expect(posted).toEqual([{ kind: 'feed-open', feed: 1, ...request }]);
    const deliver = port.onmessage as (event: { readonly data: unknown }) => void;
    deliver({ data: JSON.stringify({ kind: 'feed', feed: 1, state: 'begin', tracks: ['video/mp4'] }) });
    const head = writeFeedHead({
      kind: 'part',
      feed: 1,
      track: 0,
      isIndependent: true,
      isGap: false,
      startMs: 5,
      mediaType: '',
    });
    deliver({ data: Uint8Array.from([...head, 7, 8]).buffer });
    expect([states, frames]).toEqual([
      [{ kind: 'feed', feed: 1, state: 'begin', tracks: ['video/mp4'] }],
      [['part', [7, 8]]],
    ]);
    feed.close();
    expect(posted.at(-1)).toEqual({ kind: 'feed-close', feed: 1 });
  });

  it('is connecting, not stale, before the first answer', async () => {
    answer = () => Promise.reject(new Error('no thread'));
    await open();
    expect([bridge.link.phase, bridge.link.receivedAtMs]).toEqual(['connecting', null]);
    expect(bridge.link.retryAtMs).toBeGreaterThan(0);
  });

  it('is stale after the thread ends, and subscribes again when it is back', async () => {
    await open();
    const phases: string[] = [];
    bridge.onLink(({ phase }) => phases.push(phase));
    let renewed = 0;
    const end = bridge.on('streams', () => undefined);
    answer = () => Promise.resolve({ ok: false, error: { code: 'unavailable', message: '' } });
    await vi.advanceTimersByTimeAsync(HEARTBEAT_MS);
    answer = () => {
      renewed = subscriptions;
      return Promise.resolve({ ok: true, value: INFO });
    };
    bridge.retryNow();
    await vi.advanceTimersByTimeAsync(0);
    expect([phases, renewed, subscriptions]).toEqual([['stale', 'live'], 1, 1]);
    end();
    expect(subscriptions).toBe(0);
  });

  it('times out calls', async () => {
    await open();
    answer = () => new Promise(() => undefined);
    const reply = bridge.call('streams.list', {});
    await vi.advanceTimersByTimeAsync(CALL_TIMEOUT_MS);
    expect(await reply).toMatchObject({ ok: false, error: { code: 'unavailable', details: { is_unanswered: true } } });
  });

  it('sends one heartbeat request at a time', async () => {
    await open();
    let requestCount = 0;
    answer = () => {
      requestCount += 1;
      return new Promise(() => undefined);
    };
    bridge.retryNow();
    bridge.retryNow();
    await vi.advanceTimersByTimeAsync(HEARTBEAT_MS);
    expect(requestCount).toBe(1);
  });

  it('is stale while an answer is late, and live when it arrives', async () => {
    await open();
    let reply: (value: unknown) => void = () => undefined;
    answer = () =>
      new Promise((resolve) => {
        reply = resolve;
      });
    await vi.advanceTimersByTimeAsync(2 * HEARTBEAT_MS);
    expect(bridge.link.phase).toBe('live');
    await vi.advanceTimersByTimeAsync(3 * HEARTBEAT_MS);
    expect(bridge.link.phase).toBe('stale');
    reply({ ok: true, value: INFO });
    await vi.advanceTimersByTimeAsync(0);
    expect(bridge.link.phase).toBe('live');
  });

  it('sends no request after it is closed', async () => {
    await open();
    bridge.close();
    answer = () => Promise.reject(new Error('asked'));
    await vi.advanceTimersByTimeAsync(5 * HEARTBEAT_MS);
    expect(bridge.link.phase).toBe('live');
  });
});
