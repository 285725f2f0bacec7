import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { FakeClock } from '../../tests/helpers/fake-clock.ts';
import { after, answering, answeringEarly, HttpSink, type HttpBehaviour } from '../../tests/helpers/http-sink.ts';
import { spliceInsert } from '../../tests/helpers/splice-sections.ts';
import { RecordingSink } from '../../tests/helpers/recording-sink.ts';
import { makeTestCertificate } from '../../tests/helpers/test-certificate.ts';
import { testMedia } from '../../tests/helpers/test-media.ts';
import { until } from '../../tests/helpers/until.ts';
import { OutgoingHosts } from '../lib/outgoing-hosts.ts';
import { MpegTsReader } from '../media/containers/mpegts/reader.ts';
import type { AccessUnit } from '../media/access-unit.ts';
import { StreamHub } from '../stream/stream-hub.ts';
import type { StreamSplice } from '../stream/stream-splice.ts';
import { DatagramPacer } from './mpegts/datagram-pacer.ts';
import type { PushNotice, PushSpec, PushStatus } from './push-spec.ts';
import { StreamPushes } from './stream-pushes.ts';

const KEY = 'short';
const PASSWORD = 'pass/word';
const LIMIT_MS = 20_000;
const media = testMedia();
let clock: FakeClock;
let hub: StreamHub;
let pushes: StreamPushes;
let notices: PushNotice[];
/** Media time of the next unit, in 90 kHz ticks. */
let ticks: number;
const open: { close(): Promise<void> }[] = [];

beforeEach(() => {
  clock = new FakeClock();
  hub = new StreamHub(clock, () => undefined);
  notices = [];
  ticks = 0;
  pushes = new StreamPushes({
    streamName: 'live/große bühne',
    clock,
    hosts: new OutgoingHosts(),
    pacer: new DatagramPacer(clock),
    // The address is for the key of the log only.
    notice: (notice) => notices.push(notice.event === undefined ? { ...notice, address: '' } : notice),
  });
  hub.addReader(pushes);
  hub.tracks([media.video, media.audio]);
});

afterEach(async () => {
  pushes.close();
  for (const item of open.splice(0)) await item.close();
  // Neither path, query nor login are in a report.
  expect(JSON.stringify(notices)).not.toMatch(/short|pass|mpegts|upload/);
});

async function serve(behaviour?: HttpBehaviour, port = 0): Promise<HttpSink> {
  const sink = await HttpSink.start(port);
  if (behaviour) sink.behaviour = behaviour;
  open.push(sink);
  return sink;
}

function spec(port: number, rest: Partial<PushSpec> = {}): PushSpec {
  const url = `tshttp://127.0.0.1:${port}/upload/${KEY}?key=${KEY}`;
  return { index: 0, url, retryMs: 5000, retryLimit: null, timeoutMs: 10_000, ...rest };
}

/** Sends media of some seconds at once. */
function send(seconds: number): AccessUnit[] {
  const units = [...media.units(seconds, ticks)];
  for (const unit of units) {
    clock.stall(Math.max(0, (unit.dtsTicks - ticks) / 90));
    ticks = Math.max(ticks, unit.dtsTicks);
    hub.accessUnit(unit);
  }
  ticks += 3600;
  return units;
}

function status(index = 0): PushStatus {
  const push = pushes.status()[index];
  if (!push) throw new Error('there is no push');
  expect(JSON.stringify(push)).not.toMatch(/short|pass|mpegts|upload/);
  return push;
}

/** Lets time pass in the steps of a running server, and sockets work. */
async function pass(ms: number): Promise<void> {
  for (let left = ms; left > 0; left -= 250) {
    clock.advance(Math.min(left, 250));
    for (let turns = 0; turns < 5; turns++) await new Promise((resolve) => setImmediate(resolve));
  }
}

