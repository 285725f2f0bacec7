import { afterAll, beforeAll, expect, it } from 'vitest';
import type { SessionObject } from '../../src-preload/contract/api/session-object.ts';
import type { SignedAddress } from '../../src-preload/contract/api/signed-address.ts';
import { AirdeskProcess } from '../helpers/airdesk-process.ts';
import { allow, AuthBackend, deny } from '../helpers/auth-backend.ts';
import { RtmpPlayer } from '../helpers/rtmp-player.ts';
import { until } from '../helpers/until.ts';

// Sessions of RTMP players: backends, tokens, limits, bans, counters and events, as for all viewers.

const LIMIT_MS = 30_000;
let backend: AuthBackend;
let server: AirdeskProcess;

beforeAll(async () => {
  backend = await AuthBackend.start();
  backend.byPath.set('/cam', deny());
  server = await AirdeskProcess.start(
    `stream cam { input fake://?gop=1; on_play ${backend.url}/cam; }
     stream limited { input fake://?gop=1; on_play ${backend.url}/limited max_sessions=2; }
     stream signed { input fake://?gop=1; play_key cGxheS1rZXktb2YtdGhlLXN0cmVhbQ; }
     stream off { input fake://?gop=1; rtmp_off; }
     stream open { input fake://?gop=1; }`,
  );
  for (const name of ['cam', 'limited', 'signed', 'off', 'open'])
    await server.streamWhere(name, 'frames', ({ alive }) => alive, 60_000);
});

afterAll(async () => {
  expect(await server.stop()).toBe(0);
  await server.dispose();
  await backend.close();
});

function play(path: string): Promise<RtmpPlayer> {
  return RtmpPlayer.play(server.rtmpUrl, path);
}

async function sessionsOf(name: string): Promise<readonly SessionObject[]> {
  const response = await fetch(`${server.url}/mediaserver/api/v3/sessions?name=${name}`);
  // The server follows the contract; otherwise the test fails.
  return ((await response.json()) as { sessions: SessionObject[] }).sessions;
}

/** Last event of a stream. */
async function eventOf(event: string, media: string) {
  return until(
    `${event} of ${media}`,
    async () => {
      const { events } = await server.call('events.recent', { limit: 50, event });
      return events.find((each) => each['media'] === media);
    },
    LIMIT_MS,
  );
}

it('a backend decides about a player by its token, and a refusal states its reason', async () => {
  backend.byToken.set('good', allow({ 'X-UserId': 'ann' }));
  const refused = await play('static/cam?token=bad');
  expect(await refused.untilEnd()).toMatch(/^NetStream\.Play\.Failed: .*backend answered 403/);
  expect(await eventOf('play_denied', 'cam')).toMatchObject({ proto: 'rtmp' });
  const player = await play('static/cam?token=good');
  await player.untilMedia();
  expect(backend.requestsAbout('good')[0]?.facts).toMatchObject({
    name: 'cam',
    proto: 'rtmp',
    ip: '127.0.0.1',
    token: 'good',
    user_agent: 'test player',
  });
  expect(await sessionsOf('cam')).toMatchObject([{ proto: 'rtmp', user_id: 'ann' }]);
  player.close();
});

it('a session counts its bytes, and ends as disconnected', async () => {
  const player = await play('static/open');
  await player.untilMedia();
  const before = await until('the session', async () => (await sessionsOf('open'))[0], LIMIT_MS);
  const [{ bytes: first = 0 } = {}] = await sessionsOf('open');
  await until('more bytes', async () => ((await sessionsOf('open'))[0]?.bytes ?? 0) > first, LIMIT_MS);
  player.close();
  const closed = await eventOf('play_closed', 'open');
  expect(closed).toMatchObject({ session_id: before.id, proto: 'rtmp' });
  expect(closed['bytes']).toBeGreaterThan(first);
});

it('above the limit of a user, the oldest player is disconnected, and the newest plays', async () => {
  const tokens = ['one', 'two', 'three'];
  for (const token of tokens) backend.byToken.set(token, allow({ 'X-UserId': 'bob' }));
  const players: RtmpPlayer[] = [];
  for (const token of tokens) {
    const player = await play(`static/limited?token=${token}`);
    await player.untilMedia();
    players.push(player);
  }
  const [oldest, ...others] = players;
  expect(await oldest?.untilEnd()).toMatch(/^NetStream\.Play\.Stop: .*session/i);
  expect((await sessionsOf('limited')).map(({ token }) => token).toSorted()).toEqual(['three', 'two']);
  const again = await play('static/limited?token=one');
  expect(await again.untilEnd()).toMatch(/^NetStream\.Play\.Failed: .*session/i);
  expect(await eventOf('play_closed', 'limited')).toMatchObject({ reason: 'limit', user_id: 'bob' });
  for (const player of others) player.close();
});

it('a user who is banned while playing is disconnected, and refused until the ban is lifted', async () => {
  backend.byToken.set('banned', allow({ 'X-UserId': 'mallory' }));
  const player = await play('static/cam?token=banned');
  await player.untilMedia();
  const { bans } = await server.call('sessions.ban', { kind: 'user', value: 'mallory', seconds: 900, reason: 'test' });
  expect(await player.untilEnd()).toMatch(/^NetStream\.Play\.Stop: /);
  expect(await sessionsOf('cam')).toEqual([]);
  const refused = await play('static/cam?token=banned');
  expect(await refused.untilEnd()).toMatch(/^NetStream\.Play\.Failed: .*ban/i);
  for (const { id } of bans) await server.call('sessions.unban', { id });
  const admitted = await play('static/cam?token=banned');
  await admitted.untilMedia();
  admitted.close();
});

it('a player whose backend changes its mind is disconnected', async () => {
  backend.byToken.set('fickle', allow());
  const player = await play('static/cam?token=fickle');
  await player.untilMedia();
  backend.byToken.set('fickle', deny());
  const response = await fetch(`${server.url}/mediaserver/api/v3/sessions/reauth?name=cam`, { method: 'POST' });
  expect(response.status).toBe(200);
  expect(await player.untilEnd()).toMatch(/^NetStream\.Play\.Stop: /);
});

it('a signed address plays, and no other', async () => {
  const response = await fetch(`${server.url}/mediaserver/api/v3/streams/signed/signed_address`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ use: 'play', expires_in: 600 }),
  });
  // The test fails if the server does not follow the contract.
  const signed = (await response.json()) as SignedAddress;
  const player = await play(`static/signed?${signed.query}`);
  await player.untilMedia();
  player.close();
  const refused = await play('static/signed?expires=9999999999&sig=wrong');
  expect(await refused.untilEnd()).toMatch(/^NetStream\.Play\.Failed: .*sign/i);
});

it('a stream without RTMP states so', async () => {
  const refused = await play('static/off');
  expect(await refused.untilEnd()).toMatch(/^NetStream\.Play\.Failed: .*rtmp is switched off/);
});
