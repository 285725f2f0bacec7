import { describe, expect, it } from 'vitest';
import type { Reply } from '../../../src-preload/contract/index.ts';
import { BridgeHandler } from './bridge-handler.ts';
import { DESK_URL, isDeskFrame } from './desk-origin.ts';

const DESK = { url: DESK_URL, parent: null };
const OTHER_SENDERS = [
  null,
  { url: 'https://example.org/', parent: null },
  { url: 'file:///etc/passwd', parent: null },
  { url: DESK_URL, parent: {} },
  { url: '', parent: null },
];

class FakeServer {
  readonly calls: unknown[] = [];
  readonly listeners = new Map<string, (payload: unknown) => void>();
  ended = 0;

  call(name: string, input: unknown): Promise<Reply<unknown>> {
    this.calls.push([name, input]);
    return Promise.resolve({ ok: true, value: 'done' });
  }

  subscribe(topic: string, listener: (payload: unknown) => void): () => void {
    this.listeners.set(topic, listener);
    return () => {
      this.ended += 1;
      this.listeners.delete(topic);
    };
  }
}

function make(): { server: FakeServer; sent: unknown[]; handler: BridgeHandler } {
  const server = new FakeServer();
  const sent: unknown[] = [];
  const handler = new BridgeHandler({
    server,
    deskUrl: DESK_URL,
    send: (topic, payload) => sent.push([topic, payload]),
  });
  return { server, sent, handler };
}

describe('BridgeHandler', () => {
  it('forwards a call of the desk with the validated input', async () => {
    const { server, handler } = make();
    expect(await handler.call(DESK, 'streams.remove', { name: 'cam1', more: 'is dropped' })).toEqual({
      ok: true,
      value: 'done',
    });
    expect(server.calls).toEqual([['streams.remove', { name: 'cam1' }]]);
  });

  it.each(OTHER_SENDERS)('refuses the sender %o', async (frame) => {
    const { server, handler } = make();
    expect(await handler.call(frame, 'streams.list', {})).toMatchObject({ ok: false, error: { code: 'forbidden' } });
    handler.subscribe(frame, 'streams');
    expect(server.calls).toEqual([]);
    expect(server.listeners.size).toBe(0);
  });

  it.each([
    ['no.such.call', {}, 'not_found'],
    ['toString', {}, 'not_found'],
    [7, {}, 'not_found'],
    ['streams.remove', {}, 'bad_request'],
    ['streams.remove', { name: '../etc' }, 'bad_request'],
    ['streams.list', undefined, 'bad_request'],
  ])('refuses %s(%o) with %s', async (name, input, code) => {
    const { server, handler } = make();
    expect(await handler.call(DESK, name, input)).toMatchObject({ ok: false, error: { code } });
    expect(server.calls).toEqual([]);
  });

  it('forwards at most four calls concurrently, and refuses calls beyond the queue', async () => {
    const { server, handler } = make();
    const ends: (() => void)[] = [];
    server.call = (name) => {
      server.calls.push(name);
      return new Promise((resolve) => ends.push(() => resolve({ ok: true, value: name })));
    };
    const replies = Array.from({ length: 100 }, () => handler.call(DESK, 'streams.list', {}));
    const refused = await Promise.race(replies.slice(-1));
    expect(refused).toMatchObject({ ok: false, error: { code: 'too_many_calls' } });
    const isRefused = (reply: Reply<unknown>): boolean => !reply.ok && reply.error.code === 'too_many_calls';
    let maxRunning = 0;
    for (let answered = 0; answered < 64;) {
      await new Promise((resolve) => setImmediate(resolve));
      maxRunning = Math.max(maxRunning, ends.length);
      const end = ends.shift();
      if (end) answered++;
      end?.();
    }
    expect((await Promise.all(replies)).filter(isRefused)).toHaveLength(36);
    expect([server.calls.length, maxRunning <= 4]).toEqual([64, true]);
  });

  it('sends events of known topics until the page unloads', () => {
    const { server, sent, handler } = make();
    handler.subscribe(DESK, 'nonsense');
    handler.subscribe(DESK, 'streams');
    handler.subscribe(DESK, 'streams');
    expect(server.ended).toBe(1);
    server.listeners.get('streams')?.('first');
    expect(sent).toEqual([['streams', 'first']]);
    handler.unsubscribe(DESK, 'streams');
    expect(server.listeners.size).toBe(0);
    handler.subscribe(DESK, 'streams');
    handler.reset();
    expect(server.listeners.size).toBe(0);
  });
});

describe('isDeskFrame', () => {
  it('compares scheme, host and port', () => {
    expect(isDeskFrame({ url: 'http://localhost:5173/page', parent: null }, 'http://localhost:5173/')).toBe(true);
    expect(isDeskFrame({ url: 'http://localhost:5174/', parent: null }, 'http://localhost:5173/')).toBe(false);
    expect(isDeskFrame({ url: 'airdesk://other/index.html', parent: null }, DESK_URL)).toBe(false);
    expect(isDeskFrame({ url: 'file:///x', parent: null }, 'file:///x')).toBe(false);
  });
});
