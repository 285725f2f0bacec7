import { execFileSync, spawnSync } from 'node:child_process';
import { afterAll, expect, test } from 'vitest';
import { madeBytes } from '../../tests/helpers/made-media.ts';
import { testMedia } from '../../tests/helpers/test-media.ts';
import { systemClock } from '../lib/clock.ts';
import { silentLog } from '../lib/log.ts';
import { CodecPool } from './codec-pool.ts';
import type { PictureInput } from './jobs/picture.ts';

/**
 * Timeout of a picture job, in milliseconds. On a busy machine, starting the process takes longer than the default
 * timeout.
 */
const PICTURE_TIMEOUT_MS = 60_000;
const pool = new CodecPool({
  entry: new URL('../codec-process.ts', import.meta.url),
  clock: systemClock,
  log: silentLog,
  size: 1,
});
afterAll(() => pool.close());

function keyFrame(): PictureInput {
  const { video, units } = testMedia();
  const [first] = units(1);
  if (!first) throw new Error('no access unit');
  return { codec: 'h264', decoderConfig: video.decoderConfig, data: first.data };
}

/** A key frame encoded by ffmpeg: configuration and bytes from its MP4 file. */
function encoded(codec: 'h264' | 'h265', filter: string): PictureInput {
  const encoder = codec === 'h264' ? ['-c:v', 'libx264'] : ['-c:v', 'libx265', '-x265-params', 'log-level=none'];
  const source = ['-f', 'lavfi', '-i', `testsrc2=s=320x240:d=0.1:r=10,${filter}`, '-frames:v', '1'];
  const mp4 = madeBytes([...source, ...encoder, '-movflags', '+empty_moov+default_base_moof', '-f', 'mp4']);
  const body = (type: string): Buffer => {
    const at = mp4.indexOf(type, 0, 'latin1');
    return mp4.subarray(at + 4, at - 4 + mp4.readUInt32BE(at - 4));
  };
  return { codec, decoderConfig: body(codec === 'h264' ? 'avcC' : 'hvcC'), data: body('mdat') };
}

/** ffprobe's description of a JPEG (codec, size, pixel format and number of pictures), and its warnings. */
function probe(jpeg: Uint8Array): { found: string; complaints: string } {
  const shown = ['-count_frames', '-show_entries', 'stream=codec_name,width,height,pix_fmt,nb_read_frames'];
  const args = ['-v', 'warning', '-f', 'jpeg_pipe', ...shown, '-of', 'csv=p=0', '-'];
  const { stdout, stderr } = spawnSync('ffprobe', args, { input: jpeg, encoding: 'utf8' });
  return { found: stdout.trim(), complaints: stderr };
}

/** Mean values of areas (`w:h:x:y`) of a JPEG that ffmpeg decodes to the given pixel format. */
function means(jpeg: Uint8Array, places: readonly string[], pixels: 'gray' | 'rgb24'): Buffer {
  const all = places.map((place, at) => `[in${at}]crop=${place},scale=1:1:flags=area,format=${pixels}[out${at}]`);
  const [ins, outs] = ['in', 'out'].map((side) => places.map((_, at) => `[${side}${at}]`).join(''));
  const graph = `split=${places.length}${ins};${all.join(';')};${outs}hstack=${places.length}`;
  const args = ['-v', 'error', '-f', 'jpeg_pipe', '-i', '-', '-filter_complex', graph, '-f', 'rawvideo', '-'];
  return execFileSync('ffmpeg', args, { input: jpeg });
}

test('the picture job makes a JPEG of a key frame', async () => {
  const picture = await pool.run('picture', keyFrame(), PICTURE_TIMEOUT_MS);
  expect(picture).toMatchObject({ width: 160, height: 90 });
  expect(probe(picture.jpeg)).toEqual({ found: 'mjpeg,160,90,yuvj420p,1', complaints: '' });
});

