import { execFile, execFileSync } from 'node:child_process';
import { promisify } from 'node:util';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { AirdeskProcess } from '../../helpers/airdesk-process.ts';
import { AnswerCheck } from '../../helpers/answer-check.ts';
import { allow, AuthBackend, deny } from '../../helpers/auth-backend.ts';
import { startBrowser } from '../../helpers/start-browser.ts';
import { until } from '../../helpers/until.ts';

// Every address of recorded media, for one stream with an authorization backend.

const run = promisify(execFile);
let server: AirdeskProcess;
let backend: AuthBackend;
let check: AnswerCheck;
/** Addresses whose reply was compared with the OpenAPI document. */
const compared = new Set<string>();
/** Start of the played range in epoch seconds. */
let from = 0;
/** Duration of the played range. */
const SECONDS = 8;
/** The stream in a list of channels. */
const CATCHUP = /catchup-source="([^"]+)" catchup-days="7",Gate/;

interface Status {
  readonly duration: number;
  readonly ranges: readonly { readonly from: number; readonly duration: number }[];
}

function url(address: string, token: string): string {
  return `${server.url}/cam/${address}${address.includes('?') ? '&' : '?'}token=${token}`;
}

/** Compares a reply with the OpenAPI document. */
function checkReply(address: string, { status, headers }: Response, body: Buffer): void {
  const type = headers.get('content-type');
  const path = `/cam/${address.replace(/^tracks-\w+\/(?!mono\.)/, '')}`;
  check.verify('GET', path, status, type, type?.startsWith('application/json') ? JSON.parse(body.toString()) : body);
  compared.add(path.split('?')[0] ?? '');
}

async function status(): Promise<Status> {
  // The server created the document.
  return (await (await fetch(url('recording_status.json', 'watcher'))).json()) as Status;
}

async function bytesOut(): Promise<number> {
  const { stats } = (await (await fetch(`${server.url}/streamer/api/v3/streams/cam`)).json()) as {
    stats: { bytes_out: number };
  };
  return stats.bytes_out;
}

/** Playlists, manifests and files of a range; `endless` returns the other addresses. */
function windowed(): readonly (readonly [address: string, type: RegExp])[] {
  const range = `${from}-${SECONDS}`;
  const forms = [
    ['.m3u8', /mpegurl/],
    ['.ts.m3u8', /mpegurl/],
    ['.mpd', /dash\+xml/],
    ['.json', /json/],
  ] as const;
  const slides = ['archive-' + String(from) + '-now', 'timeshift_rel-4', `timeshift_abs-${from}`, 'rewind-60'];
  return [
    ...[`archive-${range}`, `index-${range}`, ...slides].flatMap((name) =>
      forms.map(([end, type]) => [`${name}${end}`, type] as const),
    ),
    ...[`video-${range}`, `mono-${range}`, 'video-timeshift_rel-4', 'mono-rewind-60', 'video', 'mono'].map(
      (name) => [`${name}.m3u8`, /mpegurl/] as const,
    ),
    ...[`v1/archive-${range}`, `a1/archive-${range}`].map((name) => [`${name}.m3u8`, /mpegurl/] as const),
    ['index.m3u8?dvr=60', /mpegurl/],
    ['index.mpd?dvr=60', /dash\+xml/],
    [`archive-${range}.mpd?period=mono`, /dash\+xml/],
    [`archive-${range}.m3u8?event=true`, /mpegurl/],
    [`archive-${range}.ts.m3u8?separate_audio=true`, /mpegurl/],
    [`archive-${range}.ts.m3u8?filter.tracks=v1`, /mpegurl/],
    ['tracks-v1a1/mono.m3u8', /mpegurl/],
    [`tracks-a1/index-${range}.ts.m3u8`, /mpegurl/],
    [`tracks-v1/archive-${range}.ts`, /mp2t/],
    [`archive-${range}.mp4?filter.tracks=a1`, /video\/mp4/],
    [`archive-${range}.ts`, /mp2t/],
    [`archive-${range}.mp4`, /video\/mp4/],
  ];
}

