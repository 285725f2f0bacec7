import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { FakeClock } from '../../tests/helpers/fake-clock.ts';
import { answering, answeringEarly, HttpSink, type HttpBehaviour } from '../../tests/helpers/http-sink.ts';
import { RecordingSink } from '../../tests/helpers/recording-sink.ts';
import { testMedia, type TestMedia } from '../../tests/helpers/test-media.ts';
import { until } from '../../tests/helpers/until.ts';
import { OutgoingHosts } from '../lib/outgoing-hosts.ts';
import type { AccessUnit } from '../media/access-unit.ts';
import { MpegTsReader } from '../media/containers/mpegts/reader.ts';
import type { MediaPlaylist } from '../media/manifests/hls/media-playlist.ts';
import { parsePlaylist } from '../media/manifests/hls/parse-playlist.ts';
import { StreamHub } from '../stream/stream-hub.ts';
import { DatagramPacer } from './mpegts/datagram-pacer.ts';
import type { PushNotice, PushSpec, PushStatus } from './push-spec.ts';
import { StreamPushes } from './stream-pushes.ts';

const KEY = 'short';
const LIMIT_MS = 30_000;
const media = testMedia();
/** Media with one key frame in 16 seconds. */
const distant = testMedia({ gopFrames: 400 });
let clock: FakeClock;
let hub: StreamHub;
let pushes: StreamPushes;
let notices: PushNotice[];
/** Media time of the newest unit, in 90 kHz ticks, and the next units. */
let ticks: number;
let units: Generator<AccessUnit>;
let sent: AccessUnit[];
const open: { close(): Promise<void> }[] = [];

function start(): void {
  hub = new StreamHub(clock, () => undefined);
  pushes = new StreamPushes({
    streamName: 'studio',
    clock,
    hosts: new OutgoingHosts(),
    pacer: new DatagramPacer(clock),
    // The address is for the key of the log only.
    notice: (notice) => notices.push(notice.event === undefined ? { ...notice, address: '' } : notice),
  });
  hub.addReader(pushes);
}

beforeEach(() => {
  clock = new FakeClock();
  notices = [];
  sent = [];
  start();
  play(media, 0);
});

afterEach(async () => {
  pushes.close();
  for (const item of open.splice(0)) await item.close();
  // Neither path nor query are in a report.
  expect(JSON.stringify(notices)).not.toMatch(/short|upload|index/);
});

/** Server that stores files, and all versions of the playlist. */
class FileServer {
  readonly files = new Map<string, Buffer>();
  readonly playlists: MediaPlaylist[] = [];
  readonly segments: { readonly name: string; readonly bytes: Buffer }[] = [];
  readonly removed: string[] = [];
  /** Behaviour instead of the storage for a request. */
  instead: (method: string, path: string) => HttpBehaviour | undefined = () => undefined;
  readonly sink: HttpSink;

  private constructor(sink: HttpSink) {
    this.sink = sink;
    sink.behaviour = (request, response, sunk) => {
      const { method, path } = sunk;
      const name = /^\/upload\/short\/([^/?]*)\?key=short$/.exec(path)?.[1] ?? '';
      const other = this.instead(method, name);
      if (other) {
        other(request, response, sunk);
        return;
      }
      request.once('end', () => {
        const bytes = Buffer.concat(sunk.chunks);
        const known = this.files.get(name);
        if (method === 'PUT') this.#store(name, bytes);
        if (method === 'DELETE' && this.files.delete(name)) this.removed.push(name);
        response.writeHead(method === 'PUT' ? 201 : known ? 200 : 404).end(method === 'GET' ? known : undefined);
      });
    };
  }

  static async start(port = 0): Promise<FileServer> {
    const server = new FileServer(await HttpSink.start(port));
    open.push(server.sink);
    return server;
  }

  get playlist(): MediaPlaylist {
    const playlist = this.playlists.at(-1);
    if (!playlist) throw new Error('there is no playlist');
    return playlist;
  }

