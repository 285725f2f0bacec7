import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { createSocket, type Socket } from 'node:dgram';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { PushStateObject } from '../../src-preload/contract/api/push-object.ts';
import {
  PACKET_BYTES,
  pcrPosition,
  readFullPcr,
  readPacketHeader,
} from '../../src-main/media/containers/mpegts/packet.ts';
import { AirdeskProcess } from '../helpers/airdesk-process.ts';
import { EncoderProcess } from '../helpers/encoder-process.ts';
import { freeUdpPort } from '../helpers/free-port.ts';
import { markedClip } from '../helpers/marked-clip.ts';
import { until } from '../helpers/until.ts';

// Real receivers of datagrams: ffmpeg by UDP, RTP and multicast, a second Airdesk, and a socket that measures.

const LIMIT_MS = 30_000;
const BITRATE_KBIT = 2000;
/** Number of datagrams of three seconds, of seven packets each. */
const EVEN_DATAGRAMS = Math.round((3 * BITRATE_KBIT * 1000) / (7 * PACKET_BYTES * 8));
const GROUP = '239.255.77.3';

/** Received datagram, and its time in milliseconds. */
interface Arrival {
  readonly atMs: number;
  readonly bytes: Buffer;
}

/** Clock reference in 27 MHz ticks. */
interface Reference {
  readonly packet: number;
  readonly atMs: number;
  readonly ticks: number;
  /** Whether it announces that it does not continue the last one. */
  readonly isAnnounced: boolean;
}

const folder = mkdtempSync(join(tmpdir(), 'airdesk-datagrams-e2e-'));
let server: AirdeskProcess;
let target: AirdeskProcess;
let encoder: EncoderProcess;
let measured: Socket;
const arrivals: Arrival[] = [];
const receivers: { readonly file: string; readonly child: ChildProcess }[] = [];

/** ffmpeg that writes the pictures of an address to a file. */
function receive(name: string, url: string, options: readonly string[] = []): void {
  const file = join(folder, `${name}.ts`);
  const args = [
    '-v',
    'error',
    '-nostdin',
    '-y',
    ...options,
    '-i',
    url,
    '-map',
    '0:v',
    '-c',
    'copy',
    '-f',
    'mpegts',
    file,
  ];
  receivers.push({ file, child: spawn('ffmpeg', args, { stdio: 'ignore' }) });
}

async function pushes(): Promise<readonly PushStateObject[]> {
  const response = await fetch(`${server.url}/mediaserver/api/v3/streams/live%2Fcam/pushes`);
  // The server follows the contract; otherwise the test fails.
  return ((await response.json()) as { pushes: PushStateObject[] }).pushes;
}

function medianOf(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
}

/** Clock references of datagrams, with their packet, counted from the first, and the arrival of its datagram. */
function references(datagrams: readonly Arrival[]): Reference[] {
  return datagrams.flatMap(({ atMs, bytes }, index) => {
    const found: Reference[] = [];
    for (let at = 0; at < bytes.length; at += PACKET_BYTES) {
      const pcrAt = pcrPosition(bytes, at);
      if (pcrAt < 0) continue;
      const isAnnounced = readPacketHeader(bytes, at)?.isDiscontinuity ?? false;
      found.push({ packet: index * 7 + at / PACKET_BYTES, atMs, ticks: readFullPcr(bytes, pcrAt), isAnnounced });
    }
    return found;
  });
}

/** Hashes of the pictures of a file. */
function pictures(file: string): string[] {
  const args = ['-v', 'error', '-i', file, '-map', '0:v', '-f', 'framemd5', '-'];
  const lines = execFileSync('ffmpeg', args, { encoding: 'utf8' }).trim().split('\n');
  return lines.filter((line) => !line.startsWith('#')).map((line) => line.split(',').at(-1)?.trim() ?? '');
}

