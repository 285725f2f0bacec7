import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { FakeClock } from '../../tests/helpers/fake-clock.ts';
import { ffmpeg, testSources } from '../../tests/helpers/ffmpeg-media.ts';
import { freeUdpPort } from '../../tests/helpers/free-port.ts';
import { until } from '../../tests/helpers/until.ts';
import { systemClock } from '../lib/clock.ts';
import { type ConnectedFeed, FeedServer } from '../lib/feed/feed-server.ts';
import { silentLog } from '../lib/log.ts';
import type { ReadUrlInput } from './jobs/read-url.ts';
import { type UrlReader, UrlReaders } from './url-readers.ts';

/** Maximum start time of a process on a busy machine, in milliseconds. */
const PICTURE_TIMEOUT_MS = 60_000;
const entry = new URL('../codec-process.ts', import.meta.url);
const feeds = new FeedServer(systemClock);
const peers: ChildProcess[] = [];
let clock: FakeClock;
let readers: UrlReaders;
let stream: Buffer;

beforeAll(() => {
  const coding = ['-c:v', 'libx264', '-preset', 'ultrafast', '-g', '25', '-c:a', 'aac'];
  stream = ffmpeg([...testSources(4, 1), ...coding, '-f', 'mpegts']);
});
afterEach(async () => {
  for (const peer of peers.splice(0)) peer.kill('SIGKILL');
  await readers.close();
});
afterAll(() => feeds.close());

/** A URL reader whose feed records are counted. */
interface Reading {
  readonly reader: UrlReader;
  readonly feed: Promise<ConnectedFeed>;
  bytes: number;
  /** Newest record. */
  last: string;
  /** Reasons for which callers were refused. */
  readonly refused: readonly string[];
}

async function open(options: Pick<ReadUrlInput, 'url' | 'kind' | 'options'>): Promise<Reading> {
  clock = new FakeClock();
  readers = new UrlReaders({ entry, clock, log: silentLog, cacheFolder: '/nowhere' });
  const connected = Promise.withResolvers<ConnectedFeed>();
  const refused: string[] = [];
  const reading = { feed: connected.promise, bytes: 0, last: '', refused };
  const { path, token } = await feeds.expect((feed) => {
    feed.socket.on('data', (bytes: Buffer) => {
      reading.bytes += bytes.length;
      reading.last = bytes.toString('latin1');
    });
    feed.socket.resume();
    connected.resolve(feed);
  });
  const reader = readers.open({ ...options, loop: false, openTimeoutMs: 0, feed: { path, token } }, ({ detail }) =>
    refused.push(detail),
  );
  return Object.assign(reading, { reader });
}

/** Ends a reading like an input does. */
async function close({ reader, feed }: Reading): Promise<void> {
  (await feed).socket.destroy();
  reader.close();
}

/** Reports whether a UDP port is in use (proc_pid_net(5)). */
function isBound(port: number): boolean {
  return readFileSync('/proc/net/udp', 'latin1').includes(`:${port.toString(16).toUpperCase().padStart(4, '0')} `);
}

/** A listening reader with one caller. */
async function listen(passphrase: string): Promise<Reading> {
  const port = await freeUdpPort();
  const reading = await open({
    kind: 'srt',
    url: `srt://127.0.0.1:${port}`,
    options: { mode: 'listener', passphrase, latencyMs: 20 },
  });
  await until('an open listener', () => isBound(port), PICTURE_TIMEOUT_MS);
  call(port, passphrase);
  return reading;
}

/** Starts ffmpeg as an SRT caller that sends its data and then stays silent with an open connection. */
function call(port: number, passphrase: string | undefined): void {
  const secret = passphrase === undefined ? [] : ['-passphrase', passphrase];
  const output = ['-f', 'mpegts', ...secret, `srt://127.0.0.1:${port}?mode=caller`];
  const peer = spawn(
    'ffmpeg',
    ['-v', 'error', '-analyzeduration', '1M', '-f', 'mpegts', '-i', '-', '-c', 'copy', ...output],
    {
      stdio: ['pipe', 'ignore', 'inherit'],
    },
  );
  peers.push(peer);
  // A refused caller leaves before it has read all of its input.
  peer.stdin?.on('error', () => undefined).write(stream);
}

