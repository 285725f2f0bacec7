import { afterEach, describe, expect, it, vi } from 'vitest';
import { EdgeRun, request, type Client, type HttpReply } from '../../tests/helpers/edge-run.ts';
import { StreamRun } from '../../tests/helpers/stream-run.ts';
import { silentLog } from '../lib/log.ts';
import { OPEN_POLICY, type AccessPolicy } from '../sessions/access-policy.ts';
import type { Verdict } from '../sessions/backend-answer.ts';
import type { TokenReach } from '../sessions/desk-tokens.ts';
import { NO_SESSION_EVENTS } from '../sessions/session-events.ts';
import { Sessions } from '../sessions/sessions.ts';
import { signAddress } from '../sessions/signed-address.ts';

const PLAIN = { video: { fps: 25, gopFrames: 50, bFrames: 0 }, audio: { sampleRate: 48_000, lateMs: 0 }, seconds: 60 };
const WITH_BACKEND: AccessPolicy = {
  ...OPEN_POLICY,
  fingerprint: 'asked',
  backends: [{ location: { kind: 'http', url: 'http://127.0.0.1:1/' }, extra: {} }],
};
const ALLOWED: Verdict = { kind: 'allow', durationMs: 180_000, userId: null, maxSessions: null, adInject: undefined };
const runs: EdgeRun[] = [];

/** An edge with the stream `cam`, whose backend the test controls. */
async function restricted(
  policy: AccessPolicy,
  answer: () => Promise<Verdict> = () => Promise.resolve(ALLOWED),
): Promise<EdgeRun> {
  const stream = new StreamRun();
  const sessions = new Sessions({
    clock: stream.clock,
    log: silentLog,
    authority: { authorize: answer },
    events: NO_SESSION_EVENTS,
    policyOf: () => policy,
    countryOf: () => null,
  });
  const run = await new EdgeRun('cam', { stream, sessions }).start();
  runs.push(run);
  run.stream.playing(PLAIN)(9000);
  return run;
}

/** Viewing token of the desk. */
function ofDesk({ sessions }: EdgeRun, reach: TokenReach = 'all'): string {
  return sessions.deskTokens.issue({ id: 'boss', login: 'boss', rights: '' }, reach);
}

async function reply(client: Client, path: string): Promise<HttpReply> {
  client.send(request(path));
  return client.reply();
}

afterEach(async () => {
  for (const run of runs.splice(0)) await run.close();
});

