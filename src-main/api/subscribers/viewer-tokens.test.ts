import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Verdict } from '../../sessions/backend-answer.ts';
import { CollectionStage } from '../../../tests/helpers/collection-stage.ts';
import { PORTALS_PREFIX, StagedPortal } from '../../../tests/helpers/portal-stage.ts';

let stage: CollectionStage;
let portal: StagedPortal;
let subscriber = '';
let pack = '';
let count = 0;
/** Subscribers whose sessions are to be authorized again; undefined for all subscribers. */
const notified: (string | undefined)[] = [];
beforeAll(async () => {
  stage = await CollectionStage.start(`http 80;
stream news { input fake://; }
stream sport { input fake://; }
auth_backend both { backend http://127.0.0.1:1/; backend subscribers://tv; }
stream tv/one { input fake://; on_play subscribers://tv; }
stream tv/two { input fake://; on_play auth://both; }
stream tv/radio { input fake://; on_play subscribers://radio; }
stream tv/open { input fake://; }
stream other { input fake://; on_play subscribers://tv; }
`);
  stage.viewers?.listen((subscriberId) => notified.push(subscriberId));
});
afterAll(() => stage.close());
beforeEach(async () => {
  portal = await StagedPortal.make(stage, `city-${++count}`);
  subscriber = await portal.make('subscribers', { name: 'Anna' });
  pack = await portal.make('packages', { name: 'News', streams: ['news', 'vod/'], maxSessions: 2 });
  await portal.request('PUT', `/subscribers/${subscriber}/packages/${pack}`);
  notified.length = 0;
});

async function token(): Promise<{ readonly token: string; readonly tokenId: string }> {
  const created = await portal.request('POST', `/subscribers/${subscriber}/tokens`, { name: 'phone' });
  expect(created.status).toBe(201);
  return created.body as { readonly token: string; readonly tokenId: string };
}

async function portalName(given: string, name = 'news', portalName = `city-${count}`): Promise<Verdict['kind']> {
  return ((await stage.viewers?.authorize(portalName, { name, token: given })) ?? { kind: 'failed' }).kind;
}

describe('tokens of viewers', () => {
  it('allow the streams of the packages of their subscriber, in their portal only', async () => {
    const { token: viewerToken } = await token();
    expect(await stage.viewers?.authorize(portal.portalId, { name: 'news', token: viewerToken })).toMatchObject({
      kind: 'allow',
      userId: subscriber,
      maxSessions: 2,
    });
    expect(await portalName(viewerToken, 'vod/film.mp4')).toBe('allow');
    expect(await portalName(viewerToken, 'sport')).toBe('deny');
    expect(await portalName('other')).toBe('deny');
    expect(await portalName(viewerToken, 'news', 'city-none')).toBe('deny');
  });

  it('open a channel list of the allowed streams', async () => {
    const tv = await StagedPortal.make(stage, 'tv');
    await StagedPortal.make(stage, 'radio');
    const viewer = await tv.make('subscribers', { name: 'Ben' });
    const all = await tv.make('packages', { name: 'TV', streams: ['tv/'] });
    await tv.request('PUT', `/subscribers/${viewer}/packages/${all}`);
    const { token: viewerToken } = (await tv.request('POST', `/subscribers/${viewer}/tokens`, { name: 'box' }))
      .body as {
      token: string;
    };
    const list = (given: string): Promise<Response> => fetch(`${stage.url}/-/catchup.m3u?token=${given}`);
    const text = await (await list(viewerToken)).text();
    expect(text.match(/^http.*$/gm)).toEqual(
      ['tv/one', 'tv/two'].map((name) => `${stage.url}/${name}/index.m3u8?token=${viewerToken}`),
    );
    // No stream here allows a viewer of another portal.
    expect((await (await list((await token()).token)).text()).match(/^http.*$/gm)).toBeNull();
    expect((await list('other')).status).toBe(403);
    await tv.request('POST', `/subscribers/${viewer}/disable`);
    expect((await list(viewerToken)).status).toBe(403);
  });

  it('are shown once, listed without their secret, and revoked', async () => {
    const { token: secret, tokenId } = await token();
    const { body } = await portal.request('GET', `/subscribers/${subscriber}/tokens`);
    expect(body).toMatchObject({ tokens: [{ tokenId, name: 'phone' }] });
    expect(JSON.stringify(body)).not.toContain(secret);
    const path = `/subscribers/${subscriber}/tokens/${tokenId}`;
    expect((await portal.request('DELETE', path)).status).toBe(204);
    expect(notified).toEqual([subscriber]);
    expect(await portalName(secret)).toBe('deny');
    expect(await portal.refusal('DELETE', path)).toEqual([404, 'viewer_token_not_found', undefined]);
  });

  it('belong to a subscriber of the portal, and are limited to 100 per subscriber', async () => {
    const other = await StagedPortal.make(stage, `other-${count}`);
    const path = `/subscribers/${subscriber}/tokens`;
    for (const method of ['GET', 'POST'])
      expect(await other.refusal(method, path)).toEqual([404, 'subscriber_not_found', undefined]);
    await Promise.all(Array.from({ length: 100 }, () => token()));
    expect(await portal.refusal('POST', path)).toEqual([409, 'too_many_viewer_tokens', undefined]);
  });

  const changes: readonly [string, () => [method: string, path: string, body?: object], 'one' | 'all'][] = [
    ['is disabled', () => ['POST', `/subscribers/${subscriber}/disable`], 'one'],
    ['is unsubscribed', () => ['DELETE', `/subscribers/${subscriber}/packages/${pack}`], 'one'],
    ['is removed', () => ['DELETE', `/subscribers/${subscriber}`], 'one'],
    ['has a package without it', () => ['PUT', `/packages/${pack}`, { streams: [] }], 'all'],
  ];
  it.each(changes)(
    'allow no stream after their subscriber %s, and sessions are notified',
    async (_what, request, who) => {
      const { token: viewerToken } = await token();
      expect((await portal.request(...request())).status).toBeLessThan(300);
      expect(notified).toEqual([who === 'one' ? subscriber : undefined]);
      expect(await portalName(viewerToken)).toBe('deny');
    },
  );

  it('allow no stream while their portal is disabled', async () => {
    const { token: viewerToken } = await token();
    const set = (isDisabled: boolean): unknown =>
      stage.request('PUT', `${PORTALS_PREFIX}/portals/${portal.portalId}`, { isDisabled });
    await set(true);
    expect(await portalName(viewerToken)).toBe('deny');
    await set(false);
    expect([await portalName(viewerToken), notified]).toEqual(['allow', [undefined, undefined]]);
  });
});
