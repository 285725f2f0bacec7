import { afterAll, expect, test } from 'vitest';
import { systemClock } from '../lib/clock.ts';
import { silentLog } from '../lib/log.ts';
import { madeBytes } from '../../tests/helpers/made-media.ts';
import { CodecPool } from './codec-pool.ts';

/** A process has to start first. In milliseconds. */
const PATIENCE_MS = 60_000;
const pool = new CodecPool({
  ...{ entry: new URL('../codec-process.ts', import.meta.url), clock: systemClock, log: silentLog, size: 1 },
});
afterAll(() => pool.close());

/** MP2 of two seconds as ffmpeg encodes it, in frames of 384 bytes (128 kbit/s, 48 kHz). */
function mp2(filter: string): Uint8Array[] {
  const source = ['-f', 'lavfi', '-i', filter, '-t', '2'];
  const bytes = madeBytes([...source, '-c:a', 'mp2', '-b:a', '128k', '-ar', '48000', '-f', 'mp2']);
  return Array.from({ length: Math.floor(bytes.length / 384) }, (_, index) =>
    bytes.subarray(index * 384, (index + 1) * 384),
  );
}

/** A key frame as ffmpeg encodes it. */
function keyFrame(filter: string): { codec: 'h264'; decoderConfig: Uint8Array; data: Uint8Array } {
  const form = ['-movflags', '+empty_moov+default_base_moof', '-f', 'mp4'];
  const source = ['-f', 'lavfi', '-i', filter, '-frames:v', '1'];
  const mp4 = madeBytes([...source, '-c:v', 'libx264', '-preset', 'ultrafast', ...form]);
  const body = (type: string): Buffer => {
    const at = mp4.indexOf(type, 0, 'latin1');
    return mp4.subarray(at + 4, at - 4 + mp4.readUInt32BE(at - 4));
  };
  return { codec: 'h264', decoderConfig: body('avcC'), data: body('mdat') };
}

const sound = (filter: string) => ({ codec: 'mp2', decoderConfig: new Uint8Array(), units: mp2(filter) }) as const;

test.each([
  ['sine=f=440,volume=-20dB', -38, -36],
  ['anullsrc', -Infinity, -100],
])('the peak of %s', { timeout: PATIENCE_MS }, async (filter, from, to) => {
  const { peak, luma } = await pool.run('look', { picture: null, sound: sound(filter) });
  const peakDb = 20 * Math.log10(peak ?? NaN);
  expect([luma, peakDb >= from && peakDb <= to ? 'within' : peakDb]).toEqual([null, 'within']);
});

test.each([
  ['color=black:s=640x360', 0, 2],
  ['color=white:s=640x360', 253, 255],
  ['testsrc2=s=1280x720', 60, 190],
])('the small picture of %s', { timeout: PATIENCE_MS }, async (filter, from, to) => {
  const { luma } = await pool.run('look', { picture: keyFrame(filter), sound: null });
  const mean = Array.from(luma ?? []).reduce((sum, value) => sum + value, 0) / (128 * 72);
  expect([luma?.length, mean >= from && mean <= to ? 'within' : mean]).toEqual([128 * 72, 'within']);
});

test('what cannot be decoded is an error, and harms nothing after it', { timeout: PATIENCE_MS }, async () => {
  const noise = [new Uint8Array(384).fill(7)];
  await expect(
    pool.run('look', { picture: null, sound: { codec: 'mp2', decoderConfig: new Uint8Array(), units: noise } }),
  ).rejects.toMatchObject({ code: 'codec_bad_frame' });
  await expect(pool.run('look', { picture: null, sound: null })).resolves.toEqual({ luma: null, peak: null });
});