  #store(name: string, bytes: Buffer): void {
    this.files.set(name, bytes);
    if (name !== 'index.m3u8') {
      this.segments.push({ name, bytes });
      return;
    }
    const playlist = parsePlaylist(bytes.toString());
    if (playlist?.kind !== 'media') throw new Error('no playlist');
    // All listed segments are there, and players may rely on the numbers.
    for (const { uri = '' } of playlist.segments) expect(this.files.has(uri)).toBe(true);
    const before = this.playlists.at(-1);
    expect(playlist.targetMs).toBe(10_000);
    expect(playlist.mediaSequence).toBeGreaterThanOrEqual(before?.mediaSequence ?? 0);
    for (const { msn, uri } of playlist.segments)
      expect(before?.segments.find((segment) => segment.msn === msn)?.uri ?? uri).toBe(uri);
    this.playlists.push(playlist);
  }
}

function spec(port: number, rest: Partial<PushSpec> = {}): PushSpec {
  const url = `hls://127.0.0.1:${port}/upload/${KEY}/index.m3u8?key=${KEY}`;
  return { index: 0, url, retryMs: 5000, retryLimit: null, timeoutMs: 600_000, ...rest };
}

/** Plays a source from its start on, at a time in 90 kHz ticks. */
function play(source: TestMedia, startTicks: number): void {
  hub.tracks([source.video, source.audio]);
  ticks = startTicks;
  units = source.units(Infinity, startTicks);
}

/** Sends a second of media, and lets sockets work. */
async function second(): Promise<void> {
  const endTicks = ticks + 90_000;
  while (ticks < endTicks) {
    // The source is endless.
    const unit = units.next().value as AccessUnit;
    clock.stall(Math.max(0, (unit.dtsTicks - ticks) / 90));
    ticks = Math.max(ticks, unit.dtsTicks);
    hub.accessUnit(unit);
    sent.push(unit);
  }
  clock.advance(0);
  for (let turns = 0; turns < 20; turns++) await new Promise((resolve) => setImmediate(resolve));
}

/** Sends media until something has happened. */
async function playUntil(what: string, condition: () => boolean): Promise<void> {
  for (let left = 1000; !condition(); left--) {
    if (left === 0) throw new Error(`no ${what}: ${JSON.stringify([pushes.status(), notices])}`);
    await second();
  }
}

function status(index = 0): PushStatus {
  const push = pushes.status()[index];
  if (!push) throw new Error('there is no push');
  expect(JSON.stringify(push)).not.toMatch(/short|upload|index\./);
  return push;
}

function unitsOf(segments: readonly { readonly bytes: Buffer }[]): RecordingSink {
  const sink = new RecordingSink();
  const reader = new MpegTsReader(sink);
  for (const { bytes } of segments) reader.push(bytes);
  reader.flush();
  return sink;
}

const sizes = (units: readonly AccessUnit[], id: string): unknown[] =>
  units.filter(({ trackId }) => trackId === id).map(({ data, isRandomAccess }) => [data.length, isRandomAccess]);