function untilPhase(phase: PushStatus['phase'], code?: string): Promise<unknown> {
  return until(
    `${phase} ${code ?? ''}`,
    async () => {
      const found = status();
      if (found.phase === phase && (code === undefined || found.fault?.code === code)) return true;
      // The time for a refusal.
      await pass(250);
      return false;
    },
    LIMIT_MS,
    () => JSON.stringify([status(), notices]),
  );
}

/** Sends a second of media, and waits until the target takes it. */
async function untilRunning(): Promise<AccessUnit[]> {
  const sent = send(1);
  await untilPhase('running');
  return sent;
}

/** Units in a body. */
function unitsOf(chunks: readonly Buffer[]): RecordingSink {
  const sink = new RecordingSink();
  const reader = new MpegTsReader(sink);
  for (const chunk of chunks) reader.push(chunk);
  reader.flush();
  return sink;
}

const shape = ({ trackId, data, isRandomAccess }: AccessUnit): unknown[] => [trackId, data.length, isRandomAccess];

describe('a push by HTTP', () => {
  it('sends all frames as one body, from a key frame on, and ends it in order', async () => {
    const sink = await serve();
    pushes.set([spec(sink.port)]);
    expect(status()).toMatchObject({ phase: 'pending', url: `tshttp://127.0.0.1:${sink.port}/***` });
    const sent = [...(await untilRunning()), ...send(3)];
    await pass(250);
    expect(status()).toMatchObject({ tries: 1, tracks: ['v1', 'a1'], droppedUnits: 0, acknowledgedBytes: null });
    pushes.close();
    await until('the end of the body', () => sink.requests[0]?.isComplete, LIMIT_MS);
    const [request] = sink.requests;
    expect([sink.requests.length, request?.method, request?.path]).toEqual([1, 'PUT', `/upload/${KEY}?key=${KEY}`]);
    expect(request?.headers).toMatchObject({ 'content-type': 'video/mp2t', 'transfer-encoding': 'chunked' });
    expect(request?.headers).not.toHaveProperty('authorization');
    const seen = unitsOf(request?.chunks ?? []);
    expect(seen.problems).toEqual([]);
    for (const id of ['v1', 'a1']) {
      const of = (units: readonly AccessUnit[]): AccessUnit[] => units.filter(({ trackId }) => trackId === id);
      expect(of(seen.units()).map(shape)).toEqual(of(sent).map(shape));
      const distances = of(seen.units()).map(({ dtsTicks }, index) => dtsTicks - (of(sent)[index]?.dtsTicks ?? 0));
      expect(new Set(distances).size).toBe(1);
    }
  });

  it('completes the path with the name of the stream, and sends the login', async () => {
    const sink = await serve();
    const url = `tshttp://user:${encodeURIComponent(PASSWORD)}@127.0.0.1:${sink.port}/`;
    pushes.set([spec(sink.port, { url })]);
    expect(status().url).toBe(`tshttp://127.0.0.1:${sink.port}/***`);
    await untilRunning();
    const [request] = sink.requests;
    expect(request?.path).toBe('/live/gro%C3%9Fe%20b%C3%BChne/mpegts');
    expect(request?.headers.authorization).toBe(`Basic ${Buffer.from(`user:${PASSWORD}`).toString('base64')}`);
  });

  it('goes on after an answer that comes before the end of the body', async () => {
    const sink = await serve(answeringEarly(200));
    pushes.set([spec(sink.port)]);
    await untilRunning();
    const before = status().bytes;
    for (let round = 0; round < 5; round++) {
      send(1);
      await pass(250);
    }
    expect(status()).toMatchObject({ phase: 'running', tries: 1 });
    expect(status().bytes).toBeGreaterThan(before + 30_000);
    await until('the bytes', () => Buffer.concat(sink.requests[0]?.chunks ?? []).length >= status().bytes, LIMIT_MS);
  });

  it('continues on its connection when the encoder comes back, and marks the jump of the times', async () => {
    const sink = await serve();
    pushes.set([spec(sink.port)]);
    await untilRunning();
    send(2);
    hub.inputEnded();
    await pass(5000);
    ticks = 0;
    hub.tracks([media.video, media.audio]);
    send(2);
    await pass(250);
    pushes.close();
    await until('the end of the body', () => sink.requests[0]?.isComplete, LIMIT_MS);
    expect(sink.requests).toHaveLength(1);
    const seen = unitsOf(sink.requests[0]?.chunks ?? []);
    expect(seen.units('v1')).toHaveLength(125);
    expect(seen.problems).toEqual([]);
  });

  it('is back after its server was away, with a key frame first', async () => {
    let sink = await serve();
    const { port } = sink;
    pushes.set([spec(port)]);
    await untilRunning();
    await sink.close();
    open.length = 0;
    await untilPhase('retry', 'push_lost');
    await pass(5000);
    await untilPhase('retry', 'push_unreachable');
    sink = await serve(undefined, port);
    await pass(5000);
    await untilRunning();
    await until('media', () => (sink.requests[0]?.chunks.length ?? 0) > 0, LIMIT_MS);
    pushes.close();
    await until('the end of the body', () => sink.requests[0]?.isComplete, LIMIT_MS);
    const [first] = unitsOf(sink.requests[0]?.chunks ?? []).units('v1');
    expect(first?.isRandomAccess).toBe(true);
  });
});

