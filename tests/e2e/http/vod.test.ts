import { copyFileSync, mkdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { AirdeskProcess } from '../../helpers/airdesk-process.ts';
import { AnswerCheck } from '../../helpers/answer-check.ts';
import { allow, AuthBackend, deny } from '../../helpers/auth-backend.ts';
import { ClipFiles, unitDigests } from '../../helpers/clip-files.ts';
import { until } from '../../helpers/until.ts';

const clips = new ClipFiles();
const SECONDS = 12;
const ODD = 'Füße & 100 %/ein #film?.mp4';

let server: AirdeskProcess;
let backend: AuthBackend;

function address(name: string): string {
  return `${server.url}/${name.split('/').map(encodeURIComponent).join('/')}`;
}

/** Status, and the code of an error. */
async function answerOf(path: string): Promise<string> {
  const response = await fetch(path, { redirect: 'manual' });
  const text = await response.text();
  return response.ok ? 'ok' : `${response.status} ${/"error":"(\w+)"/.exec(text)?.[1] ?? ''}`.trim();
}

async function json(path: string): Promise<unknown> {
  return (await fetch(path)).json();
}

beforeAll(async () => {
  clips.add('film.mp4', { seconds: SECONDS });
  mkdirSync(clips.path('Füße & 100 %'));
  copyFileSync(clips.path('film.mp4'), clips.path(ODD));
  clips.add('film.ts', { seconds: SECONDS });
  clips.add('film.mkv', { seconds: SECONDS });
  writeFileSync(clips.path('film.en.srt'), '1\n00:00:01,000 --> 00:00:03,000\nGood morning\n');
  writeFileSync(clips.path('both.smil'), '<smil><body><video src="film.mp4"/><video src="film.mkv"/></body></smil>');
  writeFileSync(clips.path('empty.mp4'), '');
  symlinkSync('/etc/hostname', clips.path('out.mp4'));
  writeFileSync(
    clips.path('day.m3u'),
    `clips/out.mp4\noff/film.mkv\nclips/nothing.mp4\npaid/films/${ODD}\nclips/film.mkv\n`,
  );
  backend = await AuthBackend.start();
  server = await AirdeskProcess.start(
    [
      `file clips { path /nowhere; path ${clips.folder}; segment_duration 4; }\n`,
      `vod paid/films { storage ${clips.folder}; download; on_play ${backend.url}/films; }\n`,
      `vod only { storage ${clips.folder}; protocols dash; download; }\n`,
      `vod raw { storage ${clips.folder}; download; }\n`,
      `vod off { storage ${clips.folder}; disabled; }\n`,
      `stream list { input playlist://${clips.path('day.m3u')}; }\n`,
    ].join(''),
  );
});

afterAll(async () => {
  expect(await server.stop()).toBe(0);
  await server.dispose();
  await backend.close();
  clips.close();
});

/** Digests of the coded pictures of files and addresses. */
function picturesOf(...inputs: readonly string[]): string[][] {
  return unitDigests(inputs.map((input) => [input, 'v:0'] as const));
}

describe('a file of a location', () => {
  it('plays with all its pictures in HLS, DASH, MPEG-TS and MP4, with special characters in its name', () => {
    const file = address(`clips/${ODD}`);
    const forms = ['index.m3u8', 'index.mpd', 'index.mp4', 'index.ts.m3u8', 'mpegts'];
    const [expected = [], ...served] = picturesOf(clips.path('film.mp4'), ...forms.map((form) => `${file}/${form}`));
    expect(expected).toHaveLength(SECONDS * 25);
    for (const [index, pictures] of served.entries())
      // Pictures in transport streams have additional start codes and delimiters, so only their number is compared.
      if (index < 3) expect([forms[index], pictures]).toEqual([forms[index], expected]);
      else expect([forms[index], pictures.length]).toEqual([forms[index], expected.length]);
  });

  it.each(['film.ts', 'film.mkv', 'both.smil'])('plays with the same pictures in each form, here %s', (name) => {
    const forms = ['v1/index.m3u8', 'index.mp4', 'index.ts'];
    const addresses = forms.map((form) => address(`clips/${name}/${form}`));
    const [expected, playlist, file, packets] = picturesOf(clips.path('film.mp4'), ...addresses);
    expect(playlist).toEqual(expected);
    expect(file).toEqual(expected);
    expect(packets?.length).toBe(expected?.length);
  });

  it('has its subtitles and renditions in the playlist', async () => {
    const list = await (await fetch(`${address('clips/both.smil')}/index.m3u8`)).text();
    expect(list.match(/#EXT-X-STREAM-INF/g)).toHaveLength(2);
    const film = await (await fetch(`${address('clips/film.mp4')}/index.m3u8`)).text();
    expect(film).toContain('NAME="en",LANGUAGE="en"');
    expect(await (await fetch(`${address('clips/film.mp4')}/s1/index.m3u8`)).text()).toContain('subtitles.vtt');
    const text = await fetch(`${address('clips/film.mp4')}/s1/subtitles.vtt`);
    expect(text.headers.get('content-type')).toBe('text/vtt; charset=utf-8');
    expect(await text.text()).toContain('00:00:01.000 --> 00:00:03.000\nGood morning');
    expect(await answerOf(`${address('clips/film.mp4')}/s2/subtitles.vtt`)).toMatch(/^410|^404/);
  });

  it('has media information, previews and an embedded page', async () => {
    const file = address('clips/film.mp4');
    expect(await json(`${file}/media_info.json`)).toMatchObject({
      width: 160,
      height: 90,
      tracks: [{ track_id: 'a1' }, { track_id: 'v1' }],
    });
    // A busy machine may create the picture later.
    const picture = await until(
      'a picture',
      async () => {
        const reply = await fetch(`${file}/preview.jpg`);
        if (reply.status !== 503) return reply;
        expect(await reply.json()).toMatchObject({ error: 'unavailable' });
        return undefined;
      },
      10_000,
    );
    expect(picture.headers.get('content-type')).toBe('image/jpeg');
    expect((await picture.arrayBuffer()).byteLength).toBeGreaterThan(500);
    // `preview.mp4` contains the picture at a tenth of the duration: of the key frame in the first segment of four
    // seconds.
    const previews = ['preview.mp4', 'preview-00-00-09.mp4'].map((name) => `${file}/${name}`);
    const [coded = [], first, later] = picturesOf(clips.path('film.mp4'), ...previews);
    expect(first).toEqual(coded.slice(0, 1));
    expect(later).toEqual(coded.slice(200, 201));
    expect(await answerOf(`${file}/preview-01-00-00.mp4`)).toBe('404 picture_not_available');
    expect(await (await fetch(`${file}/manifest`)).text()).toBe(await (await fetch(`${file}/index.mpd`)).text());
    expect(await (await fetch(`${file}/embed.html`)).text()).toContain('src="../../-/player/embed.js"');
  });

  it('has segments with an immutable cache header, completely and in ranges', async () => {
    const file = address('clips/film.mp4');
    const playlist = await (await fetch(`${file}/v1/index.m3u8`)).text();
    const [segment = ''] = playlist.split('\n').filter((line) => line.endsWith('.m4s'));
    const response = await fetch(`${file}/v1/${segment}`);
    expect(response.headers.get('cache-control')).toContain('immutable');
    const bytes = Buffer.from(await response.arrayBuffer());
    expect(bytes.length).toBe(Number(response.headers.get('content-length')));
    const part = await fetch(`${file}/v1/${segment}`, { headers: { range: 'bytes=5000-5999' } });
    expect(part.status).toBe(206);
    expect(Buffer.from(await part.arrayBuffer()).equals(bytes.subarray(5000, 6000))).toBe(true);
  });

  it('has addresses that are all in the OpenAPI document, and every documented address is answered', async () => {
    const check = AnswerCheck.of(await (await fetch(`${server.url}/mediaserver/api/v3/schema`)).text());
    const compared = new Set<string>();
    const list = await (await fetch(`${address('clips/film.mp4')}/v1/index.m3u8`)).text();
    const [, init = ''] = /MAP:URI="([^"]+)"/.exec(list) ?? [];
    const [segment = ''] = list.split('\n').filter((line) => line.endsWith('.m4s'));
    const forms = [
      'index.m3u8',
      'index.ts.m3u8',
      'index.mpd',
      'manifest.mpd',
      'Manifest.mpd',
      'manifest',
      'index.ts',
      'mpegts',
      'index.mp4',
      's1/index.m3u8',
      's1/subtitles.vtt',
      'preview.jpg',
      'preview.mp4',
      'preview-00-00-09.mp4',
      'media_info.json',
      'info.json',
      'embed.html',
      'v1/index.m3u8',
      `v1/${init}`,
      `v1/${segment}`,
    ];
    const compare = async (name: string, form: string): Promise<number> => {
      const response = await fetch(`${address(name)}/${form}`);
      const type = response.headers.get('content-type');
      const body: unknown = type?.startsWith('application/json') ? await response.json() : await response.text();
      const path = `/${encodeURIComponent(name)}/${form}`;
      check.verify('GET', path, response.status, type, body);
      compared.add(path);
      return response.status;
    };
    for (const form of forms) expect([form, await compare('clips/film.mp4', form)]).toEqual([form, 200]);
    const refused = await fetch(address('clips/film.mp4'));
    check.verify('GET', '/clips%2Ffilm.mp4', refused.status, 'application/json', await refused.json());
    compared.add('/clips%2Ffilm.mp4');
    expect(refused.status).toBe(403);
    expect(check.untried('playback of files', compared)).toEqual([]);
    for (const form of ['index.m3u8', 's1/subtitles.vtt', 'preview-00-00-09.mp4'])
      expect([form, await compare('clips/empty.mp4', form)]).toEqual([form, 422]);
  });

  it('can be downloaded unchanged if its location allows it, completely and in ranges', async () => {
    const expected = readFileSync(clips.path(ODD));
    const response = await fetch(address(`raw/${ODD}`));
    expect(Buffer.from(await response.arrayBuffer()).equals(expected)).toBe(true);
    const { headers } = response;
    expect([headers.get('content-type'), headers.get('content-disposition')]).toEqual([
      'video/mp4',
      "attachment; filename*=UTF-8''ein%20%23film%3F.mp4",
    ]);
    const range = { headers: { range: 'bytes=1000-1999', 'if-range': headers.get('etag') ?? '' } };
    const part = await fetch(address(`raw/${ODD}`), range);
    expect(part.status).toBe(206);
    expect(Buffer.from(await part.arrayBuffer()).equals(expected.subarray(1000, 2000))).toBe(true);
    expect((await fetch(address('raw/film.mkv'), { method: 'HEAD' })).headers.get('content-type')).toBe(
      'video/x-matroska',
    );
    const refused: readonly (readonly [string, string])[] = [
      ['clips/film.mp4', '403 download_not_allowed'],
      ['raw/both.smil', '404 vod_file_not_found'],
      ['raw/film.en.srt', '415 vod_file_not_supported'],
      ['raw/nothing.mp4', '404 vod_file_not_found'],
      ['raw/out.mp4', '404 vod_file_not_found'],
      ['only/film.mp4', '403 playback_denied'],
    ];
    for (const [name, code] of refused) expect([name, await answerOf(address(name))]).toEqual([name, code]);
    const saved = await fetch(`${address('clips/film.mp4')}/index.mp4?download=true`);
    expect(saved.headers.get('content-disposition')).toBe("attachment; filename*=UTF-8''film.mp4");
    await saved.body?.cancel();
  });

  it('is refused with an error code if missing or unplayable', async () => {
    const expected: readonly (readonly [string, string])[] = [
      ['clips/nothing.mp4', '404 vod_file_not_found'],
      ['clips/out.mp4', '404 vod_file_not_found'],
      ['clips/empty.mp4', '422 vod_file_damaged'],
      ['off/film.mp4', '404 stream_not_found'],
    ];
    for (const [name, code] of expected)
      expect([name, await answerOf(`${address(name)}/index.m3u8`)]).toEqual([name, code]);
    expect(await answerOf(`${server.url}/clips/%2e%2e%2f%2e%2e%2fetc/passwd/index.m3u8`)).toMatch(/^404/);
    expect(await answerOf(`${address('only/film.mp4')}/index.mpd`)).toBe('ok');
    expect(await answerOf(`${address('only/film.mp4')}/index.m3u8`)).toBe('403 playback_denied');
  });

  it('can be an entry of a playlist input, in which missing files are skipped', async () => {
    const stream = await server.streamWhere('list', 'a list', ({ alive }) => alive, 20_000);
    expect(stream.alive).toBe(true);
    // The list restarts at its end: on a slow machine another entry may be playing already.
    const playing = await until(
      'the entry',
      async () => {
        const found = (await json(`${server.url}/mediaserver/api/playlist/list`)) as { current_entry?: string };
        return found.current_entry === `paid/films/${ODD}` ? found : undefined;
      },
      60_000,
      () => server.printed,
    );
    expect(playing).toMatchObject({ current_type: 'file' });
    expect(await json(`${server.url}/list/media_info.json`)).toMatchObject({ width: 160, height: 90 });
  });

  it('is played only for viewers that the authorization backend of its location admits', async () => {
    backend.byPath.set('/films', deny());
    const file = address('paid/films/film.mp4');
    expect(await answerOf(`${file}/index.m3u8?token=first`)).toBe('403 playback_denied');
    expect(await answerOf(`${file}?token=third`)).toBe('403 playback_denied');
    backend.byPath.set('/films', allow({ 'X-UserId': 'viewer-1' }));
    expect(await answerOf(`${file}/index.m3u8?token=second`)).toBe('ok');
    expect(await answerOf(`${file}/v1/index.m3u8?token=second`)).toBe('ok');
    const { sessions } = (await json(`${server.url}/mediaserver/api/sessions?name=paid/films/film.mp4`)) as {
      sessions: { name: string; type: string }[];
    };
    const { files } = (await json(`${server.url}/mediaserver/api/files`)) as { files: { name: string }[] };
    expect(files.find(({ name }) => name === 'paid/films/film.mp4')).toMatchObject({
      prefix: 'paid/films',
      url: clips.path('film.mp4'),
    });
    const opened = '/mediaserver/api/v3/vods/opened_files';
    const { files: shown } = (await json(`${server.url}${opened}?prefix=paid/films`)) as { files: unknown[] };
    expect(shown).toMatchObject([
      {
        name: 'paid/films/film.mp4',
        subpath: 'film.mp4',
        bytes: statSync(clips.path('film.mp4')).size,
        opened: true,
        stats: { media_info: { width: 160 } },
      },
    ]);
    const listed = '/mediaserver/api/v3/vods/paid%2Ffilms/storages/0/files?opened=true';
    expect(((await json(`${server.url}${listed}`)) as { files: unknown[] }).files).toEqual(shown);
    expect(sessions).toMatchObject([{ name: 'paid/films/film.mp4', type: 'hls' }]);
  });
});