function endless(): readonly string[] {
  return [`archive-${from}-now.ts`, `archive-${from}-now.mp4`, 'timeshift_rel-4.ts', `timeshift_abs-${from}.ts`];
}

/** Files generated for a moment or a range. */
function expectedAddresses(): readonly (readonly [address: string, type: RegExp])[] {
  const sprite = `sprite-${from - (from % 50)}-2.jpg`;
  return [
    [`${from + 2}-preview.jpg`, /image\/jpeg/],
    [`${from + 2}.jpg`, /image\/jpeg/],
    [`${from + 2}.52.jpg`, /image\/jpeg/],
    [`${from + 2}-preview.mp4`, /video\/mp4/],
    ['preview.mp4', /video\/mp4/],
    [sprite, /image\/jpeg/],
    [`thumbnails-${from}-${SECONDS}.vtt`, /text\/vtt/],
    [`thumbnails-${from}-${SECONDS}.json`, /json/],
    [`thumbnails-${from}-${SECONDS}.m3u8`, /mpegurl/],
    [`media_info.json?from=${from + 2}`, /json/],
    ['recording_status.json', /json/],
  ];
}

beforeAll(async () => {
  backend = await AuthBackend.start();
  backend.byToken.set('stranger', deny());
  backend.byPath.set('/cam', allow({ 'X-UserId': 'viewer-1' }));
  server = await AirdeskProcess.start(
    [
      'dvr main { root archive; disk one; }\n',
      `stream cam { input fake:// width=320 height=180; title "Gate"; segment_duration 1; segment_count 3; dvr @main 7d; on_play ${backend.url}/cam; }\n`,
    ].join(''),
  );
  await until(
    'recording',
    async () => (await status()).duration > SECONDS + 6,
    60_000,
    () => server.printed,
  );
  from = ((await status()).ranges[0]?.from ?? 0) + 1;
  check = AnswerCheck.of(await (await fetch(`${server.url}/mediaserver/api/v3/schema`)).text());
});

afterAll(async () => {
  expect(await server.stop()).toBe(0);
  await server.dispose();
  await backend.close();
});

