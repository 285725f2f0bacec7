import { execFileSync } from 'node:child_process';
import { afterAll, expect, it } from 'vitest';
import { fileWindow, RecordedMedia } from '../../tests/helpers/recorded-media.ts';
import { testMedia, toAnnexB } from '../../tests/helpers/test-media.ts';
import { CodecPool } from '../codec/codec-pool.ts';
import { systemClock } from '../lib/clock.ts';
import { silentLog } from '../lib/log.ts';
import { exactPictureAt } from '../packaging/mp4/exact-picture.ts';

const SECONDS = 4;
const OPTIONS = { bFrames: 2 };
const FRAME_MS = 40;
const SIZE = 160 * 90;
const pool = new CodecPool({
  entry: new URL('../codec-process.ts', import.meta.url),
  clock: systemClock,
  log: silentLog,
  size: 1,
});
const recorded = new RecordedMedia(SECONDS, OPTIONS);

afterAll(async () => {
  await pool.close();
  recorded.close();
});

/** Pictures decoded by ffmpeg, in grey, in presentation order. */
function greyOf(input: Uint8Array, format: string): Buffer[] {
  const bytes = execFileSync(
    'ffmpeg',
    ['-v', 'error', '-f', format, '-i', '-', '-fps_mode', 'passthrough', '-pix_fmt', 'gray', '-f', 'rawvideo', '-'],
    { input, maxBuffer: 1 << 30 },
  );
  return Array.from({ length: bytes.length / SIZE }, (_, index) => bytes.subarray(index * SIZE, (index + 1) * SIZE));
}

function distance(a: Buffer, b: Buffer): number {
  let sum = 0;
  for (let at = 0; at < a.length; at++) sum += Math.abs((a[at] ?? 0) - (b[at] ?? 0));
  return sum;
}

it('exactPictureAt returns the picture at a time, with any decoding dependencies', async () => {
  const media = testMedia(OPTIONS);
  const shown = greyOf(toAnnexB(media.video, media.units(SECONDS)), 'h264');
  const window = fileWindow(recorded);
  const fromMs = window.segments('v1')[0]?.startMs ?? 0;
  const indexes = [0, 1, 2, 3, 13, 24, 25, 51, 62];
  const jpegs: Uint8Array[] = [];
  for (const index of indexes) {
    // For odd numbers the middle of the display time of the picture, for even numbers its start.
    const atMs = fromMs + index * FRAME_MS + (index % 2) * 20;
    const picture = await exactPictureAt(window, atMs);
    if (!picture) throw new Error(`there is none at ${index}`);
    const { jpeg, width, height } = await pool.run('picture', { ...picture, quality: 2 }, 60_000);
    expect([width, height]).toEqual([160, 90]);
    jpegs.push(jpeg);
  }
  const grey = greyOf(Buffer.concat(jpegs), 'jpeg_pipe');
  expect(grey).toHaveLength(indexes.length);
  for (const [at, index] of indexes.entries()) {
    const distances = shown.map((one) => distance(grey[at] ?? one, one));
    expect(distances.indexOf(Math.min(...distances)), `picture ${index}`).toBe(index);
  }
  expect(await exactPictureAt(window, fromMs - 1000)).toBeUndefined();
  expect(await exactPictureAt(window, fromMs + SECONDS * 1000 + 500)).toBeUndefined();
}, 120_000);
