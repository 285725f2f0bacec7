import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { serialize } from 'node:v8';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { until } from '../../tests/helpers/until.ts';
import { FEED_HEADER_BYTES, FeedKind, FeedReader, writeFeedHeader } from '../lib/feed/feed-record.ts';
import { JobConnection } from './job-connection.ts';

const LIMIT_MS = 15_000;
let folder: string;
let server: Server;
let path: string;
/** Bytes that the owner received, and the owner's end of the connection. */
let ownerReceived: Buffer[];
let owner: Promise<Socket>;

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'airdesk-jobs-'));
  path = process.platform === 'win32' ? `\\\\.\\pipe\\airdesk-jobs-${process.pid}` : join(folder, 'jobs');
  ownerReceived = [];
  server = createServer();
  owner = new Promise((resolve) => {
    server.once('connection', (socket) => {
      socket.on('data', (bytes) => ownerReceived.push(bytes));
      socket.on('error', () => undefined);
      resolve(socket);
    });
  });
  await new Promise<void>((resolve) => server.listen(path, resolve));
});

afterEach(async () => {
  (await owner).destroy();
  await new Promise((resolve) => server.close(resolve));
  rmSync(folder, { recursive: true });
});

function record(kind: number, data: Buffer): Buffer {
  const header = Buffer.alloc(FEED_HEADER_BYTES);
  writeFeedHeader(header, {
    kind: kind as FeedKind,
    streamIndex: 0,
    dtsTicks: NaN,
    ptsTicks: NaN,
    dataBytes: data.length,
  });
  return Buffer.concat([header, data]);
}

const message = (value: unknown): Buffer => record(FeedKind.message, serialize(value));

/** A connection whose other end is `owner`. */
function openConnection(): {
  readonly connection: JobConnection;
  readonly received: unknown[];
  readonly closed: () => boolean;
} {
  const received: unknown[] = [];
  let isClosed = false;
  const opened = JobConnection.connect(
    path,
    'secret',
    (value) => received.push(value),
    () => {
      isClosed = true;
    },
  );
  return { connection: opened, received, closed: () => isClosed };
}

it('JobConnection sends the token first, then all messages, and then closes', async () => {
  const { connection: sender, closed } = openConnection();
  const large = Buffer.alloc(1_000_000, 7);
  for (const value of [{ id: 1, pixels: large }, ['two'], 3]) sender.send(value);
  sender.close();
  sender.send('after the end');
  await until('the close of the connection', closed, LIMIT_MS);
  const reader = new FeedReader();
  reader.push(Buffer.concat(ownerReceived));
  const hello = reader.next();
  expect([hello?.kind, hello?.data.toString()]).toEqual([FeedKind.hello, 'secret']);
  const sizes = [];
  for (let next = reader.next(); next; next = reader.next()) sizes.push([next.kind, next.dataBytes > large.length]);
  expect(sizes).toEqual([
    [FeedKind.message, true],
    [FeedKind.message, false],
    [FeedKind.message, false],
  ]);
});

it('JobConnection receives messages in pieces of any size, in order', async () => {
  const { received } = openConnection();
  const values = [{ id: 1, text: 'ä' }, null, [new Uint8Array([1, 2])], 'last'];
  const bytes = Buffer.concat(values.map(message));
  const socket = await owner;
  for (let at = 0; at < bytes.length; at += 7) {
    socket.write(bytes.subarray(at, at + 7));
    await new Promise(setImmediate);
  }
  await until('all messages', () => received.length === values.length, LIMIT_MS);
  expect(received).toEqual(values);
});

it.each([
  ['bytes that are no message', record(FeedKind.message, Buffer.from('no value'))],
  ['a record of another kind', record(FeedKind.unit, serialize('media'))],
  ['a record of no kind', record(99, Buffer.alloc(0))],
])('JobConnection closes at %s, and ignores messages after it', async (_name, bad) => {
  const { received, closed } = openConnection();
  (await owner).write(Buffer.concat([message('before'), bad, message('after')]));
  await until('the close of the connection', closed, LIMIT_MS);
  expect(received).toEqual(['before']);
});

it('JobConnection reports that the other side closed the connection', async () => {
  const { closed } = openConnection();
  (await owner).destroy();
  await until('the close of the connection', closed, LIMIT_MS);
});

it('JobConnection receives messages that were sent before it took the socket', async () => {
  const { connection: sender } = openConnection();
  const reader = new FeedReader();
  const [first, second] = [message('first'), message('second')];
  reader.push(Buffer.concat([first, second.subarray(0, 9)]));
  const received: unknown[] = [];
  const accepted = new JobConnection(
    await owner,
    reader,
    (value) => received.push(value),
    () => undefined,
  );
  expect(received).toEqual(['first']);
  accepted.close();
  sender.close();
});
