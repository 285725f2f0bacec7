import { spawnSync, type SpawnSyncReturns } from 'node:child_process';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { AirdeskProcess, ENTRY, LIVE_PREFIX } from '../../helpers/airdesk-process.ts';
import { EncoderProcess } from '../../helpers/encoder-process.ts';
import { readStrictPlaylist } from '../../helpers/strict-playlist.ts';
import { until } from '../../helpers/until.ts';

// Viewers who request a stream before its first picture.

let server: AirdeskProcess;

beforeAll(async () => {
  server = await AirdeskProcess.start(
    'stream waiting { input publish://; } stream dead { input tshttp://127.0.0.1:9/none; } stream rest { input fake:// width=320 height=180; static false; }',
  );
});
afterAll(() => server?.dispose());

/** Status and text of an address. */
async function get(path: string): Promise<readonly [status: number, text: string]> {
  const response = await fetch(`${server.url}${path}`);
  return [response.status, await response.text()];
}

/** First reply other than `stream_not_found`. */
async function firstAnswer(path: string): Promise<readonly [status: number, text: string]> {
  const answerOfStream = async (): Promise<readonly [number, string] | undefined> => {
    const answer = await get(path);
    return answer[1].includes('stream_not_found') ? undefined : answer;
  };
  return until(`stream at ${path}`, answerOfStream, 30_000, () => server.printed);
}

it('every address of a stream returns something to play as soon as an encoder connects', async () => {
  const stream = `/${LIVE_PREFIX}/start`;
  const encoder = EncoderProcess.publish({ url: `${server.rtmpUrl}${stream}` });
  try {
    const files = ['index.m3u8', 'v1/index.m3u8', 'a1/index.m3u8', 'index.mpd', 'index.ts.m3u8'];
    const answers = await Promise.all(files.map((file) => firstAnswer(`${stream}/${file}`)));
    expect(answers.map(([status]) => status)).toEqual([200, 200, 200, 200, 200]);
    const [multivariant = '', video = '', audio = '', mpd = ''] = answers.map(([, text]) => text);
    expect(multivariant).toMatch(
      /#EXT-X-STREAM-INF:BANDWIDTH=\d{5,},.*CODECS="avc1\.[0-9a-f]{6},mp4a\.40\.2",RESOLUTION=/,
    );
    expect(mpd.match(/<AdaptationSet /g)).toHaveLength(2);
    for (const text of [video, audio]) {
      const first = readStrictPlaylist(text).segments.find(({ isGap, parts }) => !isGap && parts.length > 0);
      const track = text === video ? 'v1' : 'a1';
      const part = await fetch(`${server.url}${stream}/${track}/${first?.parts[0]?.uri}`);
      expect([part.status, (await part.arrayBuffer()).byteLength > 100]).toEqual([200, true]);
    }
  } finally {
    await encoder.stop();
  }
});

it('a stream that runs on demand returns its first playlist', async () => {
  expect(await get('/rest/index.m3u8')).toEqual([200, expect.stringContaining('#EXT-X-STREAM-INF')]);
});

it('a stream that is not starting gets 404 at once, and a failing stream as soon as the failure is known', async () => {
  for (const file of ['index.m3u8', 'index.mpd', 'index.ts.m3u8']) {
    expect(await get(`/unknown/${file}`)).toEqual([404, expect.stringContaining('stream_not_found')]);
    // After a long wait the status would be 503.
    expect(await get(`/waiting/${file}`)).toEqual([404, expect.stringContaining('stream_not_running')]);
    expect(await get(`/dead/${file}`)).toEqual([404, expect.stringContaining('stream_not_running')]);
  }
});

it('a wrong command line prints an explanation and the usage, and exits with code 2', () => {
  const run = (...args: string[]): SpawnSyncReturns<string> =>
    spawnSync(process.execPath, [ENTRY, ...args], { encoding: 'utf8' });
  const wrong = run('--cofnig', 'a.conf');
  expect([wrong.status, wrong.stdout]).toEqual([2, '']);
  expect(wrong.stderr).toMatch(/^airdesk: unknown option --cofnig; did you mean --config\?\n\nusage: [^{}]*$/);
  const help = run('--help');
  expect([help.status, help.stderr]).toEqual([0, '']);
  expect(help.stdout).toMatch(/^usage: /);
});
