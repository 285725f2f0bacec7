import { createServer, type Server } from 'node:http';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { gzipSync } from 'node:zlib';
import { PidOutput, PacketOutput } from '../../src-main/media/containers/mpegts/packet-output.ts';
import { writePat } from '../../src-main/media/containers/mpegts/pat.ts';
import { writePmt } from '../../src-main/media/containers/mpegts/pmt.ts';
import type { AirdeskProcess } from './airdesk-process.ts';
import { RtmpEncoder } from './rtmp-encoder.ts';

// Attacks on a server. Each is limited in number and time, and is the same in every run.

/** Pseudo-random numbers, the same in every run (xorshift32). @param seed must not be 0 */
function seededNumbers(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) % below;
  };
}

/**
 * Hostile HLS origin: a playlist whose variables expand to a huge text at `/bomb.m3u8`, and a playlist of spaces at
 * `/spaces.m3u8`.
 */
export class HostileOrigin {
  readonly #server: Server;
  /** Requests that were answered. */
  requests = 0;

  private constructor() {
    const bomb = gzipSync(bombPlaylist());
    const spaces = spacesPlaylist();
    this.#server = createServer((request, response) => {
      this.requests++;
      const isBomb = request.url?.startsWith('/bomb') === true;
      response.writeHead(200, {
        'content-type': 'application/vnd.apple.mpegurl',
        ...(isBomb ? { 'content-encoding': 'gzip' } : {}),
      });
      response.end(isBomb ? bomb : spaces);
    });
  }

  static async start(): Promise<HostileOrigin> {
    const origin = new HostileOrigin();
    await new Promise<void>((resolve) => origin.#server.listen(0, '127.0.0.1', resolve));
    return origin;
  }

  /** Address of a playlist as a stream input. */
  input(name: 'bomb' | 'spaces'): string {
    return `hls://127.0.0.1:${(this.#server.address() as AddressInfo).port}/${name}.m3u8`;
  }

  close(): void {
    this.#server.closeAllConnections();
    this.#server.close();
  }
}

function bombPlaylist(): string {
  const value = 'a'.repeat(100_000);
  const line = '{$a}'.repeat(1000);
  return `#EXTM3U\n#EXT-X-VERSION:8\n#EXT-X-TARGETDURATION:2\n#EXT-X-DEFINE:NAME="a",VALUE="${value}"\n${`#EXTINF:2,\n${line}\n`.repeat(400)}`;
}

function spacesPlaylist(): string {
  return `#EXTM3U\n#EXT-X-TARGETDURATION:2\n#EXT-X-KEY:METHOD=${' '.repeat(20_000)}\n#EXTINF:2,\na.ts\n`;
}

/** Transport stream that contains only program maps, each with 200 different streams. */
export function flippingMaps(count: number): Buffer {
  const output = new PacketOutput();
  const head = { isCurrent: true, sectionNumber: 0, lastSectionNumber: 0 };
  const maps = new PidOutput(256, 0);
  output.section(
    new PidOutput(0, 0),
    writePat({ ...head, transportStreamId: 1, version: 0, programs: [{ programNumber: 1, pmtPid: 256 }] }),
    true,
  );
  for (let at = 0; at < count; at++) {
    const first = at % 2 === 0 ? 1000 : 3000;
    const streams = Array.from({ length: 200 }, (_, index) => ({
      streamType: 0x0f,
      pid: first + index,
      descriptors: [],
    }));
    const version = at % 32;
    output.section(
      maps,
      writePmt({ ...head, programNumber: 1, version, pcrPid: 0x1fff, descriptors: [], streams }),
      true,
    );
  }
  return output.take();
}

/** Publishes over HTTP under different names; returns the number of accepted publishers. */
export async function floodNames(server: AirdeskProcess, prefix: string, count: number): Promise<number> {
  let accepted = 0;
  await inTurns(count, 50, async (index) => {
    const response = await fetch(`${server.url}/${prefix}/n${index}/mpegts`, {
      method: 'POST',
      body: new Uint8Array(188 * 7).fill(0x47),
    }).catch(() => undefined);
    if (response?.ok) accepted++;
    await response?.arrayBuffer();
  });
  return accepted;
}

/** RTMP connections that announce a message of 16 MiB and send only its first bytes. The caller closes them. */
export async function halfMessages(port: number, count: number, bytes: number): Promise<Socket[]> {
  const sockets: Socket[] = [];
  for (let index = 0; index < count; index++) {
    const encoder = await RtmpEncoder.connect(port);
    sockets.push(encoder.socket);
    encoder.greet();
    // Set Chunk Size of 16 MiB (5.4.1), then the start of a video message of that size.
    const size = Buffer.from([2, 0, 0, 0, 0, 0, 4, 1, 0, 0, 0, 0, 0x00, 0xff, 0xff, 0xff]);
    const head = Buffer.from([4, 0, 0, 0, 0xff, 0xff, 0xff, 9, 1, 0, 0, 0]);
    encoder.socket.write(Buffer.concat([size, head, Buffer.alloc(bytes)]));
  }
  return sockets;
}

