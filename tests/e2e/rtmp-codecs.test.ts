import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { AirdeskProcess } from '../helpers/airdesk-process.ts';
import { RtmpPlayer } from '../helpers/rtmp-player.ts';
import { until } from '../helpers/until.ts';

const run = promisify(execFile);
const LIMIT_MS = 60_000;
/** `CapsExMask.Multitrack` of Enhanced RTMP v2. */
const MULTITRACK = 2;
const folder = mkdtempSync(join(tmpdir(), 'airdesk-rtmp-codecs-'));
const file = join(folder, 'sounds.ts');
let server: AirdeskProcess;

beforeAll(async () => {
  const sounds = [220, 440, 880].flatMap((hertz) => ['-f', 'lavfi', '-i', `sine=${hertz}`]);
  const maps = ['-map', '0', '-map', '1', '-map', '2', '-map', '3', '-t', '10'];
  const codecs = ['-c:v', 'libx264', '-preset', 'ultrafast', '-g', '25', '-c:a:0', 'aac', '-c:a:1', 'ac3', '-c:a:2', 'libopus']; // prettier-ignore
  await run('ffmpeg', ['-v', 'error', '-f', 'lavfi', '-i', 'testsrc=size=320x180:rate=25', ...sounds, ...maps, ...codecs, file]); // prettier-ignore
  server = await AirdeskProcess.start(`stream sounds { input file://${file}; }`);
  await until('all tracks', async () => (await tracks()).length === 4, LIMIT_MS);
}, 180_000);

afterAll(async () => {
  expect(await server.stop()).toBe(0);
  await server.dispose();
  rmSync(folder, { recursive: true, force: true });
});

async function tracks(): Promise<readonly unknown[]> {
  const response = await fetch(`${server.url}/sounds/media_info.json`);
  // The test fails if the server does not follow its contract.
  return response.ok ? ((await response.json()) as { tracks: unknown[] }).tracks : [];
}

/** Codecs of the audio messages of a player, with the numbers of their tracks: `10` for AAC in the old form, `ac-3 1`. */
function soundsOf({ connection: { messages } }: RtmpPlayer): string[] {
  const names = messages.flatMap(({ type, payload }) => {
    const bytes = Buffer.from(payload);
    if (type !== 8 || bytes.length < 7) return [];
    const [first = 0] = bytes;
    // SoundFormat 9 is the extended header; packet type 5 is a multitrack tag with one track.
    if (first >> 4 !== 9) return [String(first >> 4)];
    const isMultitrack = (first & 15) === 5;
    const at = isMultitrack ? 2 : 1;
    return [`${bytes.toString('latin1', at, at + 4)}${isMultitrack ? ` ${bytes[6]}` : ''}`];
  });
  return [...new Set(names)].toSorted();
}

/** Plays until the player has many messages of audio. */
async function play(fields: Parameters<typeof RtmpPlayer.play>[2]): Promise<string[]> {
  const player = await RtmpPlayer.play(server.rtmpUrl, 'static/sounds', fields);
  await player.untilMedia();
  await player.connection.until(() => player.connection.messages.filter(({ type }) => type === 8).length > 150);
  player.close();
  return soundsOf(player);
}

it('gives a player that states nothing the track that classic RTMP carries', async () => {
  expect(await play({})).toEqual(['10']);
});

it('gives a player that states codecs, but not several tracks, one track', async () => {
  expect(await play({ fourCcList: ['ac-3', 'Opus'] })).toEqual(['10']);
});

it('gives a player that states codecs and several tracks all of them', async () => {
  expect(await play({ fourCcList: ['*'], capsEx: MULTITRACK })).toEqual(['10', 'Opus 2', 'ac-3 1']);
  expect(await play({ fourCcList: ['Opus'], capsEx: MULTITRACK })).toEqual(['10', 'Opus 1']);
});

it('is played by ffmpeg as picture and AAC', async () => {
  const url = `${server.rtmpUrl}/static/sounds`;
  const { stdout } = await run('ffprobe', ['-v', 'error', '-show_entries', 'stream=codec_name', '-of', 'csv=p=0', url], { timeout: LIMIT_MS }); // prettier-ignore
  expect(stdout.trim().split('\n').toSorted()).toEqual(['aac', 'h264']);
});
