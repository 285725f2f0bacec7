import { because } from '../../../src-preload/contract/explanations/explanations.ts';
import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { connect as connectPlain } from 'node:net';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { connect } from 'node:tls';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { makeFiles, probeMade } from '../../../tests/helpers/made-media.ts';
import { TestGate } from '../../../tests/helpers/publisher-port.ts';
import type { SeenPublisher } from '../../../tests/helpers/publisher-port.ts';
import { makeTestCertificate } from '../../../tests/helpers/test-certificate.ts';
import { FakeClock } from '../../../tests/helpers/fake-clock.ts';
import { RtmpServer } from './rtmp-server.ts';

const run = promisify(execFile);
const folder = mkdtempSync(join(tmpdir(), 'airdesk-rtmp-'));
const SOURCE = ['-f', 'lavfi', '-i', 'testsrc2=size=320x180:rate=25', '-f', 'lavfi', '-i', 'sine=sample_rate=48000'];
const PUBLISH_FILE = fileURLToPath(new URL('../../../tests/helpers/publish-file.ts', import.meta.url));
const H264 = ['-c:v', 'libx264', '-preset', 'ultrafast', '-g', '25'];

let gate: TestGate;
let server: RtmpServer;

afterAll(() => rmSync(folder, { recursive: true }));

beforeEach(async () => {
  gate = new TestGate();
  server = new RtmpServer({ port: 0, host: '127.0.0.1', gate, clock: new FakeClock() });
  await server.start();
});

afterEach(() => server.close());

describe('RTMPS', () => {
  it('accepts ffmpeg, also after the certificate was renewed', async () => {
    const [first, second] = ['first', 'second'].map((name) => {
      const { cert, key } = makeTestCertificate(folder, name);
      return { cert: cert.toString(), key: key.toString() };
    });
    if (!first || !second) throw new Error('no certificates');
    const secure = new RtmpServer({ port: 0, host: '127.0.0.1', gate, clock: new FakeClock(), tls: first });
    await secure.start();
    try {
      const subject = async (): Promise<string | undefined> => {
        const socket = connect({ host: '127.0.0.1', port: secure.port, rejectUnauthorized: false });
        await new Promise((resolve) => socket.once('secureConnect', resolve));
        const { CN } = socket.getPeerCertificate().subject;
        socket.destroy();
        return CN?.toString();
      };
      expect(await subject()).toBe('first');
      secure.renew(second);
      expect(await subject()).toBe('second');
      const file = encode('secure.flv', ['-c:v', 'libx264', '-preset', 'ultrafast', '-g', '25', '-c:a', 'aac']);
      const url = `rtmps://127.0.0.1:${secure.port}/app/key`;
      await run('ffmpeg', ['-v', 'error', '-i', file, '-c', 'copy', '-f', 'flv', url]);
      const seen = await gate.firstEnd();
      expect([seen.problems, seen.units.length > 100]).toEqual([[], true]);
    } finally {
      await secure.close();
    }
  });

  it('closes connections that never speak TLS', async () => {
    const { cert, key } = makeTestCertificate(folder, 'silent');
    const secure = new RtmpServer({
      port: 0,
      host: '127.0.0.1',
      gate,
      clock: new FakeClock(),
      tls: { cert: cert.toString(), key: key.toString() },
    });
    await secure.start();
    const socket = connectPlain(secure.port, '127.0.0.1');
    const closed = new Promise((resolve) => socket.once('close', resolve));
    await new Promise((resolve) => socket.once('connect', resolve));
    socket.on('error', () => undefined);
    socket.write(Buffer.of(3, 0, 0, 0));
    await secure.close();
    await closed;
    expect(secure.counters.connections).toBe(0);
  });
});

function encode(name: string, args: readonly string[]): string {
  makeFiles(folder, [...SOURCE, '-t', '3', ...args, name]);
  return join(folder, name);
}

/** Publishes a file unchanged and returns what the server received. */
async function publish(file: string): Promise<SeenPublisher> {
  await run('ffmpeg', [
    '-v',
    'error',
    '-i',
    file,
    '-c',
    'copy',
    '-f',
    'flv',
    `rtmp://127.0.0.1:${server.port}/app/key`,
  ]);
  return gate.firstEnd();
}

