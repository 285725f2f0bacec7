import { execFileSync } from 'node:child_process';
import { afterAll, expect, test } from 'vitest';
import { madeBytes } from '../../tests/helpers/made-media.ts';
import { testMedia } from '../../tests/helpers/test-media.ts';
import { systemClock } from '../lib/clock.ts';
import { silentLog } from '../lib/log.ts';
import { CodecPool } from './codec-pool.ts';
import type { PictureInput } from './jobs/picture.ts';

/** A process has to start first, which on a busy machine takes longer than a picture may. In milliseconds. */
const PATIENCE_MS = 60_000;
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

/** A key frame as ffmpeg's encoders give it: its configuration from the MP4 it lies in, its bytes from there too. */
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

/** What ffprobe and ffmpeg make of a JPEG: its size, and the mean of its luma as a sign that there is something in it. */
function look(jpeg: Uint8Array): { size: string; complaints: string } {
  const size = execFileSync(
    'ffprobe',
    [
      '-v',
      'error',
      '-f',
      'jpeg_pipe',
      '-show_entries',
      'stream=codec_name,width,height,pix_fmt',
      '-of',
      'csv=p=0',
      '-',
    ],
    { input: jpeg, encoding: 'utf8' },
  );
  const complaints = execFileSync(
    'ffmpeg',
    ['-v', 'warning', '-xerror', '-f', 'jpeg_pipe', '-i', '-', '-f', 'null', '-'],
    { input: jpeg, encoding: 'utf8' },
  );
  return { size: size.trim(), complaints };
}

test('makes a JPEG of a key frame', async () => {
  const picture = await pool.run('picture', keyFrame(), PATIENCE_MS);
  expect(picture).toMatchObject({ width: 160, height: 90 });
  expect(look(picture.jpeg)).toEqual({ size: 'mjpeg,160,90,yuvj420p', complaints: '' });
});

test('puts key frames side by side, and leaves black what is not there or damaged', async () => {
  const frame = keyFrame();
  const broken = { ...frame, data: new Uint8Array([0, 0, 0, 9, 1]) };
  const sprite = await pool.run(
    'sprite',
    { frames: [frame, null, broken, frame, frame], columns: 2, tileWidth: 80, tileHeight: 60 },
    PATIENCE_MS,
  );
  expect(sprite).toMatchObject({ width: 160, height: 180 });
  expect(look(sprite.jpeg)).toEqual({ size: 'mjpeg,160,180,yuvj420p', complaints: '' });
  const brightness = (crop: string): number =>
    execFileSync(
      'ffmpeg',
      [
        '-v',
        'error',
        '-f',
        'jpeg_pipe',
        '-i',
        '-',
        '-vf',
        `crop=${crop},scale=1:1:flags=area,format=gray`,
        '-f',
        'rawvideo',
        '-',
      ],
      { input: sprite.jpeg },
    )[0] ?? 0;
  const tiles = ['80:44:0:8', '80:60:80:0', '80:60:0:60', '80:44:80:68', '80:44:0:128', '80:60:80:120'];
  expect(tiles.map((crop) => brightness(crop) > 40)).toEqual([true, false, false, true, true, false]);
  // A picture of another shape has black edges.
  expect(brightness('80:6:0:0')).toBeLessThan(16);
});

test('keeps the colours of BT.709 in a JPEG that has those of BT.601', async () => {
  const { jpeg } = await pool.run('picture', keyFrame(), PATIENCE_MS);
  const colour = (crop: string): number[] => [
    ...execFileSync(
      'ffmpeg',
      [
        '-v',
        'error',
        '-f',
        'jpeg_pipe',
        '-i',
        '-',
        '-vf',
        `crop=${crop},scale=1:1:flags=area`,
        '-pix_fmt',
        'rgb24',
        '-f',
        'rawvideo',
        '-',
      ],
      { input: jpeg },
    ),
  ];
  const isNear = (found: number[], wanted: number[]): boolean =>
    found.length === 3 && found.every((value, i) => Math.abs(value - (wanted[i] ?? 0)) < 12);
  // The bars of 75 %: grey, cyan and green.
  expect(colour('8:8:4:4')).toSatisfy((found: number[]) => isNear(found, [191, 191, 191]));
  expect(colour('8:8:52:8')).toSatisfy((found: number[]) => isNear(found, [0, 191, 191]));
  expect(colour('8:4:76:0')).toSatisfy((found: number[]) => isNear(found, [0, 191, 0]));
});

test.each<{ name: string; codec: 'h264' | 'h265'; filter: string; limit: Partial<PictureInput>; size: string }>([
  { name: 'H.265', codec: 'h265', filter: 'format=yuv420p', limit: {}, size: '320,240' },
  { name: 'H.265 of 10 bit', codec: 'h265', filter: 'format=yuv420p10', limit: { maxWidth: 160 }, size: '160,120' },
  { name: 'pixels that are wide', codec: 'h264', filter: 'format=yuv420p,setsar=4/3', limit: {}, size: '426,240' },
  {
    name: 'pixels that are narrow',
    codec: 'h264',
    filter: 'format=yuv420p,setsar=1/2',
    limit: { maxHeight: 120 },
    size: '80,120',
  },
  {
    name: 'a frame that is larger',
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
])('keeps the shape of $name', async ({ codec, filter, limit, size }) => {
  const { jpeg } = await pool.run('picture', { ...encoded(codec, filter), ...limit }, PATIENCE_MS);
  expect(look(jpeg)).toEqual({ size: `mjpeg,${size},yuvj420p`, complaints: '' });
});

test.each<[string, (input: PictureInput) => PictureInput, string]>([
  ['no bytes', (input) => ({ ...input, data: new Uint8Array() }), 'codec_bad_frame'],
  ['a length that lies', (input) => ({ ...input, data: Uint8Array.of(255, 255, 255, 255, 5) }), 'codec_bad_frame'],
  ['no configuration', (input) => ({ ...input, decoderConfig: Uint8Array.of(1, 100, 0, 11) }), 'codec_bad_frame'],
  ['the wrong codec', (input) => ({ ...input, codec: 'h265' }), 'codec_bad_config'],
])('refuses %s and goes on', async (_, spoil, code) => {
  await expect(pool.run('picture', spoil(keyFrame()), PATIENCE_MS)).rejects.toMatchObject({ code });
  expect((await pool.run('picture', keyFrame(), PATIENCE_MS)).width).toBe(160);
  expect(pool.stats.crashed).toBe(0);
});
