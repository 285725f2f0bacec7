import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { AirdeskProcess } from '../../helpers/airdesk-process.ts';
import { Client } from '../../helpers/edge-run.ts';
import { freePort } from '../../helpers/free-port.ts';
import { HoldingPeer, type Holding } from '../../helpers/holding-peer.ts';
import { readPrometheus } from '../../helpers/prometheus-text.ts';
import { RtmpEncoder } from '../../helpers/rtmp-encoder.ts';
import { MachineStalls } from '../../helpers/machine-stalls.ts';
import { makeTestCertificate } from '../../helpers/test-certificate.ts';
import { until } from '../../helpers/until.ts';

// The table of limits in docs/reference/limits.md, row by row, at a real server. Deadlines run in parallel, so the file
// takes little longer than the longest deadline; the alarm for a failing sink needs a minute.

const CONNECTIONS = 60;
/** Tolerance in seconds: deadlines are checked every five seconds, and the machine may be busy. */
const LATE_S = 30;
const STREAMS = '/mediaserver/api/v3/streams';
const AUTHORIZATION = `Authorization: Basic ${Buffer.from('boss:hidden').toString('base64')}`;
const machineStalls = MachineStalls.watch();
/** Receiver that accepts no events. */
const receiver = createServer((_request, response) => response.writeHead(500).end());
const folder = mkdtempSync(join(tmpdir(), 'airdesk-limits-'));
const OK = 'HTTP/1.1 200 OK\r\nContent-Length: 1000000\r\n\r\n';
/** Playlist whose segments are requested on further connections. */
const PLAYLIST = '#EXTM3U\n#EXT-X-TARGETDURATION:2\n#EXTINF:2,\n1.ts\n#EXTINF:2,\n2.ts\n#EXTINF:2,\n3.ts\n';
const playlistFirst = (request: string): { text: string; closes?: boolean } =>
  request.includes('.ts ')
    ? { text: OK }
    : {
        text: `HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: ${PLAYLIST.length}\r\n\r\n${PLAYLIST}`,
        closes: true,
      };
const head200 = (): { text: string } => ({ text: OK });
/** Head of a TLS handshake record of 16 KiB. */
const startedTls = (): { text: string } => ({ text: '\x16\x03\x03\x40\x00' });
const startedAnswer = (): { text: string } => ({ text: 'HTTP/1.1 200 OK\r\nX: ' });
/**
 * Servers of inputs and event sinks that accept a connection and do not complete an answer: name, scheme, limit in
 * seconds, and the sent bytes.
 */
const HOLDING: readonly (readonly [string, string, number, Holding])[] = [
  ['a silent server of a transport stream', 'tshttp', 10, {}],
  ['one that drips the head of an answer', 'tshttp', 20, { first: startedAnswer, drip: 'x' }],
  ['one that sends no bytes', 'tshttp', 20, { first: head200 }],
  ['one that drips bytes', 'tshttp', 20, { first: head200, drip: 'G' }],
  ['a silent server of HLS', 'hls', 10, {}],
  ['one that drips the head of a playlist', 'hls', 20, { first: startedAnswer, drip: 'x' }],
  ['one that drips a playlist', 'hls', 20, { first: head200, drip: '#' }],
  ['one that drips a segment', 'hls', 10, { first: playlistFirst, drip: 'G' }],
  ['a silent server of RTMP', 'rtmp', 10, {}],
  ['one that drips the handshake', 'rtmp', 10, { drip: 'x' }],
  ['a silent server of RTSP', 'rtsp', 10, {}],
  ['one that drips an answer', 'rtsp', 10, { first: () => ({ text: 'RTSP/1.0 200 OK\r\nX: ' }), drip: 'x' }],
  ['a silent TLS server of a transport stream', 'tshttps', 10, {}],
  ['one that drips its TLS handshake', 'tshttps', 10, { first: startedTls, drip: 'x' }],
  ['a silent TLS server of HLS', 'hlss', 10, {}],
  ['one that drips its TLS handshake', 'hlss', 10, { first: startedTls, drip: 'x' }],
  ['a silent TLS server of RTMP', 'rtmps', 10, {}],
  ['a silent TLS server of RTSP', 'rtsps', 10, {}],
  ['a silent TLS receiver of events', 'sinks', 15, {}],
  ['one that drips its TLS handshake', 'sinks', 15, { first: startedTls, drip: 'x' }],
  ['a silent receiver of events', 'sink', 15, {}],
  ['one that drips the head of an answer', 'sink', 15, { first: startedAnswer, drip: 'x' }],
  ['one that drips an answer', 'sink', 15, { first: head200, drip: 'x' }],
];
const holding: HoldingPeer[] = [];
let server: AirdeskProcess;
let ports: { readonly https: number; readonly rtmps: number };