describe('SessionGate', () => {
  it('refuses a banned address at an open stream, but not the desk at that address', async () => {
    const run = await restricted(OPEN_POLICY);
    const client = await run.connect();
    const status = async (query = ''): Promise<number> => (await reply(client, `/cam/media_info.json${query}`)).status;
    const before = await status();
    expect(before).not.toBe(403);
    run.sessions.addBan({ kind: 'address', value: '127.0.0.1', seconds: 60, who: 'boss', reason: '' });
    expect(await status()).toBe(403);
    expect(await status(`?token=${ofDesk(run)}`)).toBe(before);
    run.sessions.lift('address:127.0.0.1');
    expect(await status()).toBe(before);
  });

  it('finds a session once per connection, stream and token, and counts its bytes', async () => {
    const run = await restricted(OPEN_POLICY);
    const lookups = vi.spyOn(run.sessions, 'of');
    const client = await run.connect();
    const playlist = (await reply(client, '/cam/v1/index.m3u8')).body;
    const segment = /^\d+\.m4s$/m.exec(playlist.toString())?.[0] ?? '';
    let bytes = playlist.length;
    for (let time = 0; time < 5; time++) bytes += (await reply(client, `/cam/v1/${segment}`)).body.length;
    expect(lookups).toHaveBeenCalledTimes(1);
    const sessions = [...run.sessions.list()];
    expect(sessions.map(({ proto, requestCount, visitor }) => [proto, requestCount, visitor.ip])).toEqual([
      ['hls', 6, '127.0.0.1'],
    ]);
    expect(sessions[0]?.bytes).toBe(bytes);
    await reply(client, '/cam/index.mpd');
    expect([...run.sessions.list()].map(({ proto }) => proto)).toEqual(['hls', 'dash']);
  });

  it('recognizes the own player page only by its configured domain, because any client may send any Host', async () => {
    const status = async (Host: string, Referer: string): Promise<number> => {
      const run = await restricted({ ...OPEN_POLICY, domains: ['tv.example.org'] });
      return (await run.get('/cam/v1/index.m3u8', { Host, Referer })).status;
    };
    expect(await status('test', 'http://tv.example.org/')).toBe(200);
    expect(await status('test', 'http://test/cam/embed.html')).toBe(200);
    expect(await status('evil.example', 'http://evil.example/')).toBe(403);
  });

  it('checks the Referer of each request, even if pages at one address share a session', async () => {
    const run = await restricted({ ...OPEN_POLICY, domains: ['tv.example.org'] });
    const ownPage = { Referer: 'http://tv.example.org/' };
    const otherPage = { Referer: 'http://evil.example/' };
    const status = async (path: string, headers: Readonly<Record<string, string>>): Promise<number> =>
      (await run.get(path, headers)).status;
    const client = await run.connect();
    client.send(request('/cam/v1/index.m3u8', ownPage));
    const segment = /^\d+\.m4s$/m.exec((await client.reply()).body.toString())?.[0] ?? '';
    // Behind a proxy both pages use one connection.
    client.send(request('/cam/v1/index.m3u8', otherPage));
    expect((await client.reply()).status).toBe(403);
    for (const path of ['/cam/index.m3u8', '/cam/v1/index.m3u8', '/cam/index.ts.m3u8', `/cam/v1/${segment}`])
      expect([path, await status(path, ownPage), await status(path, otherPage)]).toEqual([path, 200, 403]);
    // A page may hide its address. Players may do so for segments.
    expect([await status('/cam/v1/index.m3u8', {}), await status(`/cam/v1/${segment}`, {})]).toEqual([403, 200]);
    expect([...run.sessions.list()].map(({ visitor }) => visitor.referer)).toEqual([ownPage.Referer]);
    // A request from the desk needs no Referer, but it needs the token of the desk.
    expect(await status(`/cam/v1/index.m3u8?token=${ofDesk(run)}`, {})).toBe(200);
    expect(await status('/cam/v1/index.m3u8', otherPage)).toBe(403);
  });

  it.each([OPEN_POLICY, WITH_BACKEND])(
    'lets the desk view a stream without counting as a viewer, including each segment',
    async (policy) => {
      const run = await restricted(policy, () => Promise.reject(new Error('a question about the desk')));
      const client = await run.connect();
      const tokenQuery = `?token=${ofDesk(run)}`;
      const multivariant = (await reply(client, `/cam/index.m3u8${tokenQuery}`)).body.toString();
      const playlist = (await reply(client, `/cam/${/^v1.*$/m.exec(multivariant)?.[0] ?? ''}`)).body.toString();
      const segment = /^\d+\.m4s.*$/m.exec(playlist)?.[0] ?? '';
      expect(segment.endsWith(tokenQuery)).toBe(true);
      expect((await reply(client, `/cam/v1/${segment}`)).status).toBe(200);
      expect((await reply(client, `/cam/index.mpd${tokenQuery}`)).body.toString()).toContain(tokenQuery);
      expect([[...run.sessions.list()], run.sessions.count]).toEqual([[], 0]);
      // The next request on the same connection is checked by itself.
      await reply(client, '/cam/v1/index.m3u8');
      expect(run.sessions.count).toBe(policy === OPEN_POLICY ? 1 : 0);
    },
  );

  it('lets a read-only desk view an open stream without counting as a viewer, and asks backends about restricted streams', async () => {
    const open = await restricted(OPEN_POLICY);
    const { status, body } = await open.get(`/cam/v1/index.m3u8?token=${ofDesk(open, 'open')}`);
    expect([status, open.sessions.count]).toEqual([200, 0]);
    expect(body.toString()).toContain(ofDesk(open, 'open'));
    const run = await restricted(WITH_BACKEND);
    const { headers } = await run.get(`/cam/v1/index.m3u8?token=${ofDesk(run, 'open')}`);
    // The backend does not know the token of the desk, so the viewer gets a new token.
    expect(headers.get('location')).not.toContain(ofDesk(run, 'open'));
    expect(headers.get('location')).toContain('token=');
  });

  it.each([OPEN_POLICY, WITH_BACKEND])(
    'lets a desk play the streams to which its login is limited, and no others, without a viewer',
    async (policy) => {
      const run = await restricted(policy, () => Promise.reject(new Error('a question about the desk')));
      const statuses: [string, number][] = [];
      for (const reach of [['cam'], ['cams', 'cam/left']])
        for (const path of ['/cam/index.m3u8', '/cam/v1/index.m3u8']) {
          const { status, body } = await run.get(`${path}?token=${ofDesk(run, reach)}`);
          statuses.push([reach.join(), status]);
          if (status !== 200) expect(body.toString()).toContain('playback_denied');
        }
      expect(statuses).toEqual([
        ['cam', 200],
        ['cam', 200],
        ['cams,cam/left', 403],
        ['cams,cam/left', 403],
      ]);
      expect(run.sessions.count).toBe(0);
    },
  );

  it.each([OPEN_POLICY, WITH_BACKEND])(
    'refuses a revoked token of a desk instead of counting a viewer',
    async (policy) => {
      const run = await restricted(policy, () => Promise.reject(new Error('a question about the desk')));
      const token = ofDesk(run);
      run.sessions.deskTokens.keepOnly(() => false);
      for (const path of ['/cam/index.m3u8', '/cam/v1/index.m3u8', '/cam/mpegts']) {
        const { status, body } = await run.get(`${path}?token=${token}`);
        expect([path, status, body.toString()]).toEqual([path, 403, expect.stringContaining('playback_denied')]);
      }
      expect(run.sessions.count).toBe(0);
    },
  );

  it('serves one rendered playlist to all viewers of an open stream, with any token', async () => {
    const run = await restricted(OPEN_POLICY);
    const plain = (await run.get('/cam/v1/index.m3u8')).body.toString();
    expect((await run.get('/cam/v1/index.m3u8?token=t')).body.toString()).toBe(plain);
    expect(run.sessions.count).toBe(1);
  });

  it('redirects a viewer without a token to the same address with a token', async () => {
    const run = await restricted(WITH_BACKEND);
    const reply = await run.get('/cam/index.m3u8?a=1');
    expect([reply.status, reply.headers.get('location'), reply.headers.get('cache-control')]).toEqual([
      302,
      expect.stringMatching(/^index\.m3u8\?a=1&token=[0-9a-f]{32}$/),
      'no-store',
    ]);
    expect((await run.get('/cam/v1/1.m4s')).status).toBe(403);
    expect((await run.get('/cam/preview.jpg')).status).toBe(403);
    expect((await run.get('/cam/embed.html')).status).toBe(200);
  });

  it('puts the token into every address, and excludes shared caches', async () => {
    const run = await restricted(WITH_BACKEND);
    const list = await run.get('/cam/v1/index.m3u8?token=a%26b');
    const addresses = list.body
      .toString()
      .split('\n')
      .flatMap((line) =>
        line.startsWith('#') ? (/URI="([^"]+)"/.exec(line)?.slice(1) ?? []) : line === '' ? [] : [line],
      );
    expect(addresses.length).toBeGreaterThan(5);
    expect(addresses.filter((address) => !address.endsWith('?token=a%26b'))).toEqual([]);
    expect(list.headers.get('cache-control')).toContain('private');
    const segment = await run.get(`/cam/v1/${addresses.find((address) => /^\d+\.m4s/.test(address)) ?? ''}`);
    expect([segment.status, segment.headers.get('cache-control')]).toEqual([200, expect.stringContaining('private')]);
    expect((await run.get('/cam/index.m3u8?token=a%26b&x=1')).body.toString()).toContain(
      'v1/index.m3u8?token=a%26b&x=1',
    );
    expect((await run.get('/cam/index.mpd?token=a%26b&x=1')).body.toString()).toContain(
      '$Time$.m4s?token=a%26b&amp;x=1"',
    );
  });

  it('holds a request until the backend answers, and drops clients that leave meanwhile', async () => {
    let answer: (verdict: Verdict) => void = () => undefined;
    const run = await restricted(WITH_BACKEND, () => new Promise((resolve) => (answer = resolve)));
    const gone = await run.connect();
    gone.send(request('/cam/index.m3u8?token=t'));
    const client = await run.connect();
    client.send(request('/cam/index.m3u8?token=t'));
    const waiting = vi.waitUntil(() => run.edge.connectionCount === 2 && client.unreadBytes === 0, 30_000);
    await waiting;
    gone.socket.destroy();
    await vi.waitUntil(() => run.edge.connectionCount === 1, 30_000);
    answer(ALLOWED);
    expect((await client.reply()).status).toBe(200);
    expect(run.sessions.count).toBe(1);
  });
});