describe('a push as HLS', () => {
  it('sends all frames in segments that start with a key frame, and removes old ones', async () => {
    const server = await FileServer.start();
    pushes.set([spec(server.sink.port)]);
    await playUntil('removed segments', () => server.removed.length > 3);
    expect(status()).toMatchObject({ phase: 'running', tries: 1, tracks: ['v1', 'a1'], droppedUnits: 0 });
    const before = server.playlists.length;
    pushes.close();
    await until('the last segment', () => server.playlists.length > before, LIMIT_MS);
    const seen = unitsOf(server.segments);
    expect(seen.problems).toEqual([]);
    for (const id of ['v1', 'a1']) {
      // It starts with the stored group of pictures.
      const [all, got] = [sizes(sent, id), sizes(seen.units(), id)];
      expect(got.length).toBeGreaterThan(all.length - 60);
      expect(got).toEqual(all.slice(-got.length));
    }
    for (const segment of server.segments) expect(unitsOf([segment]).units('v1')[0]?.isRandomAccess).toBe(true);
    const { segments, mediaSequence, discontinuitySequence } = server.playlist;
    expect(segments.slice(0, -1).map(({ durationMs }) => durationMs)).toEqual(segments.slice(0, -1).map(() => 4000));
    expect([mediaSequence > 1_700_000_000, discontinuitySequence]).toEqual([true, 1]);
    expect(server.removed).toEqual(server.segments.slice(0, server.removed.length).map(({ name }) => name));
    const [segment, playlist] = server.sink.requests.filter(({ method }) => method === 'PUT');
    expect(segment?.headers['content-type']).toBe('video/mp2t');
    expect(playlist?.headers['content-type']).toBe('application/vnd.apple.mpegurl');
    expect(server.sink.connections).toBe(1);
  });

  it('runs when the server has confirmed a segment and the playlist, and counts confirmed bytes', async () => {
    const server = await FileServer.start();
    let answer = (): void => undefined;
    server.instead = (method, name) =>
      method === 'PUT' && name === 'index.m3u8' && server.playlists.length === 0
        ? (_request, response) => {
            answer = () => {
              response.writeHead(201).end();
              server.instead = () => undefined;
              answer = () => undefined;
            };
          }
        : undefined;
    pushes.set([spec(server.sink.port)]);
    await playUntil('a segment', () => server.sink.requests.some(({ path }) => path.includes('index.m3u8') && server.segments.length > 0)); // prettier-ignore
    await playUntil('confirmed bytes', () => (status().acknowledgedBytes ?? 0) > 0);
    expect(status().phase).toBe('starting');
    expect(status().acknowledgedBytes).toBe(server.segments[0]?.bytes.length);
    await playUntil('the playlist', () => {
      answer();
      return status().phase === 'running';
    });
  });

  it('cuts segments whose key frames are too far apart', async () => {
    play(distant, 0);
    const server = await FileServer.start();
    pushes.set([spec(server.sink.port)]);
    await playUntil('five segments', () => server.playlists.length >= 5);
    const durations = server.playlist.segments.map(({ durationMs }) => durationMs);
    expect(Math.max(...durations)).toBeLessThanOrEqual(10_499);
    expect(Math.max(...durations)).toBeGreaterThan(10_000);
    expect(unitsOf(server.segments).problems).toEqual([]);
  });

  it('sends sound without pictures', async () => {
    hub.tracks([media.audio]);
    const server = await FileServer.start();
    pushes.set([spec(server.sink.port)]);
    await playUntil('three segments', () => server.playlists.length >= 3);
    for (const { durationMs } of server.playlist.segments) expect(durationMs).toBeGreaterThanOrEqual(4000);
    expect(unitsOf(server.segments).units('v1')).toEqual([]);
  });

  it('marks a jump of the times', async () => {
    const server = await FileServer.start();
    pushes.set([spec(server.sink.port)]);
    await playUntil('two segments', () => server.playlists.length >= 2);
    expect(server.playlist.segments.map(({ discontinuities }) => discontinuities)).toEqual([1, 1]);
    hub.inputEnded();
    clock.stall(5000);
    play(media, 1_000_000_000);
    await playUntil('two more', () => server.playlists.length >= 5);
    expect(server.playlist.segments.at(-1)?.discontinuities).toBe(2);
    const last = server.segments.at(-1);
    expect(last && unitsOf([last]).units('v1').length).toBeGreaterThanOrEqual(100);
  });

  it('continues its playlist after a fault, and after a restart with a wrong clock', async () => {
    const server = await FileServer.start();
    pushes.set([spec(server.sink.port)]);
    await playUntil('three segments', () => server.playlists.length >= 3);
    server.instead = () => answering(500);
    await playUntil('a fault', () => status().phase === 'retry');
    expect(status().fault).toMatchObject({ code: 'push_refused', explanation: { code: 'push_status_failed' } });
    server.instead = () => undefined;
    const before = server.playlists.length;
    await playUntil('two more', () => server.playlists.length >= before + 2);
    expect(server.playlist.segments.map(({ discontinuities }) => discontinuities)).toEqual([1, 1, 1, 2, 2]);
    const stopped = server.playlists.length;
    pushes.close();
    await until('the last segment', () => server.playlists.length > stopped, LIMIT_MS);
    clock.step(-1_000_000_000_000);
    start();
    play(media, 0);
    pushes.set([spec(server.sink.port)]);
    const restarted = server.playlists.length;
    await playUntil('two more', () => server.playlists.length >= restarted + 2);
    expect(server.playlist.segments.at(-1)?.discontinuities).toBe(3);
    expect(new Set(server.segments.map(({ name }) => name)).size).toBe(server.segments.length);
  });

  it.each<readonly [string, HttpBehaviour]>([
    ['refuses to remove', answering(405)],
    ['closes the connection when it is to remove', (request) => request.socket.destroy()],
    ['does not answer when it is to remove', () => undefined],
  ])('goes on with a server that %s files', async (_what, behaviour) => {
    const server = await FileServer.start();
    server.instead = (method) => (method === 'DELETE' ? behaviour : undefined);
    pushes.set([spec(server.sink.port)]);
    await playUntil('a removal', () => server.sink.requests.some(({ method }) => method === 'DELETE'));
    const before = server.playlists.length;
    await playUntil('three more', () => server.playlists.length >= before + 3);
    expect(status()).toMatchObject({ phase: 'running', tries: 1, droppedUnits: 0 });
  });

  it('sends a file again if the server has just closed the connection', async () => {
    const server = await FileServer.start();
    pushes.set([spec(server.sink.port)]);
    await playUntil('a segment', () => server.playlists.length >= 1);
    let isClosed = false;
    server.instead = () => {
      if (isClosed) return undefined;
      isClosed = true;
      return (request) => request.socket.destroy();
    };
    await playUntil('two more', () => server.playlists.length >= 3);
    expect(status()).toMatchObject({ phase: 'running', tries: 1 });
    expect([isClosed, server.sink.connections]).toEqual([true, 2]);
  });
});

