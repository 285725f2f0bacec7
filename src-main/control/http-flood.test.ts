import { createServer, request, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, it } from 'vitest';
import { until } from '../../tests/helpers/until.ts';
import { HttpPublishEndpoint } from '../delivery/http-publish-endpoint.ts';
import { Channel, type Silence } from '../lib/channel/channel.ts';
import type { FeedMessage } from '../lib/channel/feeds.ts';
import { publishByHttp } from '../engine/http-publish.ts';
import type { PublishAnswer, ToMediaThread } from '../engine/messages.ts';
import { systemClock } from '../lib/clock.ts';

interface HttpTable extends Silence {
  readonly feeds: ToMediaThread['feeds'];
}

const MIB = 1024 * 1024;
const SENT_BYTES = 40 * MIB;
const LIMIT_MS = 20_000;
let server: Server;

afterEach(() => {
  server.closeAllConnections();
  server.close();
});

it('an encoder that sends faster than its media thread reads is slowed down by its socket', async () => {
  // A media thread that is not attached at first and busy later, so that posted messages stay in memory.
  const engine = new Channel<HttpTable, Silence>(systemClock, { calls: {}, feeds: {}, subscriptions: {}, events: {} });
  let readBytes = 0;
  const thread = new Channel<Silence, HttpTable>(systemClock, {
    calls: {},
    feeds: {
      'http-publish': () => ({
        take: (bytes) => {
          // The bytes do not keep a larger buffer alive.
          expect(bytes.buffer.byteLength).toBe(bytes.length);
          readBytes += bytes.length;
        },
        ended: () => {},
      }),
    },
    subscriptions: {},
    events: {},
  });
  const posted: FeedMessage[] = [];
  let bytes = 0;
  let receive: (message: unknown) => void = () => {};
  let answer: (message: unknown) => void = () => {};
  let pushed = 0;
  const endpoint = new HttpPublishEndpoint<PublishAnswer>({
    isExternal: () => false,
    // The stream has no reader here.
    decide: (_request, accept) => {
      const accepted = { accepted: true, stream: {} } as PublishAnswer & { accepted: true };
      accept(accepted);
      return Promise.resolve(accepted);
    },
    open: (request, { stream }, port) => {
      const feed = publishByHttp(engine, { request, stream }, port);
      return {
        ...feed,
        push: (chunk) => {
          pushed += chunk.length;
          return feed.push(chunk);
        },
      };
    },
  });
  server = createServer((incoming, response) => endpoint.take(incoming, response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const encoder = request({ port, host: '127.0.0.1', method: 'POST', path: '/live/flood/mpegts' });
  encoder.on('error', () => {});
  let accepted = 0;
  for (; accepted < SENT_BYTES; accepted += MIB) encoder.write(Buffer.alloc(MIB));
  encoder.end();

  await until('the credit of the encoder to be used up', () => pushed >= MIB - 64 * 1024, LIMIT_MS);
  // No more bytes arrive in many turns of the event loop.
  for (let turn = 0; turn < 200; turn++) await new Promise((resolve) => setImmediate(resolve));
  expect(pushed).toBeLessThan(MIB + 256 * 1024);

  // The thread is attached and takes the queued bytes. The rest follows, never more than the credit at a time.
  engine.attach({
    post: (message) => {
      // Channels send no other messages.
      const feedMessage = message as FeedMessage;
      posted.push(feedMessage);
      if (feedMessage[0] === 'item') bytes += (feedMessage[2] as Uint8Array).length;
    },
    onMessage: (listener) => {
      answer = listener;
    },
    close() {},
  });
  thread.attach({
    post: (message) => {
      answer(message);
    },
    onMessage: (listener) => {
      receive = listener;
    },
    close() {},
  });
  await until(
    'all bytes',
    () => {
      expect(bytes - readBytes).toBeLessThan(MIB + 256 * 1024);
      for (const message of posted.splice(0)) receive(message);
      return readBytes === SENT_BYTES;
    },
    LIMIT_MS,
  );
});
