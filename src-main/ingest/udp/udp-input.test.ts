import { because } from '../../../src-preload/contract/explanations/explanations.ts';
import { spawn } from 'node:child_process';
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { ffmpeg, testSources } from '../../../tests/helpers/ffmpeg-media.ts';
import { RecordingInput } from '../../../tests/helpers/recording-input.ts';
import { writeRtpPacket } from '../../media/containers/mpegts/rtp-packet.ts';
import type { UdpAddress } from './udp-address.ts';
import { UdpInput } from './udp-input.ts';

const LOCAL: UdpAddress = { port: 0, localAddress: '127.0.0.1', isIpv6: false };

let stream: Buffer;
const open: UdpInput[] = [];

beforeAll(() => {
  stream = ffmpeg([
    ...testSources(2, 1),
    '-c:v',
    'libx264',
    '-preset',
    'ultrafast',
    '-g',
    '25',
    '-c:a',
    'aac',
    '-f',
    'mpegts',
  ]);
});

afterEach(async () => {
  await Promise.all(open.splice(0).map((input) => input.close()));
});

/** Starts an input. Resolves with its port. */
async function listen(address: UdpAddress, sink: RecordingInput): Promise<number> {
  return await new Promise((resolve) => {
    const input = new UdpInput({ address, listening: resolve }, sink);
    open.push(input);
    input.start();
  });
}

/** Sends the stream with ffmpeg at ten times its speed, and waits for ffmpeg to exit. */
async function sendWithFfmpeg(format: string, url: string): Promise<void> {
  const sender = spawn(
    'ffmpeg',
    ['-v', 'error', '-readrate', '10', '-f', 'mpegts', '-i', '-', '-map', '0', '-c', 'copy', '-f', format, url],
    { stdio: ['pipe', 'inherit', 'inherit'] },
  );
  sender.stdin.end(stream);
  const [code] = (await once(sender, 'exit')) as [number | null];
  expect(code).toBe(0);
}

/** Sends datagrams one after another from a socket of this process. */
async function send(
  datagrams: readonly Uint8Array[],
  port: number,
  host = '127.0.0.1',
  from = '127.0.0.1',
): Promise<void> {
  const socket = createSocket('udp4');
  socket.bind(0, from);
  await once(socket, 'listening');
  if (host !== '127.0.0.1') socket.setMulticastInterface('127.0.0.1');
  for (const bytes of datagrams) await new Promise((resolve) => socket.send(bytes, port, host, resolve));
  socket.close();
}

function datagrams(bytes: Buffer): Buffer[] {
  return Array.from({ length: Math.ceil(bytes.length / 1316) }, (_, n) => bytes.subarray(n * 1316, (n + 1) * 1316));
}

const rtp = (): Uint8Array[] =>
  datagrams(stream).map((payload, n) =>
    writeRtpPacket({ payloadType: 33, sequence: (65_530 + n) & 0xffff, ssrc: 5, payload }),
  );

