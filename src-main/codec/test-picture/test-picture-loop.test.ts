import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { SMALL_PICTURE, testMedia, toAdts, toAnnexB } from '../../../tests/helpers/test-media.ts';
import { FLASH_AREA } from './test-picture-drawing.ts';
import type { TestPictureOptions } from './test-picture-options.ts';

const folder = mkdtempSync(join(tmpdir(), 'airdesk-loop-'));
afterAll(() => {
  rmSync(folder, { recursive: true });
});

/** Writes some seconds of a test picture as elementary streams. If longer than the loop, they include its end. */
function write(options: Partial<TestPictureOptions>, seconds: number): { h264: string; aac: string; rate: string } {
  const media = testMedia(options);
  const { fpsNumerator, fpsDenominator } = { ...SMALL_PICTURE, ...options };
  const h264 = join(folder, 'v.h264');
  const aac = join(folder, 'a.aac');
  writeFileSync(h264, toAnnexB(media.video, media.units(seconds)));
  writeFileSync(aac, toAdts(media.audio, media.units(seconds)));
  return { h264, aac, rate: `${String(fpsNumerator)}/${String(fpsDenominator)}` };
}

function probe(file: string, entries: string, ...more: string[]): string {
  return execFileSync('ffprobe', ['-v', 'error', ...more, '-show_entries', entries, '-of', 'csv=p=0', file], {
    encoding: 'utf8',
    maxBuffer: 1 << 26,
  }).trim();
}

/** Warnings of ffmpeg while it decodes the complete files. */
function complaints(...files: readonly string[]): string {
  const inputs = files.flatMap((file) => ['-err_detect', 'explode', '-i', file]);
  const outputs = files.flatMap((_, at) => ['-map', String(at), '-f', 'null', '-']);
  const { status, stderr } = spawnSync('ffmpeg', ['-v', 'warning', '-xerror', '-nostdin', ...inputs, ...outputs], {
    encoding: 'utf8',
  });
  // ADTS files do not contain their length.
  const complaints = stderr.split('\n').filter((line) => line !== '' && !line.includes('Estimating duration'));
  return status === 0 ? complaints.join('\n') : `${status} ${stderr}`;
}

test.each<Partial<TestPictureOptions>>([
  {},
  { width: 320, height: 180, fpsNumerator: 30_000, fpsDenominator: 1001, gopFrames: 30, bitrateKbps: 300 },
  { bFrames: 2, gopFrames: 50 },
])('ffprobe reads a test picture of %o as requested, across the end of the loop', (options) => {
  const all = { ...SMALL_PICTURE, ...options };
  const { h264, aac, rate } = write(options, 24);
  expect(probe(h264, 'stream=codec_name,profile,width,height,has_b_frames,r_frame_rate')).toBe(
    `h264,High,${String(all.width)},${String(all.height)},${all.bFrames > 0 ? '1' : '0'},${rate}`,
  );
  expect(probe(aac, 'stream=codec_name,profile,sample_rate,channels')).toBe('aac,LC,48000,2');
  expect(complaints(h264, aac)).toBe('');
  const pictures = probe(h264, 'frame=key_frame,pict_type').split('\n');
  const keyFrames = pictures.flatMap((line, i) => (line.startsWith('1,I') ? [i] : []));
  const loopPictures = Math.round((testMedia(options).loopTicks * all.fpsNumerator) / (90_000 * all.fpsDenominator));
  expect(keyFrames).toEqual(pictures.flatMap((_, i) => ((i % loopPictures) % all.gopFrames === 0 ? [i] : [])));
});

test('a test picture flashes and beeps at each full second, less than the duration of a picture apart', () => {
  const seconds = 20;
  const { h264, aac, rate } = write({}, seconds);
  const { x, y, width, height } = FLASH_AREA;
  const square = `crop=iw*${String(width)}:ih*${String(height)}:iw*${String(x)}:ih*${String(y)},scale=1:1:flags=area,format=gray`;
  const [grey, wave] = [join(folder, 'luma'), join(folder, 'pcm')];
  execFileSync('ffmpeg', [
    '-v',
    'error',
    '-nostdin',
    '-y',
    '-r',
    rate,
    '-i',
    h264,
    '-i',
    aac,
    '-map',
    '0',
    '-vf',
    square,
    '-f',
    'rawvideo',
    grey,
    '-map',
    '1',
    '-ac',
    '1',
    '-f',
    's16le',
    wave,
  ]);
  const luma = readFileSync(grey);
  expect(luma).toHaveLength(seconds * 25);
  const flashes = onsets([...luma], (value) => value > 150).map((picture) => picture / 25);

  const pcm = readFileSync(wave);
  const samples = new Int16Array(pcm.buffer, pcm.byteOffset, pcm.length / 2);
  // Loudest sample in each millisecond.
  const levels = Array.from({ length: Math.floor(samples.length / 48) }, (_, ms) =>
    samples.subarray(ms * 48, ms * 48 + 48).reduce((most, value) => Math.max(most, Math.abs(value)), 0),
  );
  // The last audio frame extends a little into the next second.
  const beeps = onsets(levels, (level) => level > 4000, 100)
    .map((ms) => ms / 1000)
    .filter((second) => second < seconds);

  expect(flashes).toEqual(Array.from({ length: seconds }, (_, i) => i));
  expect(beeps).toHaveLength(seconds);
  for (const [i, beep] of beeps.entries()) expect(Math.abs(beep - (flashes[i] ?? -1))).toBeLessThan(0.02);
});

test('a test picture continues its hum from the end of the loop to the start without a click', () => {
  const { aac } = write({}, 17);
  const pcm = execFileSync('ffmpeg', ['-v', 'error', '-i', aac, '-ac', '1', '-f', 's16le', '-'], {
    maxBuffer: 1 << 26,
  });
  const samples = new Int16Array(pcm.buffer, pcm.byteOffset, pcm.length / 2);
  const largestStep = (from: number, to: number): number => {
    let largest = 0;
    for (let i = from; i < to; i++) largest = Math.max(largest, Math.abs((samples[i] ?? 0) - (samples[i - 1] ?? 0)));
    return largest;
  };
  // In the half second before a beep there is only the hum. A click would be a larger step than those of the hum, or of
  // the beep that starts there.
  const close = 16 * 48_000;
  const second = 48_000;
  const hum = largestStep(close - second - 24_000, close - second - 2000);
  expect(hum).toBeGreaterThan(20);
  expect(largestStep(close - 24_000, close - 2000)).toBeLessThan(hum * 1.5);
  expect(largestStep(close - 2000, close + 2000)).toBeLessThan(
    largestStep(close - second - 2000, close - second + 2000) * 1.3,
  );
});

/** Positions at which the condition becomes true after it was false for at least `quiet` values. */
function onsets(values: readonly number[], isOn: (value: number) => boolean, quiet = 1): number[] {
  const found: number[] = [];
  let off = quiet;
  values.forEach((value, i) => {
    if (!isOn(value)) off++;
    else {
      if (off >= quiet) found.push(i);
      off = 0;
    }
  });
  return found;
}
