import { once } from 'node:events';
import { afterAll, expect, it } from 'vitest';
import { systemClock } from '../../lib/clock.ts';
import { FeedKind } from '../../lib/feed/feed-record.ts';
import { type ConnectedFeed, FeedServer } from '../../lib/feed/feed-server.ts';
import { FeedWriter } from './feed-writer.ts';

const feeds = new FeedServer(systemClock);
afterAll(() => feeds.close());

it('a feed with a slow reader loses nothing and keeps the order', async () => {
  const connected = Promise.withResolvers<ConnectedFeed>();
  const { path, token } = await feeds.expect((feed) => {
    connected.resolve(feed);
  });
  const writer = await FeedWriter.connect(path, token, () => undefined);
  const { socket, reader } = await connected.promise;
  // The reader reads nothing yet: the system buffers the first bytes, and the socket queues the rest.
  for (let count = 0; count < 100; count++) {
    writer.unit(count % 3, count, count, Buffer.alloc(30_000, count));
    if (count % 7 === 0) writer.flush();
  }
  expect(writer.room()).toBeDefined();
  const found: [number, number, boolean][] = [];
  socket.on('data', (bytes: Buffer) => {
    reader.push(bytes);
    for (let record = reader.next(); record; record = reader.next()) {
      if (record.kind !== FeedKind.unit) continue;
      const { streamIndex, dtsTicks, data } = record;
      found.push([streamIndex, dtsTicks, data.length === 30_000 && data.every((byte) => byte === dtsTicks)]);
    }
  });
  socket.resume();
  const ended = once(socket, 'end');
  await writer.close();
  await ended;
  expect(found).toEqual(Array.from({ length: 100 }, (_, count) => [count % 3, count, true]));
});