it('a push by HTTP carries splice points', async () => {
  const sink = await serve();
  pushes.set([spec(sink.port)]);
  await untilRunning();
  const nothing = (): void => undefined;
  const sections: string[] = [];
  const splice = ({ section }: StreamSplice): void => void sections.push(Buffer.from(section).toString('hex'));
  hub.addReader({ tracks: nothing, discontinuity: nothing, unit: nothing, idle: nothing, splice });
  hub.splice({ sourceId: 0, section: spliceInsert({ ptsTicks: ticks + 90_000 }), atTicks: ticks });
  send(2);
  await pass(250);
  pushes.close();
  await until('the end of the body', () => sink.requests[0]?.isComplete, LIMIT_MS);
  const { splices } = unitsOf(sink.requests[0]?.chunks ?? []);
  expect(sections).toHaveLength(1);
  expect(splices.map(({ section }) => Buffer.from(section).toString('hex'))).toEqual(sections);
});

describe('a hostile HTTP server', () => {
  const TARGET = 'http://192.0.2.1/upload';
  it.each<readonly [string, string, string, HttpBehaviour]>([
    ['wants a login', 'push_login', 'push_status_login', answeringEarly(401, { 'www-authenticate': 'Basic' })],
    ['refuses', 'push_refused', 'push_status_login', answeringEarly(403)],
    ['knows no such path', 'push_refused', 'push_status_path', answeringEarly(404)],
    ['has a stream there', 'push_refused', 'push_status_busy', answeringEarly(409)],
    ['is out of order', 'push_refused', 'push_status_failed', answeringEarly(503)],
    ['asks for less', 'push_refused', 'push_status', answeringEarly(413)],
    ['redirects', 'push_refused', 'push_redirected', answeringEarly(307, { location: TARGET })],
    ['refuses and closes', 'push_refused', 'push_status_login', answeringEarly(403, { connection: 'close' })],
    [
      'refuses in the middle of the body',
      'push_refused',
      'push_status_busy',
      (request, response) => {
        let bytes = 0;
        request.on('data', (chunk: Buffer) => {
          bytes += chunk.length;
          if (bytes > 20_000 && !response.headersSent) response.writeHead(409).end(KEY);
        });
      },
    ],
    ['closes at once', 'push_lost', 'push_closed_by_target', (request) => request.socket.destroy()],
    [
      'closes in the middle of the body',
      'push_lost',
      'push_closed_by_target',
      after(20_000, (request) => request.socket.destroy()),
    ],
    [
      'closes its half of the connection',
      'push_lost',
      'push_closed_by_target',
      after(20_000, (request) => request.socket.end()),
    ],
    [
      'does not speak HTTP',
      'push_bad_answer',
      'push_answer_not_http',
      (request) => request.socket.write('220 mail.example.org ESMTP\r\n'),
    ],
    [
      'has an endless header',
      'push_bad_answer',
      'push_answer_not_http',
      (request) => request.socket.write(`HTTP/1.1 200 OK\r\nX: ${'x'.repeat(40_000)}`),
    ],
    [
      'has an endless answer',
      'push_bad_answer',
      'push_answer_long',
      (_request, response) => void response.writeHead(200).write('x'.repeat(70_000)),
    ],
  ])('that %s costs its own push only: %s', async (_what, code, explanation, behaviour) => {
    const [bad, good] = [await serve(behaviour), await serve()];
    pushes.set([spec(bad.port), spec(good.port, { index: 1 })]);
    send(1);
    await until('the good target', async () => {
      await pass(250);
      send(0.25);
      return status(1).phase === 'running';
    }, LIMIT_MS); // prettier-ignore
    await until('the fault', async () => {
      send(0.25);
      await pass(0.1);
      return notices.some(({ event }) => event === 'push_blocked');
    }, LIMIT_MS); // prettier-ignore
    const [blocked] = notices.filter((notice) => notice.event === 'push_blocked');
    expect(blocked).toMatchObject({ code, explanation: { code: explanation }, url: `tshttp://127.0.0.1:${bad.port}/***` }); // prettier-ignore
    expect(status(1)).toMatchObject({ phase: 'running', tries: 1, droppedUnits: 0 });
  });

  it('that stops reading gets no more than the limit, is disconnected, and tried again', async () => {
    const sink = await serve(() => undefined);
    sink.isReading = false;
    pushes.set([spec(sink.port)]);
    await untilRunning();
    // The system takes some megabytes.
    await until(
      'dropped units',
      async () => {
        for (let round = 0; round < 15; round++) {
          send(4);
          await new Promise((resolve) => setImmediate(resolve));
        }
        return status().droppedUnits > 0;
      },
      LIMIT_MS,
      () => JSON.stringify(status()),
    );
    expect(status()).toMatchObject({ phase: 'running', fault: { code: 'push_slow' } });
    expect(status().lagMs).toBeGreaterThan(2500);
    // The media was sent faster than in real time, so the server has not read for long.
    await pass(250);
    await untilPhase('retry', 'push_stalled');
  });

  it('whose certificate is unknown gets no byte of the request', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'airdesk-push-http-'));
    const sink = await HttpSink.start(0, makeTestCertificate(folder, 'own'));
    rmSync(folder, { recursive: true });
    open.push(sink);
    const url = `tshttps://localhost:${sink.port}/upload/${KEY}`;
    pushes.set([spec(sink.port, { url })]);
    send(1);
    await untilPhase('retry', 'push_bad_certificate');
    expect(sink.requests).toEqual([]);
    expect(status()).toMatchObject({ bytes: 0, url: `tshttps://localhost:${sink.port}/***` });
  });

  it('at a name that leads into the own network is not asked', async () => {
    const sink = await serve(answering(201));
    const lookup = new Map([['public.example', ['203.0.113.1']]]);
    const hosts = new OutgoingHosts({
      lookup: (name, done) => {
        done(
          null,
          (lookup.get(name) ?? []).map((address) => ({ address, family: 4 })),
        );
      },
    });
    hosts.learn('public.example', 'public');
    lookup.set('public.example', ['127.0.0.1']);
    pushes = new StreamPushes({
      streamName: 'cam',
      clock,
      hosts,
      pacer: new DatagramPacer(clock),
      // The address is for the key of the log only.
      notice: (notice) => notices.push(notice.event === undefined ? { ...notice, address: '' } : notice),
    });
    hub.addReader(pushes);
    pushes.tracks([media.video, media.audio]);
    pushes.set([spec(sink.port, { url: `tshttp://public.example:${sink.port}/${KEY}` })]);
    send(1);
    await untilPhase('retry', 'push_forbidden');
    expect(sink.connections).toBe(0);
  });
});