/** An RTSP server that sends ten seconds of pictures at once, and then stays silent with an open connection. */
async function silentCamera(): Promise<string> {
  const sdp = [
    'v=0',
    'o=- 0 0 IN IP4 127.0.0.1',
    's=x',
    't=0 0',
    'm=video 0 RTP/AVP 96',
    'a=rtpmap:96 H264/90000',
    'a=control:track1',
    '',
  ].join('\r\n');
  const server = createServer((socket) => {
    socket.on('error', () => undefined);
    socket.on('data', (data) => {
      const request = data.toString();
      const answer = [`CSeq: ${/CSeq: (\d+)/.exec(request)?.[1] ?? '1'}`, 'Session: 1'];
      const isDescribe = request.startsWith('DESCRIBE');
      if (isDescribe) answer.push('Content-Type: application/sdp', `Content-Length: ${sdp.length}`);
      if (request.startsWith('SETUP')) answer.push('Transport: RTP/AVP/TCP;unicast;interleaved=0-1');
      socket.write(`RTSP/1.0 200 OK\r\n${answer.join('\r\n')}\r\n\r\n${isDescribe ? sdp : ''}`);
      if (request.startsWith('PLAY')) for (let count = 0; count < 250; count++) socket.write(picture(count));
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  server.unref();
  return `rtsp://127.0.0.1:${(server.address() as AddressInfo).port}/x`;
}

/** An RTP packet (RFC 3550, 5.1) with one slice, interleaved in an RTSP connection (RFC 2326, 10.12). */
function picture(count: number): Buffer {
  const packet = Buffer.alloc(4 + 12 + 40, 0x55);
  packet.writeUInt16BE(0x2400, 0);
  packet.writeUInt16BE(packet.length - 4, 2);
  packet.writeUInt16BE(0x80e0, 4);
  packet.writeUInt16BE(count, 6);
  packet.writeUInt32BE(count * 3600, 8);
  packet.writeUInt32BE(7, 12);
  packet[16] = 0x61;
  return packet;
}

describe('UrlReader', () => {
  it('passes on SRT data, and ends at once while the other side is silent', async () => {
    const reading = await listen('a passphrase#1');
    await until('the sent bytes', () => reading.bytes > stream.length / 2, PICTURE_TIMEOUT_MS);
    await close(reading);
    // The reader ends by itself instead of being killed: no time passes here.
    expect(await reading.reader.ended).toBeUndefined();
  });

  it('reports that the other side of SRT closed the connection', async () => {
    const reading = await listen('a passphrase');
    await until('the sent bytes', () => reading.bytes > stream.length / 2, PICTURE_TIMEOUT_MS);
    peers[0]?.stdin?.end();
    await until('the end of the feed', () => reading.last.includes('input_ended'), PICTURE_TIMEOUT_MS);
    expect(await reading.reader.ended).toBeUndefined();
  });

  it('passes on SRT data with a passphrase that an address cannot contain', async () => {
    const reading = await listen('a+passphrase&more');
    await until('the sent bytes', () => reading.bytes > stream.length / 2, PICTURE_TIMEOUT_MS);
  });

  it.each([
    ['not the same', 'The passphrase of an SRT caller is wrong'],
    [undefined, 'Only one side uses a passphrase: either the SRT caller or the input'],
  ])('reports an SRT caller that it refuses, and continues to wait: %s', async (passphrase, detail) => {
    const port = await freeUdpPort();
    const options = { mode: 'listener', passphrase: 'a passphrase' } as const;
    const reading = await open({ kind: 'srt', url: `srt://127.0.0.1:${port}`, options });
    await until('an open listener', () => isBound(port), PICTURE_TIMEOUT_MS);
    call(port, passphrase);
    await until('the refusal', () => reading.refused.length > 0, PICTURE_TIMEOUT_MS);
    expect(reading.refused).toEqual([detail]);
    call(port, options.passphrase);
    await until('the sent bytes', () => reading.bytes > stream.length / 2, PICTURE_TIMEOUT_MS);
  });

  it('ends at once while waiting for an SRT caller', async () => {
    const port = await freeUdpPort();
    const reading = await open({ kind: 'srt', url: `srt://127.0.0.1:${port}`, options: { mode: 'listener' } });
    await until('an open listener', () => isBound(port), PICTURE_TIMEOUT_MS);
    await close(reading);
    expect(await reading.reader.ended).toBeUndefined();
  });

  it('ends soon while an RTSP server is silent in the middle of a read', async () => {
    const reading = await open({ kind: 'rtsp', url: await silentCamera(), options: {} });
    // The last picture waits for the next picture.
    await until('200 pictures', () => reading.bytes > 200 * 40, PICTURE_TIMEOUT_MS);
    await close(reading);
    clock.advance(300);
    await reading.reader.ended;
    expect(readers.stats).toMatchObject({ processes: 0, crashed: 0 });
  });
});