beforeAll(async () => {
  const [udp, rtp, group, second, port] = await Promise.all([freeUdpPort(), freeUdpPort(2), freeUdpPort(), freeUdpPort(), freeUdpPort()]); // prettier-ignore
  measured = createSocket('udp4');
  measured.on('message', (bytes) => arrivals.push({ atMs: performance.now(), bytes }));
  measured.bind(port, '127.0.0.1');
  await once(measured, 'listening');
  const sdp = join(folder, 'rtp.sdp');
  writeFileSync(sdp, `v=0\no=- 0 0 IN IP4 127.0.0.1\ns=-\nc=IN IP4 127.0.0.1\nt=0 0\nm=video ${rtp} RTP/AVP 33\na=rtpmap:33 MP2T/90000\n`); // prettier-ignore
  target = await AirdeskProcess.start(`stream copy { input udp://127.0.0.1:${second}; }`);
  server = await AirdeskProcess.start(
    `stream live/cam { input publish://;
      push udp://127.0.0.1:${udp};
      push rtp://127.0.0.1:${rtp};
      push udp://${GROUP}:${group} interface=lo ttl=1;
      push udp://127.0.0.1:${second};
      push udp://127.0.0.1:${port} bitrate=${BITRATE_KBIT} pnr=9 pids.pmt=80 pids.video=90;
    }`,
  );
  receive('udp', `udp://127.0.0.1:${udp}?fifo_size=100000`);
  receive('rtp', sdp, ['-protocol_whitelist', 'file,udp,rtp']);
  receive('group', `udp://${GROUP}:${group}?localaddr=127.0.0.1&fifo_size=100000`);
  encoder = EncoderProcess.publish({ url: `${server.rtmpUrl}/live/cam`, isEndless: true }, { seconds: 6 });
}, 120_000);

afterAll(async () => {
  for (const { child } of receivers) child.kill('SIGKILL');
  measured.close();
  await encoder.stop();
  await server.dispose();
  await target.dispose();
  rmSync(folder, { recursive: true, force: true });
});

it('reaches receivers by UDP, RTP and multicast, and a second Airdesk', async () => {
  await until('running pushes', async () => (await pushes()).every(({ state }) => state === 'running'), LIMIT_MS, async () => JSON.stringify(await pushes())); // prettier-ignore
  expect((await pushes()).map(({ bytes_acknowledged }) => bytes_acknowledged)).toEqual([null, null, null, null, null]);
  await target.streamWhere('copy', 'frames', ({ alive, fps }) => alive && fps !== null && fps > 20, LIMIT_MS);
  const copy = await target.stream('copy');
  // Before the stream came, the input may have timed out.
  expect(copy?.problems.map(({ code }) => code).filter((code) => code.startsWith('ts_'))).toEqual([]);
});

it('keeps the constant rate: exact clock references, and datagrams at their times', async () => {
  // Other programs delay the server and this process at times, so datagrams must be in time over some three seconds. Nothing
  // in this process may delay their arrival meanwhile.
  const offsets: string[] = [];
  const isEven = (): boolean => {
    const latest = references(arrivals.slice(-EVEN_DATAGRAMS)).map(({ atMs, ticks }) => atMs - ticks / 27_000);
    offsets.push(latest.map((offset) => Math.round(offset - Math.min(...latest))).join(' '));
    return medianOf(latest) - Math.min(...latest) <= 40;
  };
  const tried = (): string => offsets.join('\n');
  for (let count = 2 * EVEN_DATAGRAMS, isDone = false; !isDone; count += EVEN_DATAGRAMS) {
    await until('datagrams', () => arrivals.length >= count, LIMIT_MS, tried);
    isDone = isEven();
    if (count > 10 * EVEN_DATAGRAMS) expect(isDone, tried()).toBe(true);
  }
  const clocks = references(arrivals);
  let first = clocks[0];
  for (const [index, clock] of clocks.entries()) {
    const stepTicks = clock.ticks - (clocks[index - 1] ?? clock).ticks;
    // The server skips a long delay of its own.
    if (clock.isAnnounced) first = clock;
    else expect(stepTicks).toBeLessThanOrEqual(40 * 27_000);
    const exact = ((clock.packet - (first?.packet ?? 0)) * PACKET_BYTES * 8 * 27_000) / BITRATE_KBIT;
    // 500 ns.
    expect(Math.abs(clock.ticks - (first?.ticks ?? 0) - exact)).toBeLessThanOrEqual(13.5);
  }
});

it('sends every picture unchanged', async () => {
  const sent = pictures(markedClip({ seconds: 6 }));
  for (const { child, file } of receivers) {
    const ended = once(child, 'exit');
    child.kill('SIGINT');
    await ended;
    // ffmpeg may be stopped within the last picture.
    const seen = pictures(file).slice(0, -1);
    expect(seen.length, file).toBeGreaterThan(50);
    // The clip is endless: what arrived is a part of its repetition.
    const endless = Array.from({ length: Math.ceil(seen.length / sent.length) + 1 }, () => sent).flat();
    expect(endless.join(' '), file).toContain(seen.join(' '));
  }
}, 60_000);