describe('the addresses of an archive', () => {
  it('are refused for viewers that the backend refuses', async () => {
    const all = [...windowed(), ...expectedAddresses()].map(([address]) => address).concat(endless());
    const answers = await Promise.all(
      all.map(async (address) => {
        const response = await fetch(url(address, 'stranger'));
        return [address, response.status, ((await response.json()) as { error: string }).error];
      }),
    );
    expect(answers).toEqual(all.map((address) => [address, 403, 'playback_denied']));
    expect(backend.requestsAbout('stranger').length).toBeGreaterThan(0);
    // Requests a segment without requesting a playlist before.
    const segment = await fetch(`${server.url}/cam/v1/${from * 1000}.m4s?token=stranger`);
    expect(segment.status).toBe(403);
  });

  it('are played for allowed viewers, and count for the stream and the session', async () => {
    const before = await bytesOut();
    let bytes = 0;
    // The download of a file is a session of its own, which ends with the download.
    let fileBytes = 0;
    const names = new Set<string>();
    for (const [address, type] of windowed()) {
      const response = await fetch(url(address, 'guest'), { headers: { 'accept-encoding': 'identity' } });
      const body = Buffer.from(await response.arrayBuffer());
      expect([address, response.status]).toEqual([address, 200]);
      expect(response.headers.get('content-type')).toMatch(type);
      checkReply(address, response, body);
      bytes += body.length;
      if (/\.(ts|mp4)(\?|$)/.test(address)) fileBytes += body.length;
      if (!address.startsWith('v1/archive')) continue;
      for (const [name] of body.toString().matchAll(/^\d+\.m4s/gm)) names.add(name);
    }
    expect(names.size).toBeGreaterThanOrEqual(SECONDS - 1);
    for (const name of names) {
      const response = await fetch(url(`v1/${name}`, 'guest'));
      expect([name, response.status]).toEqual([name, 200]);
      const body = Buffer.from(await response.arrayBuffer());
      checkReply(`v1/${name.split('?')[0] ?? ''}`, response, body);
      bytes += body.length;
    }
    for (const address of endless()) {
      const gone = new AbortController();
      const response = await fetch(url(address, 'guest'), { signal: gone.signal });
      const first = await response.body?.getReader().read();
      expect([address, response.status, first?.done === false]).toEqual([address, 200, true]);
      checkReply(address, response, Buffer.alloc(0));
      gone.abort();
    }
    expect((await bytesOut()) - before).toBeGreaterThanOrEqual(bytes);
    const listed = (await (await fetch(`${server.url}/mediaserver/api/sessions`)).json()) as {
      sessions: { name: string; bytes_sent: number }[];
    };
    const sent = listed.sessions.reduce((sum, session) => sum + (session.name === 'cam' ? session.bytes_sent : 0), 0);
    expect(sent).toBeGreaterThanOrEqual(bytes - fileBytes);
    const ranges = backend.requestsAbout('guest').map(({ facts }) => facts['dvr']);
    expect(ranges).toContain('true');
  });

  it('serve pictures and descriptions of a moment', async () => {
    for (const [address, type] of expectedAddresses()) {
      const response = await fetch(url(address, 'guest'));
      expect([address, response.status]).toEqual([address, 200]);
      expect(response.headers.get('content-type')).toMatch(type);
      const body = Buffer.from(await response.arrayBuffer());
      expect(body.byteLength).toBeGreaterThan(100);
      checkReply(address, response, body);
    }
    for (const address of [`${from + 2}-preview.mp4`, 'preview.mp4']) {
      const probed = execFileSync(
        'ffprobe',
        [
          '-v',
          'error',
          '-count_frames',
          '-show_entries',
          'stream=codec_name,width,height,nb_read_frames',
          '-of',
          'csv=p=0',
          url(address, 'guest'),
        ],
        { encoding: 'utf8' },
      );
      expect(probed.trim()).toBe('h264,320,180,1');
    }
    const info: unknown = await (await fetch(url(`media_info.json?from=${from + 2}`, 'guest'))).json();
    expect(info).toMatchObject({ width: 320, height: 180, tracks: [{ track_id: 'a1' }, { track_id: 'v1' }] });
    const none = await fetch(url(`media_info.json?from=${from - 9000}`, 'guest'));
    expect([none.status, await none.json()]).toMatchObject([404, { error: 'archive_empty' }]);
    const vtt = await (await fetch(url(`thumbnails-${from}-${SECONDS}.vtt?step=2`, 'guest'))).text();
    const [, sprite = ''] = /^(sprite-[^#]+)#xywh/m.exec(vtt) ?? [];
    expect(sprite).toContain('token=guest');
    expect((await fetch(`${server.url}/cam/${sprite}`)).status).toBe(200);
    expect((await fetch(url(`sprite-${from - (from % 50) + 1}-2.jpg`, 'guest'))).status).toBe(400);
    expect((await fetch(url(`thumbnails-${from}-90000.vtt`, 'guest'))).status).toBe(400);
  });

  it('accept the messages of players about their position and their tracks', async () => {
    const send = async (address: string, body: unknown): Promise<Response> =>
      fetch(url(address, 'guest'), { method: 'PUT', body: JSON.stringify(body) });
    const master = `archive-${from}-${SECONDS}.m3u8`;
    expect((await fetch(url(master, 'guest'))).status).toBe(200);
    const noted = await send('sessions/self', { current_time: from * 1000 + 500, status: 'stalling' });
    const id = noted.headers.get('x-sid') ?? '';
    expect([noted.status, id]).toEqual([204, expect.stringMatching(/^[0-9a-f-]{36}$/)]);
    check.verify('PUT', `/cam/sessions/${id}`, 204, null, '');
    compared.add(`/cam/sessions/${id}`);
    const session = async (): Promise<unknown> => (await fetch(`${server.url}/streamer/api/v3/sessions/${id}`)).json();
    expect(await session()).toMatchObject({ id, status: 'stalling', current_time: from * 1000 + 500 });
    expect((await send(`sessions/${id}`, { status: 'running' })).status).toBe(204);
    expect(await session()).toMatchObject({ status: 'running' });
    const playlist = async (): Promise<string> => (await fetch(url(master, 'guest'))).text();
    expect((await send(`sessions/${id}/request_tracks`, { tracks: ['v1'] })).status).toBe(204);
    compared.add(`/cam/sessions/${id}/request_tracks`);
    expect(await playlist()).not.toContain('TYPE=AUDIO');
    expect((await send(`sessions/${id}/request_tracks`, { tracks: [] })).status).toBe(204);
    expect(await playlist()).toContain('TYPE=AUDIO');
    const wrong = [
      [`sessions/${id}/request_tracks`, { tracks: ['x1'] }, 400, 'bad_request'],
      [`sessions/${id}/request_tracks`, { tracks: ['v7'] }, 404, 'track_not_found'],
      [`sessions/${id}`, { status: 'well' }, 400, 'bad_request'],
      [`sessions/${id}`, { pad: 'x'.repeat(5000) }, 400, 'bad_request'],
      ['sessions/none', {}, 404, 'session_not_found'],
    ] as const;
    for (const [address, body, code, error] of wrong) {
      const response = await send(address, body);
      expect([address, response.status, await response.json()]).toMatchObject([address, code, { error }]);
    }
  });

  it('are all in the OpenAPI document, which contains no others', async () => {
    const range = `${from}-${SECONDS}`;
    const list = await (await fetch(url(`v1/archive-${range}.m3u8`, 'guest'))).text();
    const [, init = ''] = /MAP:URI="([^"?]+)/.exec(list) ?? [];
    const [, ts = ''] = /^(ts\/\d+\.ts)/m.exec(await (await fetch(url(`video-${range}.m3u8`, 'guest'))).text()) ?? [];
    const ends = ['m3u8', 'mpd', 'ts', 'mp4'];
    const others = [
      'index.m3u8',
      'index.ll.m3u8',
      'index.json',
      'index.ts.m3u8',
      'index.mpd',
      'Manifest.mpd',
      'manifest.mpd',
      'manifest',
      'video.m3u8',
      'mono.m3u8',
      'v1/index.m3u8',
      'preview.jpg',
      'preview.mp4',
      'embed.html',
      'info.json',
      'media_info.json',
      `v1/${init}`,
      ts,
      ...ends.map((end) => `index-${range}.${end}`),
      'recording_status.json?from=0&to=now&request=ranges,locks',
    ];
    for (const address of others) {
      const response = await fetch(url(address, 'guest'));
      expect([address, response.status]).toEqual([address, 200]);
      checkReply(address, response, Buffer.from(await response.arrayBuffer()));
    }
    for (const address of ['mpegts', 'index.ts', 'index.mp4', 'timeshift_rel-4.mp4', `timeshift_abs-${from}.mp4`]) {
      const gone = new AbortController();
      const response = await fetch(url(address, 'guest'), { signal: gone.signal });
      checkReply(address, response, Buffer.alloc(0));
      gone.abort();
    }
    // Parts and breaks exist only in live playlists.
    for (const address of ['v1/1.0.m4s', 'break-none.m3u8', 'v1/break-none.m3u8']) {
      const none = await fetch(url(address, 'guest'));
      expect([address, none.status]).toEqual([address, 404]);
      checkReply(address, none, Buffer.from(await none.arrayBuffer()));
    }
    // A playlist of two days is refused, but a file of two days is not.
    const days = `${from - 172_800}-172808`;
    const long = await fetch(url(`archive-${days}.m3u8`, 'guest'));
    expect(long.status).toBe(400);
    checkReply(`archive-${days}.m3u8`, long, Buffer.from(await long.arrayBuffer()));
    const sizes = await Promise.all(
      [range, days].map(
        async (time) => (await (await fetch(url(`archive-${time}.ts`, 'guest'))).arrayBuffer()).byteLength,
      ),
    );
    expect(Math.abs((sizes[1] ?? 0) / (sizes[0] ?? 1) - 1)).toBeLessThan(0.5);
    expect(check.untried('playback', compared)).toEqual([]);
  });

  it('serve an MPD with thumbnails for seeking', async () => {
    const address = `archive-${from}-${SECONDS}.mpd`;
    const text = await (await fetch(url(`${address}?thumbnails=2`, 'guest'))).text();
    const [, media = '', time = ''] = /media="(sprite-[^"]+)"><SegmentTimeline><S t="(\d+)"/.exec(text) ?? [];
    const sprite = media.replace('$Time$', time).replaceAll('&amp;', '&');
    const response = await fetch(`${server.url}/cam/${sprite}`);
    expect([sprite, response.status]).toEqual([sprite, 200]);
    expect(await (await fetch(url(address, 'guest'))).text()).not.toContain('sprite-');
    const hls = await (await fetch(url(`archive-${from}-${SECONDS}.m3u8?thumbnails=2`, 'guest'))).text();
    const [, playlist = ''] = /#EXT-X-IMAGE-STREAM-INF:.*URI="([^"]+)"/.exec(hls) ?? [];
    const list = await fetch(`${server.url}/cam/${playlist}`);
    const [, image = ''] = /^(sprite-.+)$/m.exec(await list.text()) ?? [];
    const shown = await fetch(`${server.url}/cam/${image}`);
    expect([list.status, image, shown.headers.get('content-type')]).toEqual([200, image, 'image/jpeg']);
    const wrong = await fetch(url(`${address}?thumbnails=none`, 'guest'));
    expect([wrong.status, await wrong.json()]).toMatchObject([400, { error: 'bad_request' }]);
  });

  it('serve exactly the requested tracks in each form', async () => {
    const range = `${from}-${SECONDS}`;
    const expected: readonly (readonly [address: string, tracks: string])[] = [
      [`archive-${range}.ts?filter.tracks=v1`, 'video'],
      [`tracks-a1/archive-${range}.mp4`, 'audio'],
      [`tracks-v1/archive-${range}.ts.m3u8`, 'video'],
      [`tracks-a1/mono-${range}.m3u8`, 'audio'],
      [`archive-${range}.mpd?filter.tracks=a1`, 'audio'],
      [`tracks-a1v1/archive-${range}.mpd`, 'audio video'],
      [`archive-${range}.ts.m3u8?filter.tracks=v1`, 'video'],
      [`archive-${range}.ts.m3u8?separate_audio=true`, 'audio video'],
      ['index.ts.m3u8?filter.tracks=a1', 'audio'],
    ];
    const found = await Promise.all(
      expected.map(async ([address]) => {
        // The backend that authorizes each request runs in the process of the test, which must not block.
        const kinds = ['-v', 'error', '-show_entries', 'stream=codec_type', '-of', 'csv=p=0', url(address, 'guest')];
        const { stdout } = await run('ffprobe', kinds);
        return [address, [...new Set(stdout.match(/\w+/g))].sort().join(' ')];
      }),
    );
    expect(found).toEqual(expected);
  });

  it('return an error code for forms of other servers and missing tracks', async () => {
    const expected: readonly (readonly [address: string, status: number, code: string])[] = [
      ['index.ts.m3u8?filter.tracks=x1', 400, 'bad_request'],
      ['index.mpd?filter.tracks=v7', 404, 'track_not_found'],
      ['tracks-a7/mono.m3u8', 404, 'track_not_found'],
      ...['manifest.f4m', 'whep', 'shoutcast', 'logo', 'images-320x180/seg-1-0.hls.jpg', 'preview-00-00-09.mp4'].map(
        (address) => [address, 404, 'format_not_supported'] as const,
      ),
    ];
    for (const [address, code, error] of expected) {
      const response = await fetch(url(address, 'guest'));
      expect([address, response.status, await response.json()]).toMatchObject([address, code, { error }]);
    }
    // WebRTC players send POST.
    for (const address of ['whep', 'whip']) {
      const response = await fetch(url(address, 'guest'), { method: 'POST', body: 'v=0' });
      expect([address, response.status, await response.json()]).toMatchObject([
        address,
        404,
        { error: 'format_not_supported' },
      ]);
    }
    const smooth = await fetch(`${server.url}/cam.ism/manifest`);
    expect([smooth.status, await smooth.json()]).toMatchObject([404, { error: 'format_not_supported' }]);
  });

  it('are in the channel list for IPTV players', async () => {
    const list = await (await fetch(`${server.url}/-/channels.m3u?token=guest`)).text();
    expect(list).toMatch(CATCHUP);
    const [, source = ''] = CATCHUP.exec(list) ?? [];
    const filled = source.replace('{utc}', String(from)).replace('{duration}', String(SECONDS));
    const response = await fetch(filled);
    expect(response.status).toBe(200);
    expect(await response.text()).toContain(`v1/archive-${from}-${SECONDS}.m3u8?token=guest`);
  });
});

