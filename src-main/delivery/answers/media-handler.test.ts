import { describe, expect, it } from 'vitest';
import { type AdDecision, USUAL_RULES } from '../../ads/decision/ad-decision.ts';
import { InPlacePlan } from '../../ads/placement/in-place/in-place-plan.ts';
import { InPlaceWindow } from '../../ads/placement/in-place/in-place-window.ts';
import { StreamOutput } from '../stream-output.ts';
import { type EdgeRun, request, type HttpReply, startedEdge } from '../../../tests/helpers/edge-run.ts';
import { StreamRun } from '../../../tests/helpers/stream-run.ts';
import { readStrictPlaylist } from '../../../tests/helpers/strict-playlist.ts';
import { until } from '../../../tests/helpers/until.ts';

const PLAIN = { video: { fps: 25, gopFrames: 50, bFrames: 0 }, audio: { sampleRate: 48_000, lateMs: 0 }, seconds: 60 };

const DECISION: AdDecision = {
  form: 'in_place',
  prerolls: [],
  midrolls: [],
  insertBy: 'splicing',
  intervalMs: undefined,
  rules: USUAL_RULES,
};

const noClip = (path: string) => ({ path, reason: 'clip_not_found', detail: '' }) as const;

function errorOf(reply: HttpReply): unknown {
  const body: unknown = JSON.parse(reply.body.toString());
  return typeof body === 'object' && body !== null && 'error' in body ? body.error : undefined;
}

/** Media sequence number and index of the last part in a playlist. */
function lastOf(reply: HttpReply): string {
  const last = readStrictPlaylist(reply.body.toString()).segments.at(-1);
  return `${last?.msn}.${(last?.parts.length ?? 0) - 1}`;
}