beforeAll(async () => {
  await once(receiver.listen(0, '127.0.0.1'), 'listening');
  ports = { https: await freePort(), rtmps: await freePort() };
  for (const [, , , behaviour] of HOLDING) holding.push(await HoldingPeer.listen(behaviour));
  const inputs = HOLDING.map(([, scheme], index) => {
    const host = `127.0.0.1:${holding[index]?.port}`;
    return scheme.startsWith('sink')
      ? `event_sink held${index} { url ${scheme === 'sinks' ? 'https' : 'http'}://${host}/; }`
      : `stream held${index} { input ${scheme}://${host}/live/held.${scheme.startsWith('hls') ? 'm3u8' : 'ts'}; }`;
  });
  const { certificatePath, keyPath } = makeTestCertificate(folder, 'limits');
  server = await AirdeskProcess.start(
    `edit_auth boss hidden; http_connections ${CONNECTIONS}; stream cam { input fake:// width=320 height=180; }
    https 127.0.0.1:${ports.https}; rtmps 127.0.0.1:${ports.rtmps};
    ssl_certificate ${certificatePath}; ssl_certificate_key ${keyPath};
    vod films { storage ${folder}; }
    event_sink tower { url http://127.0.0.1:${(receiver.address() as AddressInfo).port}/events; }
    ${inputs.join('\n')}`,
  );
  await server.text('/cam/index.m3u8');
});
afterAll(async () => {
  machineStalls.close();
  await server?.dispose();
  receiver.close();
  for (const peer of holding) peer.close();
  rmSync(folder, { recursive: true });
});

function open(port = Number(new URL(server.url).port)): Socket {
  return connect(port, '127.0.0.1').on('error', () => undefined);
}

/** Connection that sends nothing, to any port. */
async function silent(port?: number): Promise<Client> {
  const opened = new Client(open(port));
  await opened.isOpen;
  return opened;
}

async function client(text: string): Promise<Client> {
  const opened = new Client(open());
  await opened.isOpen;
  opened.send(text);
  return opened;
}

function head(line: string, ...fields: readonly string[]): string {
  return [`${line} HTTP/1.1`, 'Host: localhost', ...fields].join('\r\n');
}

const api = (name: string, ...fields: readonly string[]): string =>
  `${head(`PUT ${STREAMS}/${name}`, AUTHORIZATION, 'Content-Type: application/json', ...fields)}\r\n\r\n`;

/** Seconds until the server closes a connection that sends a byte per second, or nothing. */
async function secondsOpen({ socket }: Client, drip = ''): Promise<number> {
  const from = performance.now();
  const timer = drip === '' ? undefined : setInterval(() => socket.write(drip), 1000);
  // The answer to a byte on a closed connection is a reset.
  if (!socket.closed) await new Promise((resolve) => socket.once('close', resolve));
  clearInterval(timer);
  return (performance.now() - from) / 1000;
}

async function cut(phase: string): Promise<number> {
  const text = await (await fetch(`${server.url}/streamer/api-v4/runtime/metrics`)).text();
  const samples = readPrometheus(text).get('airdesk_http_connections_cut_total')?.samples ?? [];
  return samples.find(({ labels }) => labels['phase'] === phase)?.value ?? 0;
}

function expectWithin(seconds: number, limit: number): void {
  // The server counts from its reply, which the test reads later after a stall of the machine.
  const stalledSeconds = Math.max(0, ...machineStalls.all.map(({ ms }) => ms)) / 1000;
  expect(seconds).toBeGreaterThan(limit - 2 - stalledSeconds);
  expect(seconds).toBeLessThan(limit + LATE_S);
}