describe('the embedded page with a seek bar', () => {
  let browser: Browser;

  beforeAll(async () => {
    browser = await startBrowser();
  });
  afterAll(() => browser.close());

  it('seeks back across a gap, by keys, and to live again', async () => {
    // Creates a gap in the recording.
    const switched = async (way: 'disable' | 'enable'): Promise<number> =>
      (await fetch(`${server.url}/mediaserver/api/dvr_${way}/cam`, { method: 'POST' })).status;
    expect(await switched('disable')).toBe(200);
    const growing = url(`v1/archive-${from}-now.m3u8`, 'guest');
    await until('the end', async () => (await (await fetch(growing)).text()).includes('#EXT-X-ENDLIST'), 30_000, async () => (await fetch(growing)).text()); // prettier-ignore
    const end = Date.now();
    await until('a gap', () => Promise.resolve(Date.now() > end + 4000), 30_000);
    expect(await switched('enable')).toBe(200);
    await until('a longer recording', async () => ((await status()).ranges[1]?.duration ?? 0) > 8, 60_000);
    expect(await (await fetch(growing)).text()).not.toContain('#EXT-X-ENDLIST');
    const page = await browser.newPage({ viewport: { width: 1280, height: 720 } });
    await page.goto(`${server.url}/cam/embed.html?dvr=true&token=guest`);
    const shown =
      '(() => { const { hls } = embedPlayer; const { currentTime } = document.querySelector("video"); const part = hls?.levels?.[0]?.details?.fragments.findLast(({ start }) => start <= currentTime); return part ? part.programDateTime / 1000 + currentTime - part.start : 0; })()';
    const holds = async (what: string, expression: string): Promise<unknown> =>
      until(
        what,
        () => page.evaluate<boolean>(expression),
        40_000,
        async () => `shown ${await page.evaluate<number>(shown)}, ${JSON.stringify(await status())}\n${server.printed}`,
      );
    await holds('live', 'document.querySelector("video").currentTime > 1');
    await holds('two ranges', 'document.querySelectorAll("#ranges span").length === 2');
    const box = await page.locator('#recorded').boundingBox();
    if (!box) throw new Error('there is no bar');
    // Seeks to slightly before the gap; anything newer than 15 s is played live.
    const { ranges } = await status();
    const [first, second] = ranges;
    const at = (first?.from ?? 0) + (first?.duration ?? 0) - 6;
    // The bar moves with the time, and a picture may take seconds.
    const position = (): number => box.x + box.width * (1 - (Date.now() / 1000 - at) / 900);
    await page.mouse.move(position(), box.y + 5);
    await holds(
      'a picture of the pointed time',
      'document.querySelector("#hover i").style.background.includes("sprite-")',
    );
    await page.mouse.click(position(), box.y + 5);
    await holds('the earlier picture', `Math.abs(${shown} - ${at}) < 6 && !document.querySelector("video").paused`);
    await holds(
      'the delay',
      `document.querySelector("#behind").textContent !== "" && document.querySelector("#live").classList.contains("late")`,
    );
    // Playback continues after the gap.
    await holds('the picture after the gap', `${shown} > ${second?.from ?? Infinity}`);
    await page.keyboard.press('Home');
    await holds('the begin', `${shown} > ${from - 3} && ${shown} < ${from + 6}`);
    await page.keyboard.press('End');
    await holds(
      'live again',
      `Date.now() / 1000 - ${shown} < 8 && !document.querySelector("#live").classList.contains("late")`,
    );
    await page.close();
  });
});