interface Packet {
  readonly dtsMs: number;
  readonly ptsMs: number;
  readonly isRandomAccess: boolean;
  readonly bytes: number;
}

/** Packets of one kind from ffprobe, with times relative to the first packet. */
function probe(file: string, kind: 'v' | 'a'): Packet[] {
  const name = basename(file);
  const shown = ['-select_streams', kind, '-show_entries', 'packet=dts,pts,size,flags', '-of', 'json', name];
  const stdout = probeMade({ folder, files: [name] }, shown);
  const { packets } = JSON.parse(stdout) as { packets: { dts: number; pts: number; size: string; flags: string }[] };
  return fromFirst(
    packets.map(({ dts, pts, size, flags }) => ({
      dtsMs: dts,
      ptsMs: pts,
      isRandomAccess: flags.startsWith('K'),
      bytes: Number(size),
    })),
  );
}

function receivedPackets(publisher: SeenPublisher, trackId: string): Packet[] {
  return fromFirst(
    publisher.units
      .filter((unit) => unit.trackId === trackId)
      .map(({ dtsTicks, ptsTicks, isRandomAccess, bytes }) => ({
        dtsMs: dtsTicks / 90,
        ptsMs: ptsTicks / 90,
        isRandomAccess,
        bytes,
      })),
  );
}

/** Packets in order of presentation time, relative to the earliest, without decoding times. */
function presentation(packets: readonly Packet[]): Omit<Packet, 'dtsMs'>[] {
  const startMs = Math.min(...packets.map((packet) => packet.ptsMs));
  return packets.map(({ ptsMs, isRandomAccess, bytes }) => ({ ptsMs: ptsMs - startMs, isRandomAccess, bytes }));
}

function fromFirst(packets: readonly Packet[]): Packet[] {
  const startMs = packets[0]?.dtsMs ?? 0;
  return packets.map((packet) => ({ ...packet, dtsMs: packet.dtsMs - startMs, ptsMs: packet.ptsMs - startMs }));
}

