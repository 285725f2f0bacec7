import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';
import { decodedFrames } from '../../../tests/helpers/decoded-frames.ts';
import { ListWindow } from '../../../tests/helpers/list-window.ts';
import { LongWindow } from '../../../tests/helpers/long-window.ts';
import { collectMedia, readMp4 } from '../../../tests/helpers/mp4-file.ts';
import { fileWindow, growingLists, RecordedMedia, stitchedWindow } from '../../../tests/helpers/recorded-media.ts';
import { readBoxes } from '../../media/containers/isobmff/box.ts';
import { readSegmentIndex } from '../../media/containers/isobmff/segment-index.ts';
import type { SegmentWindow } from '../../segment/segment-window.ts';
import { WholeMp4 } from './whole-file.ts';

const main = new RecordedMedia(20);
const clip = new RecordedMedia(6, { width: 320, height: 180 });
const folder = mkdtempSync(join(tmpdir(), 'airdesk-whole-'));

afterAll(() => {
  main.close();
  clip.close();
  rmSync(folder, { recursive: true });
});

async function wholeOf(window: SegmentWindow): Promise<WholeMp4> {
  const file = await WholeMp4.of(window);
  if (!file) throw new Error('the window has a file');
  return file;
}

async function bytesOf(file: WholeMp4, first?: number, end?: number): Promise<Buffer> {
  return (await collectMedia(file.read(first, end))).bytes;
}

/** Positions of the indexed ranges in the file, and their durations in ticks. */
function rangesOf(bytes: Buffer): { at: number; ticks: number }[] {
  const [box, ...others] = readBoxes(bytes).filter(({ type }) => type === 'sidx');
  const index = box && readSegmentIndex(bytes.subarray(box.start, box.end));
  if (!index) throw new Error('the file has an index');
  let at = box.end + index.firstOffset;
  // The indexes of the other tracks lie between the first index and the first range.
  expect(others.at(-1)?.end).toBe(at);
  return index.ranges.map(({ sizeBytes, durationTicks: ticks }) => {
    const range = { at, ticks };
    at += sizeBytes;
    return range;
  });
}

