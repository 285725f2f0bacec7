import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { playerListSchema } from '../../../src-preload/contract/api/player-list.ts';
import { ApiStage } from '../../../tests/helpers/api-stage.ts';
import { playerApi } from './player-api.ts';

let stage: ApiStage;

beforeAll(async () => {
  stage = await ApiStage.start(
    'stream b { input rtsp://user:hidden@192.0.2.9/main; title "North gate"; position 2; } stream live/a { input publish://; password hidden; provider city; position 1; }',
    (context) =>
      playerApi(context, { playable: (_token, names) => Promise.resolve(new Set([...names.values()].flat())) }),
  );
  stage.feed();
});
afterAll(() => stage.close());

describe('the list for players', () => {
  it('has the details for playback, and no inputs', async () => {
    const { status, body } = await stage.request('GET', '/-/streams');
    expect(status).toBe(200);
    expect(playerListSchema.parse(body).streams).toMatchObject([
      {
        name: 'live/a',
        title: null,
        provider: 'city',
        playback: { hls: '/live/a/index.m3u8' },
        stats: { status: 'waiting', alive: false, media_info: null },
      },
      {
        name: 'b',
        title: 'North gate',
        playback: { embed: '/b/embed.html' },
        stats: { status: 'running', alive: true, last_dts_at: stage.clock.now() },
      },
    ]);
    expect(JSON.stringify(body)).not.toMatch(/hidden|192\.0\.2\.9|rtsp/);
  });

  it('is sorted, filtered and searched like other lists, by visible fields only', async () => {
    const names = async (query: string): Promise<unknown> =>
      ((await stage.request('GET', `/-/streams?${query}`)).body as { readonly streams: unknown }).streams;
    expect(await names('sort=name&select=name')).toEqual([{ name: 'b' }, { name: 'live/a' }]);
    expect(await names('stats.alive=true&select=name')).toEqual([{ name: 'b' }]);
    expect(await names('q=gate&select=name')).toEqual([{ name: 'b' }]);
    expect(await names('q=192.0.2.9')).toEqual([]);
    expect((await stage.request('GET', '/-/streams?stats.url_like=rtsp')).status).toBe(400);
    expect((await stage.request('GET', '/-/streams?inputs.url=x')).status).toBe(400);
  });
});

describe('the channel list', () => {
  it('has every stream with its archive, with the address and the token of the request', async () => {
    const entry = stage.streams.get('b');
    const now = stage.clock.now();
    entry?.recordedBy(
      () => true,
      () => ({ startMs: now - 3.5 * 86_400_000, endMs: now, blocks: 1, bytes: 1 }),
    );
    const response = await fetch(`${stage.url}/-/channels.m3u?token=a%22b`);
    expect([response.status, response.headers.get('content-type')]).toEqual([200, 'audio/x-mpegurl; charset=utf-8']);
    expect(await response.text()).toBe(
      [
        '#EXTM3U',
        '#EXTINF:-1 tvg-id="live/a" tvg-name="live/a" group-title="city",live/a',
        `${stage.url}/live/a/index.m3u8?token=a%22b`,
        `#EXTINF:-1 tvg-id="b" tvg-name="North gate" catchup="default" catchup-source="${stage.url}/b/archive-{utc}-{duration}.m3u8?token=a%22b" catchup-days="4",North gate`,
        `${stage.url}/b/index.m3u8?token=a%22b`,
        '',
      ].join('\n'),
    );
    entry?.recordedBy(() => false);
    expect(await (await fetch(`${stage.url}/-/channels.m3u`)).text()).not.toContain('catchup');
  });
});