test('the sprite job arranges key frames in tiles, with black tiles for missing or damaged ones', async () => {
  const frame = keyFrame();
  const broken = { ...frame, data: new Uint8Array([0, 0, 0, 9, 1]) };
  const sprite = await pool.run(
    'sprite',
    { frames: [frame, null, broken, frame, frame], columns: 2, tileWidth: 80, tileHeight: 60 },
    PICTURE_TIMEOUT_MS,
  );
  expect(sprite).toMatchObject({ width: 160, height: 180 });
  expect(probe(sprite.jpeg)).toEqual({ found: 'mjpeg,160,180,yuvj420p,1', complaints: '' });
  const tiles = ['80:44:0:8', '80:60:80:0', '80:60:0:60', '80:44:80:68', '80:44:0:128', '80:60:80:120'];
  // A picture of another aspect ratio has black edges.
  const [edge, ...bright] = means(sprite.jpeg, ['80:6:0:0', ...tiles], 'gray');
  expect(bright.map((mean) => mean > 40)).toEqual([true, false, false, true, true, false]);
  expect(edge).toBeLessThan(16);
});

test('the picture job converts BT.709 colours to BT.601 in a JPEG', async () => {
  const { jpeg } = await pool.run('picture', keyFrame(), PICTURE_TIMEOUT_MS);
  const found = means(jpeg, ['8:8:4:4', '8:8:52:8', '8:4:76:0'], 'rgb24');
  // The 75 % bars: grey, cyan and green.
  const expected = [191, 191, 191, 0, 191, 191, 0, 191, 0];
  expect(found).toHaveLength(expected.length);
  expect(expected.filter((value, at) => Math.abs(value - (found[at] ?? NaN)) >= 12)).toEqual([]);
});

test.each<{ name: string; codec: 'h264' | 'h265'; filter: string; limit: Partial<PictureInput>; size: string }>([
  { name: 'H.265', codec: 'h265', filter: 'format=yuv420p', limit: {}, size: '320,240' },
  { name: 'H.265 of 10 bit', codec: 'h265', filter: 'format=yuv420p10', limit: { maxWidth: 160 }, size: '160,120' },
  { name: 'wide pixels', codec: 'h264', filter: 'format=yuv420p,setsar=4/3', limit: {}, size: '426,240' },
  {
    name: 'narrow pixels',
    codec: 'h264',
    filter: 'format=yuv420p,setsar=1/2',
    limit: { maxHeight: 120 },
    size: '80,120',
  },
  {
    name: 'a larger frame',
    codec: 'h264',
    filter: 'format=yuv420p',
    limit: { maxWidth: 4000, maxHeight: 4000 },
    size: '320,240',
  },
  {
    name: 'both limits',
    codec: 'h264',
    filter: 'format=yuv420p',
    limit: { maxWidth: 160, maxHeight: 60 },
    size: '80,60',
  },
  { name: 'pictures of 4:4:4', codec: 'h264', filter: 'format=yuv444p', limit: {}, size: '320,240' },
])('the picture job keeps the aspect ratio: $name', async ({ codec, filter, limit, size }) => {
  const { jpeg } = await pool.run('picture', { ...encoded(codec, filter), ...limit }, PICTURE_TIMEOUT_MS);
  expect(probe(jpeg)).toEqual({ found: `mjpeg,${size},yuvj420p,1`, complaints: '' });
});

test.each<[string, (input: PictureInput) => PictureInput, string]>([
  ['no bytes', (input) => ({ ...input, data: new Uint8Array() }), 'codec_bad_frame'],
  ['a wrong length', (input) => ({ ...input, data: Uint8Array.of(255, 255, 255, 255, 5) }), 'codec_bad_frame'],
  ['no configuration', (input) => ({ ...input, decoderConfig: Uint8Array.of(1, 100, 0, 11) }), 'codec_bad_frame'],
  ['the wrong codec', (input) => ({ ...input, codec: 'h265' }), 'codec_bad_config'],
])('the picture job refuses a key frame with %s, and the next job works', async (_, spoil, code) => {
  await expect(pool.run('picture', spoil(keyFrame()), PICTURE_TIMEOUT_MS)).rejects.toMatchObject({ code });
  expect((await pool.run('picture', keyFrame(), PICTURE_TIMEOUT_MS)).width).toBe(160);
  expect(pool.stats.crashed).toBe(0);
});