describe('WholeMp4: a static window as one MP4 file', () => {
  it('contains the pictures and audio of its source, and has the announced length', async () => {
    const file = await wholeOf(fileWindow(main));
    const bytes = await bytesOf(file);
    expect(bytes).toHaveLength(file.sizeBytes);
    expect(decodedFrames(bytes, 'mp4')).toEqual(decodedFrames(readFileSync(main.path), 'mp4'));
    const { movie } = readMp4(bytes);
    expect(movie?.tracks.map(({ shiftTicks }) => shiftTicks + 0)).toEqual([0, 0]);
    expect(file.end).toEqual({ reason: 'end', toMs: 20_011 });
  });

  it('returns the same bytes for any byte range', async () => {
    const file = await wholeOf(stitchedWindow(main, main, 4, 2));
    const bytes = await bytesOf(file);
    const offset = fc.nat(bytes.length);
    await fc.assert(
      fc.asyncProperty(offset, offset, async (a, b) => {
        const [first, end] = [Math.min(a, b), Math.max(a, b)];
        expect((await bytesOf(file, first, end)).equals(bytes.subarray(first, end))).toBe(true);
      }),
      { numRuns: 50 },
    );
  });

  it('has an index of its segments, so that players find a time', async () => {
    const bytes = await bytesOf(await wholeOf(fileWindow(main)));
    const ranges = rangesOf(bytes);
    expect(ranges.map(({ ticks }) => ticks / 90_000).slice(0, 9)).toEqual(Array.from({ length: 9 }, () => 2));
    const { chunks } = readMp4(Buffer.concat([bytes.subarray(0, ranges[0]?.at), bytes.subarray(ranges[7]?.at)]));
    const [picture] = chunks.filter(({ trackNumber }) => trackNumber === 1);
    expect([picture?.samples[0]?.isSync, (picture?.samples[0]?.dtsTicks ?? 0) / 90_000]).toEqual([true, 14]);
    // ffmpeg seeks to the position in the index: all bytes before it are damaged.
    const path = join(folder, 'damaged.mp4');
    writeFileSync(path, Buffer.from(bytes).fill(0, ranges[2]?.at, ranges[6]?.at));
    const seek = ['-v', 'error', '-ss', '14', '-i', path, '-map', '0:v', '-f', 'framemd5', '-'];
    const { stdout, stderr } = spawnSync('ffmpeg', seek, { encoding: 'utf8' });
    expect(stderr).toBe('');
    expect(stdout.match(/^0,/gm)).toHaveLength(150);
  });

  it('lets FFmpeg seek to the picture before each time, and continue without a gap', async () => {
    const times = [9.76, 2.95, 5.41, 0.17, 15.9, 3.5];
    for (const [name, window, gopSeconds] of [
      ['plain', fileWindow(main), 1],
      // In a file with several formats, players start at segments.
      ['formats', stitchedWindow(main, clip, 4, 2), 2],
    ] as const) {
      const path = join(folder, `${name}.mp4`);
      writeFileSync(path, await bytesOf(await wholeOf(window)));
      const intervals = times.map((seconds) => `${seconds}%+#30`).join();
      const packets = ['-v', 'error', '-select_streams', 'v', '-show_entries', 'packet=pts_time', '-of', 'csv=p=0'];
      const { stdout } = spawnSync('ffprobe', [...packets, '-read_intervals', intervals, path], { encoding: 'utf8' });
      const expected = times.flatMap((seconds) => {
        const from = seconds - (seconds % gopSeconds);
        return Array.from({ length: 30 }, (_, index) => (from + index / 25).toFixed(6));
      });
      expect([name, stdout.trim().split(/\s+/)]).toEqual([name, expected]);
    }
  });

  it('continues when the video format changes, and players can seek past that point', async () => {
    const file = await wholeOf(stitchedWindow(main, clip, 4, 2));
    const bytes = await bytesOf(file);
    expect([bytes.length, file.end.reason]).toEqual([file.sizeBytes, 'end']);
    const [{ video }, source] = [decodedFrames(bytes, 'mp4'), decodedFrames(readFileSync(main.path), 'mp4')];
    expect(video).toHaveLength(600);
    expect([...video.slice(0, 200), ...video.slice(300)]).toEqual(source.video);
    const path = join(folder, 'mixed.mp4');
    writeFileSync(path, bytes);
    const places = [
      [8, 400],
      [10, 350],
      [12, 300],
      [2, 550],
    ] as const;
    const inputs = places.flatMap(([seconds]) => ['-ss', String(seconds), '-i', path]);
    const outputs = places.flatMap((_, at) => ['-map', `${at}:v`, '-f', 'framemd5', join(folder, `from-${at}`)]);
    const { stderr } = spawnSync('ffmpeg', ['-v', 'error', ...inputs, ...outputs], { encoding: 'utf8' });
    expect(stderr).toBe('');
    for (const [at, [, frames]] of places.entries())
      expect(readFileSync(join(folder, `from-${at}`), 'utf8').match(/^0,/gm)).toHaveLength(frames);
    const [first, end] = [Math.round(bytes.length * 0.3), Math.round(bytes.length * 0.7)];
    expect((await bytesOf(file, first, end)).equals(bytes.subarray(first, end))).toBe(true);
  });

  it('is not created for a window that changes, is empty, or exceeds an index', async () => {
    expect(await WholeMp4.of(new ListWindow(growingLists(main, 1_800_000_500_000, 3)))).toBeUndefined();
    expect(await WholeMp4.of(new ListWindow({ tracks: [] }))).toBeUndefined();
    const month = new LongWindow(30 * 24 * 3600);
    expect(await WholeMp4.of(month)).toBeUndefined();
    expect(month.createdCount).toBeLessThan(100);
  });
});
