import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { AirdeskProcess } from '../helpers/airdesk-process.ts';
import { numbersShownBy } from '../helpers/desktop-players.ts';
import { encodeNumbered, READABLE_SIZE } from '../helpers/numbered-media.ts';

const SECONDS = 40;
/** Number of different pictures. */
const PICTURES = SECONDS * 25;
/** Two GOPs. */
const COUNT = 50;

let server: AirdeskProcess;
let stopEncoder: () => Promise<void>;

beforeAll(async () => {
  server = await AirdeskProcess.start('stream cam {\n  input publish://;\n  prepush true;\n}');
  const file = join(server.folder, 'numbered.mp4');
  encodeNumbered(file, { seconds: SECONDS, seed: 3, size: READABLE_SIZE });
  const input = ['-v', 'error', '-nostdin', '-re', '-stream_loop', '-1', '-i', file];
  const encoder = spawn('ffmpeg', [...input, '-c', 'copy', '-f', 'flv', `${server.rtmpUrl}/static/cam`], {
    stdio: 'ignore',
  });
  stopEncoder = async () => {
    const ended = once(encoder, 'exit');
    encoder.kill('SIGKILL');
    await ended;
  };
  await server.streamWhere('cam', 'frames', ({ alive }) => alive, 60_000);
});

afterAll(async () => {
  await stopEncoder();
  expect(await server.stop()).toBe(0);
  await server.dispose();
});

/** Distances of pictures from the first one, although the media restarts at its end. */
function distances(numbers: readonly number[]): number[] {
  const [first = 0] = numbers;
  return numbers.map((number) => (number - first + PICTURES) % PICTURES);
}

it.each(['mpv', 'vlc'] as const)('shows every picture of a stream over RTMP in %s', async (player) => {
  const numbers = await numbersShownBy(player, `${server.rtmpUrl}/static/cam`, COUNT);
  expect(numbers).not.toContain(-1);
  expect(distances(numbers)).toEqual(Array.from({ length: COUNT }, (_, index) => index));
});

// OBS shows the picture of its own clock: it repeats or omits pictures when the machine is busy.
it('shows the pictures of a stream over RTMP in order in the media source of OBS', async () => {
  const numbers = await numbersShownBy('obs', `${server.rtmpUrl}/static/cam`, 2 * COUNT);
  expect(numbers).not.toContain(-1);
  const shown = distances(numbers);
  expect(shown).toEqual(shown.toSorted((a, b) => a - b));
  expect(new Set(shown).size).toBeGreaterThan(COUNT);
});