describe('SessionGate with signed addresses', () => {
  const KEY = '0123456789abcdef';
  const SIGNED: AccessPolicy = { ...OPEN_POLICY, fingerprint: 'signed', keys: [KEY] };
  const query = (run: EdgeRun): string => {
    const expires = String(Math.floor(run.stream.clock.now() / 1000) + 60);
    return `expires=${expires}&sig=${signAddress({ use: 'play', name: 'cam', ip: '' }, expires, KEY)}`;
  };

  it('serves signed playlists, and accepts their token after it has expired', async () => {
    const run = await restricted(SIGNED);
    const signed = query(run);
    const token = signed.replace('expires=', 'token=').replace('&sig=', '.');
    for (const list of ['index.m3u8', 'index.mpd', 'v1/index.m3u8'])
      expect((await run.get(`/cam/${list}?${signed}`)).body.toString()).toContain(signed.slice(-43));
    const segment = /^\d+\.m4s\?token=.*$/m.exec((await run.get(`/cam/v1/index.m3u8?${token}`)).body.toString())?.[0];
    run.stream.clock.advance(61_000);
    expect((await run.get(`/cam/v1/${segment}`)).status).toBe(200);
  });

  it('refuses all requests without a signature, except for the page', async () => {
    const run = await restricted(SIGNED);
    for (const path of ['index.m3u8', 'v1/index.m3u8', 'index.mpd', 'mpegts', 'preview.jpg', 'media_info.json'])
      expect([path, (await run.get(`/cam/${path}`)).status]).toEqual([path, 403]);
    expect((await run.get('/cam/embed.html')).status).toBe(200);
  });
});