describe('MediaHandler: blocking playlist requests', () => {
  it('answers at once when the requested media exists, and holds requests for future media', async () => {
    const run = await startedEdge();
    const play = run.stream.playing(PLAIN);
    play(5100);
    expect(lastOf(await run.get('/cam/v1/index.m3u8?_HLS_msn=102&_HLS_part=0'))).toBe('102.1');
    const client = await run.connect();
    client.send(request('/cam/v1/index.m3u8?_HLS_msn=102&_HLS_part=2'));
    const fullClient = await run.connect();
    fullClient.send(request('/cam/v1/index.m3u8?_HLS_msn=102'));
    await until('two waiting requests', () => run.output.waitCount === 2, 30_000);
    play(5800);
    const reply = await client.reply();
    expect(lastOf(reply)).toBe('102.2');
    expect(reply.headers.get('cache-control')).toBe('max-age=12');
    expect(fullClient.unreadBytes).toBe(0);
    play(6200);
    expect(
      readStrictPlaylist((await fullClient.reply()).body.toString()).segments.find(({ msn }) => msn === 102)?.uri,
    ).toBeDefined();
  });

  it('treats a part number after the last part of a segment as the first part of the next segment', async () => {
    const run = await startedEdge();
    const play = run.stream.playing(PLAIN);
    play(5800);
    const client = await run.connect();
    client.send(request('/cam/v1/index.m3u8?_HLS_msn=102&_HLS_part=4'));
    await until('a waiting request', () => run.output.waitCount === 1, 30_000);
    play(6200);
    // The segment ended with four parts, and the next one has none yet.
    expect(run.output.waitCount).toBe(1);
    play(6600);
    expect(lastOf(await client.reply())).toBe('103.0');
  });

  it.each([
    '_HLS_msn=106',
    '_HLS_msn=999999',
    '_HLS_part=1',
    '_HLS_msn=x',
    '_HLS_msn=-1',
    '_HLS_msn=102&_HLS_part=x',
    '_HLS_msn=102&_HLS_part=40',
    '_HLS_msn=102&_HLS_part=99999',
  ])('refuses the invalid request %s', async (query) => {
    const run = await startedEdge();
    run.stream.playing(PLAIN)(5100);
    const reply = await run.get(`/cam/v1/index.m3u8?${query}`);
    expect(reply.status).toBe(400);
    expect(errorOf(reply)).toBe('bad_delivery_directive');
  });

  it('answers 503 after three target durations without the requested media', async () => {
    const run = await startedEdge();
    run.stream.playing(PLAIN)(5100);
    const client = await run.connect();
    client.send(request('/cam/v1/index.m3u8?_HLS_msn=102&_HLS_part=3'));
    await until('a waiting request', () => run.output.waitCount === 1, 30_000);
    run.clock.advance(5900);
    run.output.sweep(run.clock.now());
    expect(run.output.waitCount).toBe(1);
    run.clock.advance(200);
    run.output.sweep(run.clock.now());
    const reply = await client.reply();
    expect(reply.status).toBe(503);
    expect(errorOf(reply)).toBe('blocking_timeout');
    client.send(request('/cam/v1/index.m3u8'));
    expect((await client.reply()).status).toBe(200);
  });

  it('drops the waiting request when its client disconnects', async () => {
    const run = await startedEdge();
    run.stream.playing(PLAIN)(5100);
    const client = await run.connect();
    client.send(request('/cam/v1/index.m3u8?_HLS_msn=103'));
    await until('a waiting request', () => run.output.waitCount === 1, 30_000);
    client.socket.destroy();
    await until('no waiting request', () => run.output.waitCount === 0, 30_000);
  });

  it('ends all waiting requests with 503 when the stream is closed', async () => {
    const run = await startedEdge();
    run.stream.playing(PLAIN)(5100);
    const client = await run.connect();
    client.send(request('/cam/v1/index.m3u8?_HLS_msn=103'));
    await until('a waiting request', () => run.output.waitCount === 1, 30_000);
    run.closeOutput();
    expect((await client.reply()).status).toBe(503);
  });

  it('sends a delta update only if the playlist is long and the request asks for a delta', async () => {
    const skipped = async (segmentCount: number, query: string): Promise<string[] | null> => {
      const run = await startedEdge('cam', { stream: new StreamRun({ segmentCount }) });
      run.stream.playing(PLAIN)(50_100);
      return (await run.get(`/cam/v1/index.m3u8${query}`)).body.toString().match(/#EXT-X-SKIP:.*/gu);
    };
    expect(await skipped(5, '?_HLS_skip=YES')).toBeNull();
    expect(await skipped(20, '')).toBeNull();
    expect(await skipped(20, '?_HLS_skip=YES')).toEqual(['#EXT-X-SKIP:SKIPPED-SEGMENTS=14']);
  });
});

describe('MediaHandler: requests without a media window', () => {
  it('answers media info, the player page and pictures, each with its content type', async () => {
    const run = await startedEdge('live/cam', {
      picture: (stream) =>
        Promise.resolve(
          stream === 'live/cam' ? { jpeg: Buffer.from('jpeg'), takenAtMs: 1_795_233_066_900 } : undefined,
        ),
    });
    expect((await run.get('/live/cam/media_info.json')).body.toString()).toBe(
      '{"name":"live/cam","kind":"media-info"}',
    );
    expect((await run.get('/live/cam/info.json')).headers.get('content-type')).toBe('application/json');
    expect((await run.get('/live/cam/embed.html')).body.toString()).toBe('<p>live/cam</p>');
    const page = await run.get('/live/cam/embed.html');
    expect([page.headers.get('content-security-policy'), page.headers.get('x-content-type-options')]).toEqual([
      "default-src 'none'",
      'nosniff',
    ]);
    const { headers } = await run.get('/live/nothing/embed.html');
    expect([headers.get('x-content-type-options'), headers.get('content-security-policy')]).toEqual([
      'nosniff',
      "default-src 'none'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'",
    ]);
    const picture = await run.get('/live/cam/preview.jpg');
    expect([picture.headers.get('content-type'), picture.headers.get('last-modified')]).toEqual([
      'image/jpeg',
      'Sat, 21 Nov 2026 03:51:06 GMT',
    ]);
    for (const file of ['media_info.json', 'embed.html', 'preview.jpg', 'index.m3u8', 'index.mpd', 'mpegts']) {
      const reply = await run.get(`/live/other/${file}`);
      expect(reply.status).toBe(404);
      expect(errorOf(reply)).toBe('stream_not_found');
    }
  });

  it('answers picture_not_available when the picture cannot be created', async () => {
    const run = await startedEdge('cam', { picture: () => Promise.reject(new Error('no codec')) });
    expect(errorOf(await run.get('/cam/preview.jpg'))).toBe('picture_not_available');
  });

  it('answers 503 with Retry-After while the picture codec is busy', async () => {
    const busy = async (): Promise<'busy'> => Promise.resolve('busy');
    const run = await startedEdge('cam', { picture: busy, pictureAt: busy });
    for (const path of ['/cam/preview.jpg', '/cam/1795233066-preview.jpg']) {
      const reply = await run.get(path);
      expect([reply.status, errorOf(reply), reply.headers.get('retry-after')]).toEqual([503, 'unavailable', '1']);
    }
  });

  it('answers 204 to a request of an optional picture that cannot be created', async () => {
    for (const port of [
      { picture: async (): Promise<'busy'> => Promise.resolve('busy') },
      { picture: async (): Promise<undefined> => Promise.resolve(undefined) },
    ]) {
      const run = await startedEdge('cam', port);
      const { status, headers, body } = await run.get('/cam/preview.jpg?optional=true');
      expect([status, headers.get('cache-control'), body.length]).toEqual([204, 'no-store', 0]);
      expect((await run.get('/other/preview.jpg?optional=true')).status).toBe(404);
    }
  });

  it('answers stream_not_running before the stream has media, and track_not_found for an unknown track', async () => {
    const run = await startedEdge('cam', { names: ['waiting'] });
    for (const path of ['/waiting/index.m3u8', '/cam/index.m3u8', '/cam/index.mpd', '/cam/index.ts.m3u8'])
      expect(errorOf(await run.get(path))).toBe('stream_not_running');
    run.stream.playing(PLAIN)(1000);
    expect(errorOf(await run.get('/cam/v9/index.m3u8'))).toBe('track_not_found');
  });

  it.each([
    ['/..%2fetc/index.m3u8', 404],
    ['/../../etc/passwd/index.m3u8', 404],
    ['/%00/index.m3u8', 404],
    ['/caf%C3%A9/index.m3u8', 200],
    ['/caf\u00c3\u00a9/index.m3u8', 404],
  ])('decodes the percent-encoded stream name in %s', async (path, status) => {
    const run = await startedEdge('café');
    run.stream.playing(PLAIN)(5000);
    expect((await run.get(path)).status).toBe(status);
  });

  it('accepts a name with an escaped slash, and rejects reserved names', async () => {
    const run = await startedEdge('live/cam');
    run.stream.playing(PLAIN)(5000);
    expect((await run.get('/live%2Fcam/v1/index.m3u8')).status).toBe(200);
    expect(run.handler.address('/streamer/x/index.m3u8')).toBeUndefined();
    expect(run.handler.address('/%73treamer/x/index.m3u8')).toBeUndefined();
    expect(run.handler.address('/streamer%2Fx/index.m3u8')).toBeUndefined();
  });

  it('prefers an existing stream when its name ends like a track name', async () => {
    const run = await startedEdge('studio/v1');
    run.stream.playing(PLAIN)(5000);
    expect((await run.get('/studio/v1/index.m3u8')).body.toString()).toContain('#EXT-X-STREAM-INF');
    expect((await run.get('/studio/v1/v1/index.m3u8')).body.toString()).toContain('#EXT-X-PART-INF');
  });
});

describe('MediaHandler: segments that left the live window', () => {
  it('answers a new viewer, whose own window starts later, from the archive', async () => {
    const requests: unknown[] = [];
    const run: EdgeRun = await startedEdge('cam', {
      outputOf: (live) =>
        new StreamOutput(live.name, new InPlaceWindow(run.stream.window, new InPlacePlan(DECISION, noClip))),
      recorded: (_, recorded) => {
        requests.push(recorded);
        return Promise.resolve(run.output);
      },
    });
    const play = run.stream.playing(PLAIN);
    play(3000);
    const [oldest] = run.stream.window.segments('v1');
    let untilMs = 3000;
    while (run.stream.window.segments('v1')[0] === oldest) play((untilMs += 100));
    const address = oldest?.address ?? '';
    expect(run.stream.window.segmentByAddress('v1', address)).toBeDefined();
    expect((await run.get(`/cam/v1/${address}.m4s`)).status).toBe(200);
    expect(requests).toEqual([{ kind: 'segment', startMs: Number(address), trackId: 'v1' }]);
  });
});
