import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type RequestListener, type Server, type ServerResponse } from 'node:http';
import { createServer as createTcpServer, type AddressInfo } from 'node:net';
import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { ffmpeg, testSources } from '../../../tests/helpers/ffmpeg-media.ts';
import { freePort } from '../../../tests/helpers/free-port.ts';
import { FakeClock } from '../../../tests/helpers/fake-clock.ts';
import { RecordingInput } from '../../../tests/helpers/recording-input.ts';
import { until } from '../../../tests/helpers/until.ts';
import { ReadTicks } from '../reads/read-ticks.ts';
import { parseTsHttpAddress } from './ts-http-address.ts';
import { TsHttpInput, type TsHttpInputOptions } from './ts-http-input.ts';
import { TsPublisher } from './ts-publisher.ts';

let stream: Buffer;
const servers: Server[] = [];
const inputs: TsHttpInput[] = [];
const children: ChildProcess[] = [];

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
  await Promise.all(inputs.splice(0).map((input) => input.close()));
  for (const child of children.splice(0)) child.kill('SIGKILL');
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    server.close();
  }
});

async function serve(listener: RequestListener): Promise<string> {
  const server = createServer(listener);
  servers.push(server);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return `tshttp://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

function start(text: string, sink: RecordingInput, options: Partial<TsHttpInputOptions> = {}): TsHttpInput {
  const address = parseTsHttpAddress(text);
  if ('code' in address) throw new Error(address.detail);
  const input = new TsHttpInput({ address, ...options }, sink);
  inputs.push(input);
  input.start();
  return input;
}

async function endOf(listener: RequestListener, options: Partial<TsHttpInputOptions> = {}): Promise<string> {
  const sink = new RecordingInput();
  start(`${await serve(listener)}/x`, sink, options);
  const { code } = await sink.end();
  expect(sink.ends).toHaveLength(1);
  return code;
}

describe('a TsHttpInput', () => {
  it('reads a stream from ffmpeg', async () => {
    const port = await freePort();
    const child = spawn(
      'ffmpeg',
      [
        '-v',
        'error',
        '-f',
        'mpegts',
        '-i',
        '-',
        '-c',
        'copy',
        '-f',
        'mpegts',
        '-listen',
        '1',
        `http://127.0.0.1:${port}/live.ts`,
      ],
      { stdio: ['pipe', 'inherit', 'ignore'] },
    );
    children.push(child);
    child.stdin?.end(stream);
    // ffmpeg starts to listen after a delay. Failover retries an input in the same way.
    for (;;) {
      const sink = new RecordingInput();
      start(`tshttp://127.0.0.1:${port}/live.ts`, sink);
      const { code } = await sink.end();
      if (code === 'input_unreachable') continue;
      expect(code).toBe('input_ended');
      expect(sink.announcements[0]?.map(({ codec }) => codec)).toEqual(['h264', 'aac']);
      expect(sink.units('v1')).toHaveLength(50);
      break;
    }
  });

  it('follows redirects, and sends user agent and password without accepting compression', async () => {
    const seen: unknown[] = [];
    const base = await serve((request, response) => {
      seen.push([
        request.url,
        request.headers['user-agent'],
        request.headers['accept-encoding'],
        request.headers.authorization,
      ]);
      if (request.url === '/a?program=1') response.writeHead(302, { location: '/b' }).end('go on');
      else if (request.url === '/b') response.writeHead(307, { location: `${base.replace('tshttp', 'http')}/c` }).end();
      else response.end(stream);
    });
    const sink = new RecordingInput();
    start(`${base.replace('://', '://user:word@')}/a?program=1`, sink);
    expect((await sink.end()).code).toBe('input_ended');
    expect(sink.units('v1')).toHaveLength(50);
    const basic = `Basic ${Buffer.from('user:word').toString('base64')}`;
    expect(seen).toEqual(['/a?program=1', '/b', '/c'].map((path) => [path, 'Airdesk', 'identity', basic]));
  });

  it('is read by ticks among many connections, up to its end', async () => {
    const clock = new FakeClock();
    const ticks = new ReadTicks(clock);
    for (let count = 1; count < 8; count++)
      ticks.join({ stop: () => false, start: () => undefined, read: () => 'nothing' });
    const answered = Promise.withResolvers<ServerResponse>();
    const base = await serve((_request, response) => {
      answered.resolve(response);
      response.flushHeaders();
    });
    const sink = new RecordingInput();
    start(`${base}/x`, sink, { ticks });
    const response = await answered.promise;
    let sent = 0;
    const send = async (bytes: number): Promise<void> => {
      const piece = stream.subarray(sent, sent + bytes);
      sent += piece.length;
      await new Promise((resolve) => response.write(piece, resolve));
    };
    for (let tick = 0; tick < 4; tick++) {
      await send(1000);
      await until('the sent bytes', () => sink.bytes === sent, 20_000);
      clock.advance(40);
    }
    await send(1000);
    for (let turn = 0; turn < 5; turn++) await new Promise((resolve) => setImmediate(resolve));
    expect(sink.bytes).toBe(sent - 1000);
    const advanceUntil = (what: string, isThere: () => boolean): Promise<boolean> =>
      until(
        what,
        () => {
          clock.advance(40);
          return isThere();
        },
        20_000,
      );
    await advanceUntil('the sent bytes', () => sink.bytes === sent);
    await send(stream.length);
    response.end();
    await advanceUntil('the end of the input', () => sink.ends.length > 0);
    expect(sink.ends.map(({ code }) => code)).toEqual(['input_ended']);
    expect(sink.units('v1')).toHaveLength(50);
  });

  it('ends with a code for the reason', async () => {
    expect(await endOf((_, response) => response.writeHead(404).end())).toBe('input_refused');
    expect(await endOf((_, response) => response.writeHead(302, { location: '/again' }).end())).toBe('input_refused');
    expect(await endOf((_, response) => response.writeHead(302, { location: 'file:///etc/hosts' }).end())).toBe(
      'input_refused',
    );
    expect(await endOf((_, response) => response.end(Buffer.alloc(100_000, 0x20)))).toBe('ts_not_mpegts');
    expect(await endOf(() => undefined, { answerTimeoutMs: 50 })).toBe('input_timed_out');
    expect(await endOf((_, response) => response.write(stream.subarray(0, 1880)), { silenceTimeoutMs: 50 })).toBe(
      'input_stalled',
    );
    expect(
      await endOf((_, response) => {
        response.writeHead(200, { 'content-length': stream.length });
        response.write(stream.subarray(0, 50_000), () => response.destroy());
      }),
    ).toBe('input_ended');
  });

  it('ends with input_ended, not input_unreachable, when its connection is reset in the middle', async () => {
    const code = await endOf((_request, response) => {
      response.write(stream.subarray(0, stream.length / 2));
      setImmediate(() => response.socket?.resetAndDestroy());
    });
    expect(code).toBe('input_ended');
  });

  it('ends as unreachable if nothing listens, or the listener does not speak HTTP', async () => {
    const sink = new RecordingInput();
    start(`tshttp://127.0.0.1:${await freePort()}/x`, sink);
    expect((await sink.end()).code).toBe('input_unreachable');
    const server = createTcpServer((socket) => socket.end('SSH-2.0-none\r\n'));
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const other = new RecordingInput();
    start(`tshttp://127.0.0.1:${(server.address() as AddressInfo).port}/x`, other);
    expect((await other.end()).code).toBe('input_unreachable');
    server.close();
  });

  it('disconnects from the server when closed, and emits nothing afterwards', async () => {
    let left = (): void => undefined;
    const disconnected = new Promise<void>((resolve) => (left = resolve));
    const base = await serve((request, response) => {
      request.socket.once('close', left);
      response.write(stream);
    });
    const sink = new RecordingInput();
    const input = start(`${base}/x`, sink);
    await sink.until(() => sink.units().length > 20);
    await input.close();
    await disconnected;
    expect(sink.ends).toEqual([]);
  });
});