describe('limits without a deadline', () => {
  it('a head of more than 16 KiB is answered with 431, and the connection is closed', async () => {
    const peer = await client(head('GET /cam/index.m3u8', `X: ${'a'.repeat(17_000)}`));
    expect(await peer.reply()).toMatchObject({ status: 431 });
    await peer.rest();
    // After a request to an API, another parser reads the connection.
    const second = await client(`${head('GET /-/time')}\r\n\r\n`);
    expect(await second.reply()).toMatchObject({ status: 200 });
    second.send(head('GET /-/time', `X: ${'a'.repeat(17_000)}`, '', ''));
    expect(await second.reply()).toMatchObject({ status: 431 });
    await second.rest();
  });

  it('a body of more than 8 MiB is answered with 413, with and without an announced length', async () => {
    const announced = await client(api('large', `Content-Length: ${9 << 20}`));
    announced.send(' '.repeat(9 << 20));
    expect(await announced.reply()).toMatchObject({ status: 413 });
    announced.socket.destroy();
    const chunked = await client(api('large', 'Transfer-Encoding: chunked'));
    for (let chunk = 0; chunk < 9; chunk++) chunked.send(`100000\r\n${' '.repeat(1 << 20)}\r\n`);
    expect(await chunked.reply()).toMatchObject({ status: 413 });
    chunked.socket.destroy();
  });

  it('more than 1000 inputs of a stream are answered with 400', async () => {
    const put = async (count: number): Promise<number> => {
      const inputs = Array.from({ length: count }, (_, index) => ({ url: `udp://239.1.1.1:${2000 + index}` }));
      const body = JSON.stringify({ disabled: true, inputs });
      const headers = { 'content-type': 'application/json', authorization: AUTHORIZATION.slice(15) };
      return (await fetch(`${server.url}${STREAMS}/many`, { method: 'PUT', headers, body })).status;
    };
    expect([await put(1001), await put(1000)]).toEqual([400, 200]);
  });

  it('connections above the configured number are closed', async () => {
    const sockets = Array.from({ length: CONNECTIONS + 20 }, () => open());
    await until('refusals', () => sockets.filter(({ closed }) => closed).length >= 20, 20_000);
    for (const socket of sockets) socket.destroy();
    await until('room', async () => (await fetch(`${server.url}/-/time`)).ok, 20_000);
    await until('a log line', () => server.printed.includes('connections were refused'), 30_000);
  });
});

/** First two packets of an RTMP client (C0 and C1): version, time and random bytes. */
const C0_C1 = Buffer.concat([Buffer.from([3, 0, 0, 0, 0, 0, 0, 0, 0]), Buffer.alloc(1528, 7)]);
/** Start of a TLS record without its end. */
const TLS_RECORD = Buffer.from([0x16, 3, 1, 2, 0, 1]);
const rtmpPort = (): number => Number(new URL(server.rtmpUrl.replace('rtmp', 'http')).port);
/** Handshakes that stop: name, port, limit in seconds, and the bytes sent before. */
const HANDSHAKES: readonly (readonly [string, () => number, number, Buffer | undefined])[] = [
  ['TLS by HTTPS, silent', () => ports.https, 10, undefined],
  ['TLS by HTTPS, started', () => ports.https, 10, TLS_RECORD],
  ['TLS by RTMPS, silent', () => ports.rtmps, 5, undefined],
  ['TLS by RTMPS, started', () => ports.rtmps, 5, TLS_RECORD],
  ['RTMP, silent', rtmpPort, 5, undefined],
  ['RTMP, started', rtmpPort, 5, C0_C1],
];