describe('UdpInput', () => {
  it.each(['mpegts', 'rtp_mpegts'])('receives what ffmpeg sends as %s', async (format) => {
    const sink = new RecordingInput();
    const port = await listen(LOCAL, sink);
    const scheme = format === 'mpegts' ? 'udp' : 'rtp';
    await sendWithFfmpeg(format, `${scheme}://127.0.0.1:${port}?pkt_size=1316`);
    await sink.until(() => sink.units('v1').length >= 48 && sink.units('a1').length >= 80);
    expect(sink.announcements[0]?.map(({ codec }) => codec)).toEqual(['h264', 'aac']);
    expect(sink.problems).toEqual([]);
    expect(sink.bytes % 188).toBe(0);
  });

  it('receives a multicast group', async () => {
    const sink = new RecordingInput();
    const group = '239.255.77.5';
    const port = await listen({ port: 0, group, networkInterface: '127.0.0.1', isIpv6: false }, sink);
    await send(datagrams(stream), port, group);
    await sink.until(() => sink.units('v1').length >= 48);
    expect(sink.problems).toEqual([]);
  });

  it('receives a multicast group from one source only', async () => {
    const sink = new RecordingInput();
    const group = '232.255.77.5';
    const port = await listen(
      { port: 0, group, source: '127.0.0.1', networkInterface: '127.0.0.1', isIpv6: false },
      sink,
    );
    await send(datagrams(stream), port, group);
    await sink.until(() => sink.units('v1').length >= 48);
  });

  it('receives unicast datagrams from one source only', async () => {
    const sink = new RecordingInput();
    const port = await listen({ ...LOCAL, source: '127.0.0.9' }, sink);
    await send(datagrams(stream).slice(0, 3), port);
    await send(datagrams(stream).slice(0, 1), port, '127.0.0.1', '127.0.0.9');
    await sink.until(() => sink.bytes > 0);
    expect(sink.bytes).toBe(1316);
  });

  it('orders RTP packets and reports lost ones', async () => {
    const sink = new RecordingInput();
    const port = await listen(LOCAL, sink);
    const packets = rtp();
    packets.splice(10, 2, packets[11]!, packets[10]!);
    packets.splice(30, 1);
    await send(packets, port);
    await sink.until(() => sink.units('v1').length >= 45);
    expect(sink.problems.filter(({ code }) => code === 'rtp_lost')).toEqual([
      { code: 'rtp_lost', ...because('rtp_packets_lost', { count: 1 }) },
    ]);
    expect(sink.codes).toContain('ts_continuity');
  });

  it('accepts RTP with a dynamic payload type', async () => {
    const sink = new RecordingInput();
    const port = await listen(LOCAL, sink);
    const packets = rtp().map((packet) => {
      packet[1] = 96;
      return packet;
    });
    await send(packets, port);
    await sink.until(() => sink.units('v1').length >= 45);
    expect(sink.codes).toEqual([]);
  });

  it('does not mistake a plain datagram for RTP', async () => {
    const sink = new RecordingInput();
    const port = await listen(LOCAL, sink);
    // The second datagram starts inside the payload of a packet, with bytes like an RTP header.
    const bytes = Buffer.concat(datagrams(stream));
    const cut = 188 + 20;
    bytes.set([0x80, 33], cut);
    const rest = Array.from({ length: 40 }, (_, n) => bytes.subarray(cut + n * 1316, cut + (n + 1) * 1316));
    await send([bytes.subarray(0, cut), ...rest], port);
    await sink.until(() => sink.bytes >= cut + 40 * 1316);
    expect(sink.codes).not.toContain('ts_sync_lost');
  });

  it('ends if the datagrams carry other data', async () => {
    const sink = new RecordingInput();
    const port = await listen(LOCAL, sink);
    await send(
      Array.from({ length: 70 }, () => Buffer.alloc(1000, 0x20)),
      port,
    );
    expect((await sink.end()).code).toBe('ts_not_mpegts');
  });

  it('reports a port that is in use', async () => {
    const port = await listen(LOCAL, new RecordingInput());
    const sink = new RecordingInput();
    const second = new UdpInput({ address: { ...LOCAL, port } }, sink);
    open.push(second);
    second.start();
    expect(await sink.end()).toMatchObject({ code: 'port_in_use', detail: `UDP port ${port} is in use` });
  });

  it('ends as unreachable if its local address is not of this machine', async () => {
    const sink = new RecordingInput();
    const input = new UdpInput({ address: { ...LOCAL, localAddress: '192.0.2.1' } }, sink);
    open.push(input);
    input.start();
    expect((await sink.end()).code).toBe('input_unreachable');
  });

  it('emits nothing after close', async () => {
    const sink = new RecordingInput();
    const input = new UdpInput({ address: LOCAL }, sink);
    input.start();
    await input.close();
    await input.close();
    expect(sink.ends).toEqual([]);
  });
});
