import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { once } from 'node:events';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import { until } from '../../tests/helpers/until.ts';
import type { Operators } from '../operators/operators.ts';
import { WINDOW_USER, type Caller } from '../operators/caller.ts';
import { FakeClock } from '../../tests/helpers/fake-clock.ts';
import type { DeskCalls } from './desk-connection.ts';
import { deskSocket } from './desk-socket.ts';

const ANSWER = 'x'.repeat(256 * 1024);
// Part of the operators that the socket uses.
const access = {
  isCrossSitePage: () => false,
  identify: () => Promise.resolve(caller),
  onChange: () => () => undefined,
  onPersonChange: (listener: (login: string) => void) => {
    personChanged = listener;
    return () => undefined;
  },
  sessions: { onEnd: () => () => undefined },
} as unknown as Operators;

let caller: Caller;
let personChanged: (login: string) => void;
let server: Server;
let desk: { calls: number; running: number; maxRunning: number; snapshots: number; ended: number };
let replies: { readonly id: number; readonly reply: { readonly ok: boolean; readonly error?: { code: string } } }[];

beforeEach(async () => {
  caller = WINDOW_USER;
  desk = { calls: 0, running: 0, maxRunning: 0, snapshots: 0, ended: 0 };
  replies = [];
  const calls: DeskCalls = {
    async call() {
      desk.calls++;
      desk.maxRunning = Math.max(desk.maxRunning, ++desk.running);
      await new Promise((resolve) => setImmediate(resolve));
      desk.running--;
      return { ok: true, value: ANSWER };
    },
    subscribe(_, listener) {
      desk.snapshots++;
      listener({ text: ANSWER });
      return () => desk.ended++;
    },
  };
  server = createServer();
  deskSocket(server, calls, access, new FakeClock());
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
});

afterEach(() => {
  server.close();
});

async function connect(): Promise<WebSocket> {
  const socket = new WebSocket(`ws://127.0.0.1:${(server.address() as AddressInfo).port}/-/bridge`);
  await once(socket, 'open');
  socket.on('message', (data: Buffer) => {
    const message = JSON.parse(data.toString()) as { kind: string; id: number; reply: { ok: boolean } };
    if (message.kind === 'reply') replies.push(message);
  });
  return socket;
}

function flood(socket: WebSocket, count: number, message: (id: number) => object): void {
  for (let id = 1; id <= count; id++) socket.send(JSON.stringify(message(id)));
}

const list = (id: number): object => ({ kind: 'call', id, name: 'streams.list', input: {} });

describe('the desk of a person', () => {
  it('is closed for reconnection when the rights of the person change, and executes no more calls', async () => {
    caller = { ...WINDOW_USER, who: 'anna' };
    const socket = await connect();
    const other = await connect();
    personChanged('someone else');
    flood(socket, 1, list);
    await until('the answer', () => replies.length === 1, 30_000);
    personChanged('anna');
    flood(socket, 3, list);
    const [code] = (await once(socket, 'close')) as [number];
    expect([code, desk.calls]).toEqual([1012, 1]);
    other.terminate();
  });
});

describe('a desk that sends too many messages', () => {
  it('has at most four calls in progress; the rest is refused with too_many_calls', async () => {
    const socket = await connect();
    flood(socket, 2000, list);
    await until('every call has its answer', () => replies.length === 2000, 30_000);
    const refused = replies.filter(({ reply }) => !reply.ok);
    expect(new Set(refused.map(({ reply }) => reply.error?.code))).toEqual(new Set(['too_many_calls']));
    expect(desk.calls + refused.length).toBe(2000);
    expect(refused.length).toBeGreaterThan(100);
    expect(desk.maxRunning).toBeLessThanOrEqual(4);
    socket.terminate();
  });

  it('receives only a few answers until it reads them', async () => {
    const socket = await connect();
    socket.pause();
    flood(socket, 500, list);
    // The number of calls is stable once the answers fill the buffers between server and client.
    let before = -1;
    await until(
      'a stable number of calls',
      async () => {
        const isStill = before === desk.calls && desk.calls > 0;
        before = desk.calls;
        await new Promise((resolve) => setTimeout(resolve, 100));
        return isStill;
      },
      30_000,
    );
    expect(desk.calls).toBeLessThan(64);
    socket.resume();
    await until('every call has its answer', () => replies.length === 500, 30_000);
    socket.terminate();
  });

  it('receives one snapshot for many subscriptions, and none after it unsubscribes', async () => {
    const socket = await connect();
    flood(socket, 200, () => ({ kind: 'subscribe', topic: 'streams' }));
    flood(socket, 1, list);
    await until('the first answer', () => replies.length === 1, 30_000);
    expect(desk.snapshots).toBe(1);
    flood(socket, 300, (id) => ({ kind: id % 2 === 0 ? 'unsubscribe' : 'subscribe', topic: 'events' }));
    flood(socket, 1, list);
    await until('the second answer', () => replies.length === 2, 30_000);
    socket.terminate();
    await until('every subscription ended', () => desk.ended === desk.snapshots, 30_000);
  });

  it.each([
    ['of a read-only desk', false, 100_000],
    ['of a desk that sends configuration texts', true, 5_000_000],
  ])('is disconnected when a message is longer than any call %s', async (_, mayWrite, length) => {
    caller = { ...WINDOW_USER, mayWrite };
    const socket = await connect();
    socket.send(JSON.stringify({ ...list(1), more: 'x'.repeat(length) }));
    const [code] = (await once(socket, 'close')) as [number];
    expect([code, desk.calls]).toEqual([1009, 0]);
  });
});