const DRIP = 'HTTP/1.1\r\nHost: 127.0.0.1\r\n';
/**
 * Starts of slow requests: the head of a first request, the body of an API request, the head of a second request, and
 * the body of a publisher.
 */
const DRIPPING: readonly string[] = [
  `POST /live/drip/mpegts ${DRIP}X: `,
  `PUT /mediaserver/api/v3/streams/drip ${DRIP}Content-Type: application/json\r\nContent-Length: 1000000\r\n\r\n{`,
  `GET /-/time ${DRIP}\r\nGET /-/time ${DRIP}X: `,
  `POST /live/drip/mpegts ${DRIP}Content-Length: 1000000\r\n\r\nG`,
];
const DRIP_MS = 1000;

/**
 * Connections that send their request at one byte per second, and never complete it. They stay open until the server or the
 * caller closes them.
 */
export async function drippingRequests(url: string, count: number): Promise<Socket[]> {
  const { hostname, port } = new URL(url);
  const sockets: Socket[] = [];
  await inTurns(count, 100, async (index) => {
    const socket = connect({ host: hostname, port: Number(port) });
    socket.on('error', () => {}).resume();
    sockets.push(socket);
    await new Promise<void>((resolve) => socket.once('connect', resolve).once('close', () => resolve()));
    socket.write(DRIPPING[index % DRIPPING.length] ?? '');
    const drip = setInterval(() => socket.write(' '), DRIP_MS);
    socket.once('close', () => {
      clearInterval(drip);
    });
  });
  return sockets;
}

/** Sends requests that no client would send; returns the number of 5xx replies and of missing replies. */
export async function malformedRequests(
  url: string,
  count: number,
  seed: number,
): Promise<{ failed: number; silent: number }> {
  const next = seededNumbers(seed);
  const parts = [
    'GET',
    'POST',
    ' ',
    '/',
    '//',
    '%00',
    '%5c',
    '..',
    '\0',
    '\n',
    '\r\n',
    'HTTP/1.1',
    ':',
    'Host',
    'a'.repeat(300),
  ];
  let failed = 0;
  let silent = 0;
  await inTurns(count, 20, async () => {
    const middle = Array.from({ length: 1 + next(12) }, () => parts[next(parts.length)]).join('');
    const answer = await rawAnswer(url, `GET ${middle}\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n`);
    if (answer === '') silent++;
    else if (/^HTTP\/1\.1 5/.test(answer)) failed++;
  });
  return { failed, silent };
}

function rawAnswer(url: string, text: string): Promise<string> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve) => {
    let answer = '';
    const socket = connect({ host: hostname, port: Number(port) }, () => socket.end(text));
    socket.setTimeout(5000, () => socket.destroy());
    socket.on('data', (bytes) => (answer += bytes.toString('latin1')));
    socket.on('error', () => {});
    socket.on('close', () => {
      resolve(answer);
    });
  });
}

/** Requests a playlist with invented tokens. */
export async function inventedTokens(server: AirdeskProcess, path: string, count: number): Promise<void> {
  await inTurns(count, 60, async (index) => {
    const response = await fetch(`${server.url}${path}?token=invented-${index}`, { redirect: 'manual' }).catch(
      () => undefined,
    );
    await response?.arrayBuffer();
  });
}

/** Tries passwords for publishing; returns the number of accepted connections. */
export async function guessedPasswords(server: AirdeskProcess, stream: string, count: number): Promise<number> {
  let accepted = 0;
  await inTurns(count, 20, async (index) => {
    const response = await fetch(`${server.url}/${stream}/mpegts?password=guess-${index}`, {
      method: 'POST',
      body: new Uint8Array(188).fill(0x47),
    }).catch(() => undefined);
    if (response?.ok) accepted++;
    await response?.arrayBuffer();
  });
  return accepted;
}

/** Sends bridge calls on one connection, all at once; resolves with the number of replies when no more replies arrive. */
export async function bridgeFlood(server: AirdeskProcess, count: number): Promise<number> {
  const socket = new WebSocket(`${server.url.replace('http', 'ws')}/-/bridge`);
  let replies = 0;
  await new Promise<void>((resolve) => {
    socket.addEventListener('error', () => resolve());
    socket.addEventListener('close', () => resolve());
    socket.addEventListener('message', () => {
      if (++replies >= count) resolve();
    });
    socket.addEventListener('open', () => {
      for (let id = 1; id <= count; id++)
        socket.send(JSON.stringify({ kind: 'call', id, name: 'streams.list', input: {} }));
    });
  });
  socket.close();
  return replies;
}

/** Runs `work` for 0 to count - 1, with at most `atOnce` calls at a time. */
async function inTurns(count: number, atOnce: number, work: (index: number) => Promise<void>): Promise<void> {
  let next = 0;
  const run = async (): Promise<void> => {
    for (let index = next++; index < count; index = next++) await work(index);
  };
  await Promise.all(Array.from({ length: Math.min(atOnce, count) }, run));
}