describe('deadlines', () => {
  it.concurrent('the head of the first request must be complete within 10 s', async () => {
    expectWithin(await secondsOpen(await client(head('GET /cam/index.m3u8', 'X: ')), 'x'), 10);
  });

  it.concurrent('a body that is not complete within 60 s is answered with 408', async () => {
    const peer = await client(`${api('late', 'Content-Length: 1000000')}{`);
    const answer = peer.reply();
    expectWithin(await secondsOpen(peer, ' '), 60);
    expect(await answer).toMatchObject({ status: 408 });
  });

  it.concurrent('a body that stalls for 30 s is answered with 408', async () => {
    const peer = await client(`${api('late', 'Content-Length: 1000000')}{`);
    const answer = peer.reply();
    expectWithin(await secondsOpen(peer), 30);
    expect(await answer).toMatchObject({ status: 408 });
  });

  it.concurrent(
    'the head of a second request must be complete within 75 s, and an idle connection is closed after 75 s',
    async () => {
      const dripping = await client(`${head('GET /-/time')}\r\n\r\n`);
      expect(await dripping.reply()).toMatchObject({ status: 200 });
      dripping.send(head('GET /-/time', 'X: '));
      const silent = await client(`${head('GET /-/time')}\r\n\r\n`);
      const watching = await client(`${head('GET /cam/index.m3u8')}\r\n\r\n`);
      const seconds = await Promise.all([secondsOpen(dripping, 'x'), secondsOpen(silent), secondsOpen(watching)]);
      for (const each of seconds) expectWithin(each, 75);
    },
  );

  it.concurrent('a connection that does not read its reply is closed after 30 to 60 s', async () => {
    const before = await cut('reply');
    const from = performance.now();
    const peer = await client('');
    peer.socket.pause();
    peer.send(`${head('GET /mediaserver/api/v3/schema')}\r\n\r\n`.repeat(60));
    await until('the end', async () => (await cut('reply')) > before, 90_000);
    const seconds = (performance.now() - from) / 1000;
    expect(seconds).toBeGreaterThan(28);
    expect(seconds).toBeLessThan(60 + LATE_S);
    peer.socket.destroy();
  });

  it.concurrent('a connection without a request is closed after 75 s', async () => {
    expectWithin(await secondsOpen(await silent()), 75);
  });

  it.concurrent.each(HANDSHAKES)(
    'an unfinished handshake is closed at its limit: %s',
    async (_, portOf, limit, first) => {
      const opened = await silent(portOf());
      if (first) opened.socket.write(first);
      expectWithin(await secondsOpen(opened), limit);
    },
  );

  it.concurrent('an encoder must publish within 10 s, and send media within 20 s', async () => {
    const idle = await RtmpEncoder.connect(rtmpPort());
    idle.greet();
    const from = performance.now();
    const publisher = await RtmpEncoder.publish(rtmpPort(), 'live', 'silent-rtmp');
    const secondsOf = async (encoder: RtmpEncoder): Promise<number> => {
      await encoder.untilClosed();
      return (performance.now() - from) / 1000;
    };
    const [idleSeconds, silentSeconds] = await Promise.all([secondsOf(idle), secondsOf(publisher)]);
    expectWithin(idleSeconds, 10);
    expectWithin(silentSeconds, 20);
  });

  it.concurrent('an upload without data ends after 30 s', async () => {
    const path = '/mediaserver/api/v3/vods/films/storages/0/files/late.mp4';
    const peer = await client(`${head(`PUT ${path}`, AUTHORIZATION, 'Content-Length: 1000000')}\r\n\r\nx`);
    expectWithin(await secondsOpen(peer), 30);
  });

  it.concurrent('a silent HTTP publisher is disconnected after 20 s', async () => {
    const peer = await client(`${head('POST /live/silent/mpegts', 'Transfer-Encoding: chunked')}\r\n\r\n1\r\nG\r\n`);
    expectWithin(await secondsOpen(peer), 20);
  });

  it.concurrent.each(HOLDING.map(([name, scheme, limit], index) => [scheme, name, limit, index] as const))(
    'an outgoing connection is closed at its limit: %s, %s',
    async (_scheme, _name, limit, index) => {
      expectWithin((await holding[index]?.seconds) ?? 0, limit);
    },
  );

  it.concurrent('a silent connection to an SRT listener ends after 20 s', async () => {
    const port = await freePort();
    // Both peers are receivers, so neither sends anything.
    const url = `srt://127.0.0.1:${port}?mode=listener`;
    const listener = spawn('ffmpeg', ['-v', 'error', '-nostdin', '-i', url, '-f', 'null', '-'], { stdio: 'ignore' });
    const from = performance.now();
    const ended = once(listener, 'exit');
    const headers = { 'content-type': 'application/json', authorization: AUTHORIZATION.slice(15) };
    const body = JSON.stringify({ inputs: [{ url: `srt://127.0.0.1:${port}` }] });
    await fetch(`${server.url}${STREAMS}/held-srt`, { method: 'PUT', headers, body });
    await ended;
    expectWithin((performance.now() - from) / 1000, 20);
  });

  it.concurrent.each([
    ['that does not answer a ping', ''],
    ['that drips a message', 'x'],
  ])('a desk %s is disconnected after 15 to 30 s', async (_, drip) => {
    const key = 'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==';
    const upgrade = ['Upgrade: websocket', 'Connection: Upgrade', 'Sec-WebSocket-Version: 13', key];
    const desk = await client(`${head('GET /-/bridge', ...upgrade)}\r\n\r\n`);
    await once(desk.socket, 'data');
    // Head of a masked message of 60 000 bytes (RFC 6455 section 5.2).
    if (drip !== '') desk.socket.write(Buffer.from([0x81, 0xfe, 0xea, 0x60, 0, 0, 0, 0]));
    const seconds = await secondsOpen(desk, drip);
    expect(seconds).toBeGreaterThan(13);
    expect(seconds).toBeLessThan(30 + LATE_S);
  });

  it.concurrent('a request to an event sink ends after 60 s, and an alarm reports the failure', async () => {
    const headers = { authorization: AUTHORIZATION.slice(15) };
    const read = async (path: string): Promise<Record<string, unknown>> =>
      (await (await fetch(`${server.url}/streamer/api/v3/${path}`, { headers })).json()) as Record<string, unknown>;
    const alarms = await vi.waitFor(
      async () => {
        const { alarms: all } = (await read('alarms?alarm=event_sink')) as { alarms: { detail: string }[] };
        const raised = all.filter(({ detail }) => detail.startsWith('Events cannot be delivered to tower:'));
        expect(raised).toHaveLength(1);
        return raised;
      },
      { timeout: 150_000, interval: 1000 },
    );
    expect(alarms).toMatchObject([
      {
        name: null,
        severity: 'major',
        fault: 'sink_failing',
        detail: expect.stringMatching(
          /^Events cannot be delivered to tower: answered with status 500\. \d+ events are waiting$/,
        ) as string,
      },
    ]);
  });
});
