import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { AdExplanation } from '../../../src-preload/contract/api/ad-objects.ts';
import { AD_API, AdStage } from '../../helpers/ad-stage.ts';
import { allow } from '../../helpers/auth-backend.ts';
import { allUnitsOf, unitsOf } from '../../helpers/numbered-media.ts';
import { readStrictMpd } from '../../helpers/strict-mpd.ts';
import { until } from '../../helpers/until.ts';

// A viewer seeks back over a break: the segments of the archive contain the same clips, in any order of loading.

const LIMIT_MS = 60_000;
const TOKEN = 'seeks-back';
/** Viewers of DASH and of HLS with MPEG-TS, with both forms of clips. */
const OTHERS = [1, 2].flatMap((v) =>
  (['dash', 'ts'] as const).map((format) => ({ v, format, token: `${format}-${v}` })),
);
/** Digests of the pictures that the HLS viewer got, and the archive range. */
let shownUnits: readonly string[] = [];
let span = '';
let stage: AdStage;

beforeAll(async () => {
  stage = await AdStage.start({
    streams: (backendUrl) =>
      `stream kept {
         input copy://cam; segment_duration 1; segment_count 3; dvr archive; on_play ${backendUrl}/kept; ad_breaks archive=clips;
       }`,
  });
  for (const { v, token } of [{ v: 1, token: TOKEN }, ...OTHERS]) {
    const adInject = { v, midroll: 'ads/a.mp4', midroll_insert_by: 'splicing' };
    stage.backend.byToken.set(token, allow({}, JSON.stringify({ ad_inject: adInject })));
  }
});
afterAll(async () => {
  await stage.close();
});

async function load(path: string, token: string): Promise<Buffer> {
  const answered = await fetch(`${stage.server.url}/kept/v1/${path}${path.includes('?') ? '' : `?token=${token}`}`);
  expect([path, answered.status]).toEqual([path, 200]);
  return Buffer.from(await answered.arrayBuffer());
}

it('the archive contains the clips of a break from its start, in any order of loading', async () => {
  const atMs = Date.now() + 1000;
  const marked = await stage.call('POST', `${AD_API}/streams/kept/ads/splice_insert`, { at: atMs, duration: 4 });
  expect(marked.status).toBe(202);
  const fromSeconds = Math.floor(atMs / 1000) - 3;
  span = `archive-${fromSeconds}-14`;
  const playlistPath = `${span}.m3u8`;
  // The first viewer gets advertisements, the second gets none.
  const playlist = await until(
    'the break in the archive',
    async () => {
      for (const token of [TOKEN, 'plain']) await fetch(`${stage.server.url}/kept/${playlistPath}?token=${token}`);
      const answered = await fetch(`${stage.server.url}/kept/v1/${playlistPath}?token=${TOKEN}`);
      const text = answered.status === 200 ? await answered.text() : '';
      return text.includes('#EXT-X-ENDLIST') ? text : undefined;
    },
    LIMIT_MS,
  );
  const lines = playlist.split('\n');
  const names = lines
    .filter((line) => line.includes('.m4s') && !line.startsWith('#'))
    .map((line) => line.split('?')[0] ?? '');
  expect(names.length).toBeGreaterThan(8);
  const withAds = new Map<string, Buffer>();
  const plain = new Map<string, Buffer>();
  for (const name of names.toReversed()) withAds.set(name, await load(name, TOKEN));
  for (const name of names) plain.set(name, await load(name, 'plain'));
  const changed = names.filter((name) => !withAds.get(name)?.equals(plain.get(name) as Buffer));
  // Four segments of the break, and the one after it, which repeats the parameter sets of the stream. Its start may be a frame
  // before the splice point.
  const inBreak = names.filter((name) => parseInt(name, 10) >= atMs - 45).slice(0, 4);
  expect(changed.slice(0, 4)).toEqual(inBreak);
  expect(changed.length).toBeLessThanOrEqual(5);
  for (const name of names) expect((await load(name, TOKEN)).equals(withAds.get(name) as Buffer)).toBe(true);
  const [map = ''] = /(?<=EXT-X-MAP:URI=")[^"]+/.exec(playlist) ?? [];
  const file = join(stage.folder, 'seen.mp4');
  writeFileSync(file, Buffer.concat([await load(map, TOKEN), ...names.map((name) => withAds.get(name) as Buffer)]));
  const requested = [join(stage.folder, 'a.mp4'), file].map((one) => ({ file: one, content: 'v' as const }));
  const [clip = [], shown = []] = (await allUnitsOf(requested)).map((units) => units.map(({ digest }) => digest));
  shownUnits = shown;
  const begin = shownUnits.indexOf(clip[0] ?? '');
  expect(shownUnits.slice(begin, begin + 2 * clip.length)).toEqual([...clip, ...clip]);
  const sessionId = stage.backend.requestsAbout(TOKEN).at(-1)?.facts['session_id'] ?? '';
  const { breaks } = await stage.read<AdExplanation>(`${AD_API}/streams/kept/ads/explain?session=${sessionId}`);
  expect(breaks.flatMap(({ clips }) => clips.map((one) => [one.path, one.sent_segments]))).toEqual([
    ['ads/a.mp4', 2],
    ['ads/a.mp4', 2],
  ]);
  await until(
    'the events',
    () => stage.shownEvents().filter(({ session_id: id }) => id === sessionId).length === 2,
    LIMIT_MS,
  );
});

/** File with the whole archive range, in MPEG-TS or from DASH. */
async function wholeSpan(format: 'dash' | 'ts', token: string): Promise<string> {
  const get = async (url: URL | string): Promise<Buffer> => {
    const answered = await fetch(url);
    expect([String(url), answered.status]).toEqual([String(url), 200]);
    return Buffer.from(await answered.arrayBuffer());
  };
  const list = `${stage.server.url}/kept/${span}${format === 'ts' ? '.ts.m3u8' : '.mpd'}?token=${token}`;
  const text = String(await get(list));
  const addresses =
    format === 'ts'
      ? text.split('\n').filter((line) => line !== '' && !line.startsWith('#'))
      : readStrictMpd(text).periods.flatMap(({ sets }) =>
          sets
            .filter(({ trackId }) => trackId === 'v1')
            .flatMap(({ initialization, media, segments }) => [
              initialization,
              ...segments.map(({ t }) => media.replace('$Time$', String(t))),
            ]),
        );
  const file = join(stage.folder, `${token}.media`);
  const bytes: Buffer[] = [];
  for (const address of addresses) bytes.push(await get(new URL(address, list)));
  writeFileSync(file, Buffer.concat(bytes));
  return file;
}

it.each(OTHERS)('the archive contains the same pictures in $format, with v $v', async ({ format, token }) => {
  const pictures = await unitsOf(await wholeSpan(format, token), 'v');
  expect(pictures.map(({ digest }) => digest)).toEqual(shownUnits);
  // No picture is missing after the break.
  for (const [index, { ms }] of pictures.entries())
    if (index > 0) expect(Math.abs(ms - (pictures[index - 1]?.ms ?? 0) - 40)).toBeLessThan(3);
  const sessionId = stage.backend.requestsAbout(token).at(-1)?.facts['session_id'] ?? '';
  await until(
    'the events',
    () => stage.shownEvents().filter(({ session_id: id }) => id === sessionId).length === 2,
    LIMIT_MS,
  );
});