describe('parseTsHttpAddress', () => {
  it('accepts valid addresses and refuses others', () => {
    expect(parseTsHttpAddress('tshttps://u:p@example.org:8443/live?program=12&x=1')).toMatchObject({
      program: 12,
      url: { href: 'https://u:p@example.org:8443/live?program=12&x=1' },
    });
    expect(parseTsHttpAddress('tshttp://example.org/x')).toEqual({ url: new URL('http://example.org/x') });
    for (const text of ['tshttp://', 'tsftp://a/b', 'x', ''])
      expect(parseTsHttpAddress(text)).toMatchObject({ code: 'bad_input_url' });
  });
});

describe('TsPublisher', () => {
  it('emits the frames of the pushed bytes, and ends once', () => {
    const sink = new RecordingInput();
    const publisher = new TsPublisher(sink);
    for (let at = 0; at < stream.length; at += 10_000)
      expect(publisher.push(stream.subarray(at, at + 10_000))).toBe(true);
    publisher.end({ code: 'publish_closed', detail: 'the body is over' });
    publisher.end({ code: 'publish_kicked', detail: 'too late' });
    expect(publisher.push(stream)).toBe(false);
    expect(sink.units('v1')).toHaveLength(50);
    expect(sink.ends).toEqual([{ code: 'publish_closed', detail: 'the body is over' }]);
    expect(sink.bytes).toBe(stream.length);
  });

  it('is ended after 64 KiB of other data', () => {
    const sink = new RecordingInput();
    const publisher = new TsPublisher(sink);
    let pushedBytes = 0;
    while (publisher.push(Buffer.alloc(1000, 'no packets'))) pushedBytes += 1000;
    expect(pushedBytes).toBeLessThanOrEqual(66_000);
    expect(sink.ends.map(({ code }) => code)).toEqual(['ts_not_mpegts']);
  });
});