describe('a hostile server for HLS', () => {
  it.each<readonly [string, string, string, HttpBehaviour]>([
    ['wants a login', 'push_login', 'push_status_login', answering(401, { 'www-authenticate': 'Basic' })],
    ['refuses before it has read the file', 'push_refused', 'push_status_login', answeringEarly(403)],
    ['knows no such path', 'push_refused', 'push_status_path', answering(404)],
    ['is full', 'push_refused', 'push_status_failed', answering(507)],
    ['redirects', 'push_refused', 'push_redirected', answering(307, { location: 'http://192.0.2.1/' })],
    ['closes in a file', 'push_lost', 'push_closed_by_target', (request) => request.once('data', () => request.socket.destroy())], // prettier-ignore
    ['closes its half in a file', 'push_lost', 'push_closed_by_target', (request) => request.once('data', () => request.socket.end())], // prettier-ignore
    ['does not speak HTTP', 'push_bad_answer', 'push_answer_not_http', (request) => request.socket.write('220 hi\r\n')],
    ['has an endless answer', 'push_bad_answer', 'push_answer_long', (_request, response) => void response.write('x'.repeat(70_000))], // prettier-ignore
    ['does not answer', 'push_no_answer', 'push_no_confirmation', () => undefined],
  ])('that %s costs its own push only: %s', async (_what, code, explanation, behaviour) => {
    const [bad, good] = [await FileServer.start(), await FileServer.start()];
    bad.instead = (method) => (method === 'PUT' ? behaviour : undefined);
    pushes.set([spec(bad.sink.port, { timeoutMs: 10_000 }), spec(good.sink.port, { index: 1 })]);
    await playUntil('the fault', () => status().fault !== undefined);
    expect(status().fault).toMatchObject({ code, explanation: { code: explanation } });
    expect(status()).toMatchObject({ url: `hls://127.0.0.1:${bad.sink.port}/***`, acknowledgedBytes: 0 });
    // It never counted as running.
    expect(notices.filter(({ event, url }) => event === 'push_started' && url === status().url)).toEqual([]);
    await playUntil('the good server', () => good.playlists.length >= 2);
    expect(status(1)).toMatchObject({ phase: 'running', tries: 1, droppedUnits: 0 });
  });

  it('that takes no file gets a bounded number of segments, and pictures are dropped', async () => {
    const server = await FileServer.start();
    pushes.set([spec(server.sink.port)]);
    await playUntil('a segment', () => status().phase === 'running');
    server.instead = () => () => undefined;
    await playUntil('dropped units', () => status().droppedUnits > 1000);
    expect(status()).toMatchObject({ phase: 'running', fault: { code: 'push_slow' } });
    expect(status().lagMs).toBeLessThanOrEqual(12_000 + 10_500);
    expect(notices.at(-1)).toMatchObject({ event: 'push_blocked', code: 'push_slow' });
  });

  it('that does not listen is reported at once', async () => {
    const server = await FileServer.start();
    const { port } = server.sink;
    await server.sink.close();
    open.length = 0;
    pushes.set([spec(port)]);
    await second();
    await until('the fault', () => status().fault?.code === 'push_unreachable', LIMIT_MS);
    expect(status().phase).toBe('retry');
  });
});
