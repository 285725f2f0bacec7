import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { createServer as listen, type AddressInfo, type Server as NetServer, type Socket } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { InputProbe } from '../../../src-preload/contract/api/input-probe.ts';
import { AirdeskProcess } from '../../helpers/airdesk-process.ts';
import { EncoderProcess } from '../../helpers/encoder-process.ts';
import { ffmpeg, testSources } from '../../helpers/ffmpeg-media.ts';
import { freePort, freeUdpPort } from '../../helpers/free-port.ts';
import { markedClip } from '../../helpers/marked-clip.ts';
import { until } from '../../helpers/until.ts';

// Addresses of real senders are probed before they become inputs.

const GROUP = '239.255.7.7';
const encoders: EncoderProcess[] = [];
let server: AirdeskProcess;
let pages: Server;
/** Server that accepts connections and never answers. */
let silent: NetServer;
const silenced = new Set<Socket>();
/** UDP ports: of a multicast group, of the input of a stream, of an encoder, and an unused port. */
let ports: { readonly group: number; readonly taken: number; readonly udp: number; readonly free: number };
let rtmpPort: number;
let httpPort: number;
let deadPort: number;

beforeAll(async () => {
  const udp = await freeUdpPort(4);
  ports = { group: udp, taken: udp + 1, udp: udp + 2, free: udp + 3 };
  [rtmpPort, httpPort, deadPort] = [await freePort(), await freePort(), await freePort()];
  silent = listen((socket) => {
    silenced.add(socket);
    socket.on('error', () => undefined);
    socket.once('close', () => silenced.delete(socket));
    socket.resume();
  }).listen(0, '127.0.0.1');
  await once(silent, 'listening');
  pages = createServer((request, response) => {
    const [, status = '200'] = /^\/(\d{3})/.exec(request.url ?? '') ?? [];
    response.writeHead(Number(status)).end('<html>no media</html>'.repeat(50_000));
  }).listen(0, '127.0.0.1');
  await once(pages, 'listening');
  server = await AirdeskProcess.start(
    `stream air { input fake://?width=320&height=180; input file://film.mp4 priority=2; input udp://127.0.0.1:${ports.taken} priority=3; input publish:// priority=4; }`,
  );
  writeFileSync(join(server.folder, 'data/film.mp4'), readFileSync(markedClip()));
  const mpeg2 = [...testSources(4, 1), '-c:v', 'mpeg2video', '-c:a', 'mp2'];
  writeFileSync(join(server.folder, 'data/mpeg2.ts'), ffmpeg([...mpeg2, '-f', 'mpegts']));
  writeFileSync(join(server.folder, 'data/only-mpeg2.ts'), ffmpeg([...mpeg2, '-an', '-f', 'mpegts']));
  writeFileSync(join(server.folder, 'data/text.ts'), 'no media at all\n'.repeat(10_000));
  const http = EncoderProcess.publish({ url: `http://127.0.0.1:${httpPort}/cam`, isEndless: true, isServing: true });
  const byUdp = EncoderProcess.publish({ url: `udp://127.0.0.1:${ports.udp}?pkt_size=1316`, isEndless: true });
  encoders.push(http, byUdp);
  await server.streamWhere('air', 'frames', ({ alive }) => alive);
});
afterAll(async () => {
  await Promise.all(encoders.map((encoder) => encoder.stop('SIGKILL')));
  pages?.close();
  silent?.close();
  await server?.dispose();
});

interface Fault {
  readonly errors: readonly { readonly code: string; readonly title: string }[];
}