describe('FFmpeg', () => {
  let withB: string;
  beforeAll(async () => {
    withB = encode('b.flv', [...H264, '-bf', '2', '-c:a', 'aac']);
  });

  it('publishes H.264 with B-frames and AAC: each access unit equals the packet of ffprobe', async () => {
    const publisher = await publish(withB);
    const expected = probe(withB, 'v');
    expect(expected).toHaveLength(75);
    expect(expected.some((packet) => packet.ptsMs - packet.dtsMs >= 80)).toBe(true);
    expect(receivedPackets(publisher, 'v1')).toEqual(expected);
    expect(receivedPackets(publisher, 'a1')).toEqual(probe(withB, 'a'));
    expect(publisher.trackSets).toHaveLength(1);
    expect(publisher.trackSets[0]).toMatchObject([
      { id: 'v1', codec: 'h264', width: 320, height: 180 },
      { id: 'a1', codec: 'aac', sampleRate: 48_000, channels: 1 },
    ]);
    expect(publisher.problems).toEqual([]);
    expect(publisher.ends).toEqual([{ code: 'publish_closed', ...because('encoder_ended') }]);
    expect(publisher.request).toMatchObject({ path: 'app/key', agent: expect.stringContaining('Lavf') as string });
  });

  it('publishes H.264 without B-frames', async () => {
    const file = encode('plain.flv', [...H264, '-bf', '0', '-c:a', 'aac']);
    const publisher = await publish(file);
    expect(receivedPackets(publisher, 'v1')).toEqual(probe(file, 'v'));
    expect(receivedPackets(publisher, 'v1').every((packet) => packet.ptsMs === packet.dtsMs)).toBe(true);
  });

  it.each([
    ['video', [...H264, '-an'], ['v1']],
    ['audio', ['-vn', '-c:a', 'aac'], ['a1']],
  ])('publishes %s alone', async (name, args, ids) => {
    const file = encode(`${name}.flv`, args);
    const publisher = await publish(file);
    expect(publisher.trackSets.map((tracks) => tracks.map((track) => track.id))).toEqual([ids]);
    expect(receivedPackets(publisher, ids[0] as string)).toEqual(probe(file, name.slice(0, 1) as 'v' | 'a'));
  });

  it('publishes MP3', async () => {
    const file = encode('mp3.flv', [...H264, '-c:a', 'libmp3lame', '-ar', '44100']);
    const publisher = await publish(file);
    expect(publisher.trackSets[0]?.[1]).toMatchObject({ id: 'a1', codec: 'mp3', sampleRate: 44_100 });
    expect(receivedPackets(publisher, 'a1').map((packet) => packet.bytes)).toEqual(
      probe(file, 'a').map((packet) => packet.bytes),
    );
  });

  it.each([
    ['aac', { codec: 'aac', sampleRate: 48_000 }],
    ['libopus', { codec: 'opus', samplesPerFrame: 960 }],
    ['ac3', { codec: 'ac3', sampleRate: 48_000 }],
    ['eac3', { codec: 'eac3', sampleRate: 48_000 }],
  ])('version 8 publishes H.265 with B-frames and %s over Enhanced RTMP', async (codec, audio) => {
    const h265 = ['-c:v', 'libx265', '-preset', 'ultrafast', '-x265-params', 'log-level=error:bframes=2:keyint=25'];
    const file = encode(`h265-${codec}.mkv`, [...h265, '-c:a', codec]);
    await run(process.execPath, [PUBLISH_FILE, file, `rtmp://127.0.0.1:${server.port}/app/key`]);
    const publisher = await gate.firstEnd();
    expect(publisher.problems).toEqual([]);
    expect(publisher.trackSets).toHaveLength(1);
    expect(publisher.trackSets[0]).toMatchObject([
      { id: 'v1', codec: 'h265', width: 320, height: 180 },
      { id: 'a1', ...audio },
    ]);
    // Matroska has no decoding times. Its presentation times are in milliseconds too.
    expect(presentation(receivedPackets(publisher, 'v1'))).toEqual(presentation(probe(file, 'v')));
    expect(presentation(receivedPackets(publisher, 'a1')).map((packet) => packet.ptsMs)).toEqual(
      presentation(probe(file, 'a')).map((packet) => packet.ptsMs),
    );
  });

  it('version 8 publishes two video and two audio tracks at once', async () => {
    const inputs = [
      ...SOURCE,
      '-f',
      'lavfi',
      '-i',
      'testsrc2=size=160x90:rate=25',
      '-f',
      'lavfi',
      '-i',
      'sine=frequency=880',
    ];
    const name = 'multitrack.mkv';
    const maps = ['0', '2', '1', '3'].flatMap((input) => ['-map', input]);
    makeFiles(folder, [...inputs, ...maps, '-t', '2', ...H264, '-c:a', 'aac', name]);
    const file = join(folder, name);
    await run(process.execPath, [PUBLISH_FILE, file, `rtmp://127.0.0.1:${server.port}/app/key`]);
    const publisher = await gate.firstEnd();
    expect(publisher.trackSets).toHaveLength(1);
    expect(publisher.trackSets[0]).toMatchObject([
      { id: 'v1', width: 320 },
      { id: 'v2', width: 160 },
      { id: 'a1', sampleRate: 48_000 },
      { id: 'a2', sampleRate: 44_100 },
    ]);
    expect(['v1', 'v2'].map((id) => receivedPackets(publisher, id).length)).toEqual([50, 50]);
    expect(publisher.problems).toEqual([]);
  });

  it('prints the reason of a refusal', async () => {
    gate.password = 'secret';
    const failed = run('ffmpeg', [
      '-v',
      'error',
      '-i',
      withB,
      '-c',
      'copy',
      '-f',
      'flv',
      `rtmp://127.0.0.1:${server.port}/app/key?password=guess`,
    ]);
    await expect(failed).rejects.toMatchObject({
      stderr: expect.stringContaining('The password is missing or wrong.') as string,
    });
  });

  it('prints the reason when it may not play a stream', async () => {
    const failed = run('ffprobe', ['-v', 'error', `rtmp://127.0.0.1:${server.port}/app/key`]);
    await expect(failed).rejects.toMatchObject({
      stderr: expect.stringContaining('There is no stream app/key') as string,
    });
  });
});
