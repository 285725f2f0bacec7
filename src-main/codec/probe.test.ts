import { execFileSync } from 'node:child_process';
import { afterAll, expect, test } from 'vitest';
import { systemClock } from '../lib/clock.ts';
import { silentLog } from '../lib/log.ts';
import { madeBytes } from '../../tests/helpers/made-media.ts';
import { CodecPool } from './codec-pool.ts';

/** Test timeout in milliseconds. On a busy machine, the process starts slowly. */
const TEST_TIMEOUT_MS = 60_000;
const pool = new CodecPool({
  entry: new URL('../codec-process.ts', import.meta.url),
  clock: systemClock,
  log: silentLog,
  size: 1,
});
afterAll(() => pool.close());

/** Units in one buffer, with their sizes. */
const packUnits = (units: readonly Uint8Array[]) => ({
  bytes: new Uint8Array(Buffer.concat(units)),
  sizes: Uint32Array.from(units, ({ length }) => length),
});

/** MP2 encoded by ffmpeg, in frames of 384 bytes (128 kbit/s, 48 kHz). */
function mp2(filter: string, seconds = 2): Uint8Array[] {
  const source = ['-f', 'lavfi', '-i', filter, '-t', String(seconds)];
  const bytes = madeBytes([...source, '-c:a', 'mp2', '-b:a', '128k', '-ar', '48000', '-f', 'mp2']);
  return Array.from({ length: Math.floor(bytes.length / 384) }, (_, index) =>
    bytes.subarray(index * 384, (index + 1) * 384),
  );
}

/** A key frame encoded by ffmpeg. */
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

const FORM = { codec: 'mp2', decoderConfig: new Uint8Array() } as const;
const sound = (filter: string) => ({ ...FORM, units: packUnits(mp2(filter)), position: null });

test.each([
  ['sine=f=440,volume=-20dB', -38, -36],
  ['anullsrc', -Infinity, -100],
])('the probe job measures the peak of %s', { timeout: TEST_TIMEOUT_MS }, async (filter, from, to) => {
  const { peak, luma } = await pool.run('probe', { picture: null, sound: sound(filter) });
  const peakDb = 20 * Math.log10(peak ?? NaN);
  expect([luma, peakDb >= from && peakDb <= to ? 'within' : peakDb]).toEqual([null, 'within']);
});

/** Values of ffmpeg's ebur128 filter for each 100 ms: momentary, short-term and true peak. */
function loudnessByFfmpeg(units: readonly Uint8Array[]): number[][] {
  const print = 'ebur128=metadata=1:peak=true,ametadata=print:file=-';
  const args = ['-v', 'quiet', '-f', 'mp3', '-i', '-', '-af', print, '-f', 'null', '-'];
  const text = execFileSync('ffmpeg', args, { input: Buffer.concat(units), encoding: 'utf8', maxBuffer: 1 << 24 });
  return text
    .split(/^frame:/m)
    .slice(1)
    .map((block) => {
      const value = (name: string): number => Number(new RegExp(`r128.${name}=([-.0-9a-z]+)`).exec(block)?.[1]);
      const peak = Math.max(value('true_peaks_ch0'), value('true_peaks_ch1') || 0);
      return [value('M'), value('S'), peak];
    });
}

test(
  'the probe job continues loudness from one probe to the next, with the values that ffmpeg measures for the complete audio',
  { timeout: TEST_TIMEOUT_MS },
  async () => {
    // Bursts with peaks between the samples.
    const tones = 'sin(2*PI*11900*t+0.8)*gt(mod(t,1),0.6)+0.1*sin(2*PI*997*t)';
    const units = mp2(`aevalsrc='0.7*(${tones})':s=48000,volume=-4dB`, 8);
    const found: number[][] = [];
    const frameMs = 24;
    for (const [from, to] of [
      [0, 150],
      [150, units.length],
    ] as const) {
      const position = { key: 'cam', fromMs: from * frameMs, toMs: to * frameMs };
      const probed = await pool.run('probe', {
        picture: null,
        sound: { ...FORM, units: packUnits(units.slice(from, to)), position: position },
      });
      const values = [...(probed.loudness ?? [])];
      while (values.length > 0) found.push(values.splice(0, 3));
    }
    const expected = loudnessByFfmpeg(units.slice(1));
    expect(found.length).toBeGreaterThan(75);
    expect(found[2]?.[0]).toBeNaN();
    expect(found[20]?.[1]).toBeNaN();
    for (const at of [40, 50, 60, 70])
      for (const [index, name] of ['M', 'S'].entries())
        expect(found[at]?.[index], `${name} at ${at}`).toBeCloseTo(expected[at]?.[index] ?? 0, 1);
    const highest = (rows: readonly number[][]): number => Math.max(...rows.map(([, , peak]) => peak ?? 0));
    expect(highest(found)).toBeCloseTo(20 * Math.log10(highest(expected)), 0);
  },
);

test.each([
  ['color=black:s=640x360', 0, 2],
  ['color=navy:s=640x360', 50, 80],
  ['color=white:s=640x360', 253, 255],
  ['testsrc2=s=1280x720', 60, 190],
])(
  'the probe job returns a small picture of %s with the expected brightness',
  { timeout: TEST_TIMEOUT_MS },
  async (filter, from, to) => {
    const { luma } = await pool.run('probe', { picture: keyFrame(filter), sound: null });
    const mean = Array.from(luma ?? []).reduce((sum, value) => sum + value, 0) / (128 * 72);
    expect([luma?.length, mean >= from && mean <= to ? 'within' : mean]).toEqual([128 * 72, 'within']);
  },
);

test('a damaged picture does not affect later probe jobs', { timeout: TEST_TIMEOUT_MS }, async () => {
  const picture = keyFrame('testsrc2=s=640x360');
  const before = await pool.run('probe', { picture, sound: null });
  const damaged = { ...picture, data: Uint8Array.from(picture.data, (byte, at) => (at < 40 ? byte : 0x5a)) };
  await pool.run('probe', { picture: damaged, sound: null }).catch(() => {});
  await pool.run('probe', { picture: keyFrame('color=white:s=640x360'), sound: null });
  expect(await pool.run('probe', { picture, sound: null })).toEqual(before);
});

test('the probe job rejects undecodable data, and the next job works', { timeout: TEST_TIMEOUT_MS }, async () => {
  const noise = [new Uint8Array(384).fill(7)];
  await expect(
    pool.run('probe', {
      picture: null,
      sound: { codec: 'mp2', decoderConfig: new Uint8Array(), units: packUnits(noise), position: null },
    }),
  ).rejects.toMatchObject({ code: 'codec_bad_frame' });
  await expect(pool.run('probe', { picture: null, sound: null })).resolves.toEqual({
    luma: null,
    peak: null,
    loudness: null,
  });
});