async function post(path: string, body: object, signal?: AbortSignal): Promise<{ status: number; body: unknown }> {
  const answer = await fetch(`${server.url}/streamer/api/v3${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
    ...(signal ? { signal } : {}),
  });
  return { status: answer.status, body: await answer.json() };
}

async function probe(url: string, more: object = {}): Promise<InputProbe> {
  const { status, body } = await post('/inputs/probe', { input_url: url, seconds: 30, ...more });
  expect([status, body]).toEqual([200, body]);
  return body as InputProbe;
}

async function failure(url: string, more: object = {}): Promise<[status: number, code: string | undefined]> {
  const { status, body } = await post('/inputs/probe', { input_url: url, ...more });
  return [status, (body as Fault).errors?.[0]?.code];
}

/** Codec, size and rate of each track, and whether the bit rate is plausible. */
function tracksOf({ media_info: info }: InputProbe): unknown[] {
  return (info?.tracks ?? []).map(({ codec, size, fps, channels, sample_rate: rate, bitrate = 0 }) => [
    codec,
    size ?? channels,
    fps ?? rate,
    bitrate > 20 && bitrate < 5000,
  ]);
}

function isJpeg(picture: string | null): boolean {
  return picture !== null && Buffer.from(picture, 'base64').subarray(0, 2).equals(Buffer.of(0xff, 0xd8));
}

/** Whether a UDP port of this machine is in use (proc_pid_net(5)). */
function isBound(port: number): boolean {
  return readFileSync('/proc/net/udp', 'latin1').includes(`:${port.toString(16).toUpperCase().padStart(4, '0')} `);
}

const H264 = ['h264', '426x240', 25, true];
const AAC = ['aac', 2, 48_000, true];

describe('a probed address', () => {
  it('of a file returns its tracks and a picture', async () => {
    const answer = await probe('file://film.mp4');
    expect(tracksOf(answer)).toEqual([AAC, H264]);
    expect(answer).toMatchObject({ protocol: 'file', left_out: [] });
    expect(isJpeg(answer.picture)).toBe(true);
  });

  it('of MPEG-TS by HTTP, of an RTMP server and of a UDP encoder returns tracks and a picture', async () => {
    encoders.push(
      EncoderProcess.publish({
        url: `rtmp://127.0.0.1:${rtmpPort}/live/cam`,
        isEndless: true,
        arguments: ['-listen', '1'],
      }),
    );
    for (const url of [
      `tshttp://127.0.0.1:${httpPort}/cam`,
      `udp://@:${ports.udp}`,
      `rtmp://127.0.0.1:${rtmpPort}/live/cam`,
    ]) {
      const answer = await probe(url);
      expect([url, ...tracksOf(answer)]).toEqual([url, AAC, H264]);
      expect([url, isJpeg(answer.picture)]).toEqual([url, true]);
    }
    expect(isBound(ports.udp)).toBe(false);
  });

  it('with unsupported codecs returns the codecs and a reason', async () => {
    expect(await probe('file://mpeg2.ts')).toMatchObject({
      media_info: { tracks: [{ codec: 'mp2' }] },
      left_out: [{ content: 'video', codec: 'MPEG-2 video' }],
      problems: expect.arrayContaining([expect.objectContaining({ code: 'codec_unknown' })]) as object,
      picture: null,
    });
    expect(await probe('file://only-mpeg2.ts')).toMatchObject({
      media_info: null,
      left_out: [{ content: 'video', codec: 'MPEG-2 video' }],
      picture: null,
    });
  });

  it.each([
    ['a dead port', () => `tshttp://127.0.0.1:${deadPort}/cam`, 502, 'input_unreachable'],
    ['a dead RTMP port', () => `rtmp://127.0.0.1:${deadPort}/live/cam`, 502, 'input_unreachable'],
    ['an unknown host', () => 'tshttp://no-such-host.invalid/cam', 502, 'input_unreachable'],
    ['a source that needs a login', () => `tshttp://127.0.0.1:${portOf(pages)}/401`, 502, 'input_refused'],
    ['a source that forbids it', () => `hls://127.0.0.1:${portOf(pages)}/403.m3u8`, 502, 'input_refused'],
    ['a page', () => `tshttp://127.0.0.1:${portOf(pages)}/page`, 502, 'ts_not_mpegts'],
    ['a file that is not there', () => 'file://missing.mp4', 404, 'input_file_not_found'],
    ['a file without media', () => 'file://text.ts', 502, 'input_unreadable'],
    ['a file outside of the allowed folders', () => 'file:///etc/passwd', 403, 'path_not_allowed'],
    ['an unknown scheme', () => 'gopher://127.0.0.1/', 400, 'input_not_supported'],
    ['no scheme', () => 'camera', 400, 'config_bad_value'],
    ['an encoder that publishes', () => 'publish://', 409, 'probe_not_possible'],
    ['a port of a running stream', () => `udp://@:${ports.taken}`, 409, 'probe_not_possible'],
    ['a stream that does not exist', () => 'copy://nothing', 504, 'input_timed_out'],
    ['a group to which nobody sends', () => `udp://${GROUP}:${ports.group}`, 504, 'input_timed_out'],
    ['a server that never answers', () => `tshttp://127.0.0.1:${portOf(silent)}/cam`, 504, 'input_timed_out'],
  ])('of %s is refused with a reason', async (_what, url, status, code) => {
    const seconds = code === 'input_timed_out' ? 2 : 30;
    expect(await failure(url(), { seconds })).toEqual([status, code]);
  });

  it('is refused with options that are invalid for inputs', async () => {
    expect(await failure('file://film.mp4', { options: { lop: 'false' } })).toEqual([400, 'config_bad_value']);
  });
});

describe('an input of a stream', () => {
  it('returns the picture of the stream while the input is on air, and is opened while it is a reserve', async () => {
    const onAir = (await post('/streams/air/inputs/0/probe', {})).body as InputProbe;
    expect([onAir.protocol, onAir.media_info?.width, isJpeg(onAir.picture)]).toEqual(['fake', 320, true]);
    const reserve = (await post('/streams/air/inputs/1/probe', { seconds: 30 })).body as InputProbe;
    expect([reserve.protocol, reserve.media_info?.width, isJpeg(reserve.picture)]).toEqual(['file', 426, true]);
    for (const index of [2, 3])
      expect(await post(`/streams/air/inputs/${index}/probe`, {})).toMatchObject({
        status: 409,
        body: { errors: [{ code: 'probe_not_possible' }] },
      });
    expect(await post('/streams/air/inputs/4/probe', {})).toMatchObject({ status: 404 });
    const state = await server.stream('air');
    expect([state?.active_input, state?.input_switches, state?.alive]).toEqual([0, 0, true]);
  });
});

describe('a probe that ends early', () => {
  it('is cancelled by its caller, and releases the port', async () => {
    const waiting = server.call('streams.probe_address', {
      input_url: `udp://@:${ports.free}`,
      seconds: 30,
      id: 'mine',
    });
    const failed = waiting.catch((error: unknown) => String(error));
    await until('an open port', () => isBound(ports.free), 20_000);
    await server.call('streams.cancel_probe', { id: 'another' });
    expect(isBound(ports.free)).toBe(true);
    await server.call('streams.cancel_probe', { id: 'mine' });
    expect(await failed).toContain('probe_cancelled');
    expect(isBound(ports.free)).toBe(false);
  });

  it('ends when its caller disconnects', async () => {
    const abort = new AbortController();
    const left = post('/inputs/probe', { input_url: `srt://:${ports.free}?mode=listener`, seconds: 30 }, abort.signal);
    const failed = left.catch((error: unknown) => (error as Error).name);
    await until('an open port', () => isBound(ports.free), 20_000);
    abort.abort();
    expect(await failed).toBe('AbortError');
    await until('a closed port', () => !isBound(ports.free), 20_000);
  });

  it('is one of at most three probes, which do not disturb streams', async () => {
    const ids = ['a', 'b', 'c'];
    // The slot of an earlier probe is free shortly after its port is closed.
    const waiting = ids.map((id) =>
      until(
        `the end of ${id}`,
        async () => {
          const probe = { input_url: `tshttp://127.0.0.1:${portOf(silent)}/${id}`, seconds: 30, id };
          const reason = await server.call('streams.probe_address', probe).then(
            () => 'none',
            (error: unknown) => String(error),
          );
          return reason.includes('unavailable') ? undefined : reason;
        },
        60_000,
      ),
    );
    await until('three connections', () => silenced.size === ids.length, 20_000);
    expect(await failure('file://film.mp4')).toEqual([503, 'unavailable']);
    for (const id of ids) await server.call('streams.cancel_probe', { id });
    for (const reason of await Promise.all(waiting)) expect(reason).toContain('probe_cancelled');
    await until('closed connections', () => silenced.size === 0, 20_000);
    expect(tracksOf(await probe('file://film.mp4'))).toEqual([AAC, H264]);
    const { alive, problems, status } = (await server.stream('air')) ?? {};
    expect([alive, status, problems]).toEqual([true, 'running', []]);
  });
});

function portOf(server: NetServer): number {
  return (server.address() as AddressInfo).port;
}
