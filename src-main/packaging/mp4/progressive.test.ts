import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';
import { decodedFrames } from '../../../tests/helpers/decoded-frames.ts';
import { ListWindow } from '../../../tests/helpers/list-window.ts';
import { LongWindow } from '../../../tests/helpers/long-window.ts';
import { collectMedia, readFileChunk, readMp4, type FileSample } from '../../../tests/helpers/mp4-file.ts';
import { fileWindow, growingLists, RecordedMedia, stitchedWindow } from '../../../tests/helpers/recorded-media.ts';
import { StreamRun } from '../../../tests/helpers/stream-run.ts';
import { testMedia } from '../../../tests/helpers/test-media.ts';
import { readMedia } from '../../segment/media-bytes.ts';
import type { ChangingWindow, SegmentWindow, TimeRange } from '../../segment/segment-window.ts';
import { PartFeed } from '../part-feed.ts';
import { progressiveMp4, type ProgressiveMp4Options } from './progressive.ts';

const main = new RecordedMedia(20);
const clip = new RecordedMedia(6, { width: 320, height: 180 });

afterAll(() => {
  main.close();
  clip.close();
});

async function fileOf(window: ChangingWindow, options: ProgressiveMp4Options = {}) {
  const { bytes, end } = await collectMedia(progressiveMp4(window, options));
  return { bytes, end, ...readMp4(bytes) };
}

/** All samples of the segments of a track, with their times on the timeline of the window. */
async function samplesOf(window: SegmentWindow, trackId: string, range?: TimeRange): Promise<FileSample[]> {
  const samples: FileSample[] = [];
  for (const entry of window.segments(trackId, range)) {
    const timescale = window.tracks.find(({ track }) => track.id === trackId)?.track.timescale ?? 0;
    const shift = Math.round(((entry.startMs - entry.segment.startMs) * timescale) / 1000);
    for (const part of entry.segment.parts)
      for (const sample of readFileChunk(await readMedia(part)).read.samples)
        samples.push({ ...sample, dtsTicks: sample.dtsTicks + shift, ptsTicks: sample.ptsTicks + shift });
  }
  return samples;
}

function steps(samples: readonly FileSample[]): unknown[] {
  const first = samples[0]?.dtsTicks ?? 0;
  return samples.map(({ dtsTicks, ptsTicks, isSync, data }) => [
    dtsTicks - first,
    ptsTicks - first,
    isSync,
    data.toString('base64'),
  ]);
}

describe('progressiveMp4 of a complete window', () => {
  it('consists of the chunks of its tracks in time order, and its time starts at 0', async () => {
    const { chunks, movie, bytes } = await fileOf(fileWindow(main), { range: { fromMs: 4000, toMs: 6000 } });
    const names = new Map(movie?.tracks.map(({ fileTrackId, track }) => [fileTrackId, track.id]));
    expect(
      chunks.map(({ trackNumber, samples }) => {
        const name = names.get(trackNumber) ?? '?';
        const timescale = name === 'v1' ? 90 : 48;
        return `${name} ${Math.round((samples[0]?.dtsTicks ?? 0) / timescale)} ms, ${samples.length} samples`;
      }),
    ).toMatchInlineSnapshot(`
      [
        "v1 0 ms, 12 samples",
        "a1 11 ms, 23 samples",
        "v1 480 ms, 13 samples",
        "a1 501 ms, 24 samples",
        "v1 1000 ms, 12 samples",
        "a1 1013 ms, 23 samples",
        "v1 1480 ms, 13 samples",
        "a1 1504 ms, 24 samples",
      ]
    `);
    // Only the chunks follow the header, and only their start times differ.
    const window = fileWindow(main);
    const parts = ['v1', 'a1'].flatMap((id) => window.segmentByMsn(id, 2)?.segment.parts ?? []);
    const total = parts.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0);
    const [ftyp, moov] = [bytes.readUInt32BE(0), bytes.readUInt32BE(bytes.readUInt32BE(0))];
    expect(bytes.length).toBe(ftyp + moov + total);
    for (const part of parts) {
      const chunk = Buffer.from(await readMedia(part));
      expect(bytes.includes(chunk.subarray(chunk.indexOf('trun')))).toBe(true);
    }
  });

  it('is presented from time 0, and states its duration', async () => {
    const { movie, moov, end } = await fileOf(fileWindow(main));
    expect(movie?.tracks.map(({ shiftTicks }) => shiftTicks + 0)).toEqual([0, 0]);
    const mehd = moov.indexOf('mehd');
    expect(Number(moov.readBigUInt64BE(mehd + 8))).toBe(fileWindow(main).bounds()?.toMs);
    // The audio is longer than the video by a part of a frame.
    expect(end).toEqual({ reason: 'end', toMs: 20_011 });
  });

  it('contains only the requested tracks', async () => {
    const { movie, chunks } = await fileOf(fileWindow(main), { trackIds: ['a1'] });
    expect(movie?.tracks.map(({ fileTrackId }) => fileTrackId)).toEqual([2]);
    expect(new Set(chunks.map(({ trackNumber }) => trackNumber))).toEqual(new Set([2]));
  });

  it.each([
    ['a file', () => fileWindow(main), [[0, 20]]],
    [
      'two sources of one format',
      () => stitchedWindow(main, main, 4, 2),
      [
        [0, 8],
        [0, 4],
        [8, 20],
      ],
    ],
    ['a recording', () => new ListWindow(growingLists(main, 1_800_000_500_000, 6)), [[0, 12]]],
  ] as const)('contains the samples of %s, with the same decoded pictures and audio', async (_name, make, pictures) => {
    const window = make();
    const range = window.mutability === 'event' ? wholeOf(window) : undefined;
    const { bytes, chunks } = await fileOf(window, { range });
    for (const [number, id] of [
      [1, 'v1'],
      [2, 'a1'],
    ] as const) {
      const found = chunks.filter(({ trackNumber }) => trackNumber === number).flatMap(({ samples }) => samples);
      expect(steps(found)).toEqual(steps(await samplesOf(window, id)));
    }
    const { video, audio } = decodedFrames(bytes, 'mp4');
    const source = decodedFrames(readFileSync(main.path), 'mp4');
    const expected = pictures.flatMap(([from, to]) => source.video.slice(from * 25, to * 25));
    expect(video).toEqual(expected);
    const frames = chunks.filter(({ trackNumber }) => trackNumber === 2).flatMap(({ samples }) => samples);
    expect(audio).toHaveLength(frames.length);
    // The audio decoder depends on earlier frames, so the result differs after a join.
    if (pictures.length === 1) expect(audio).toEqual(source.audio.slice(0, audio.length));
  });

  it('continues when the video format changes', async () => {
    const window = stitchedWindow(main, clip, 4, 2);
    const { bytes, end } = await fileOf(window);
    expect(end.reason).toBe('end');
    const [{ video }, source] = [decodedFrames(bytes, 'mp4'), decodedFrames(readFileSync(main.path), 'mp4')];
    expect(video).toHaveLength(600);
    expect([...video.slice(0, 200), ...video.slice(300)]).toEqual(source.video);
  });

  it('is empty for a range without media', async () => {
    const nothing = await collectMedia(progressiveMp4(fileWindow(main), { range: { fromMs: 90_000, toMs: 95_000 } }));
    expect([nothing.bytes.length, nothing.end]).toEqual([0, { reason: 'end', toMs: undefined }]);
  });

  it('reads only the requested part of a long window', () => {
    const window = new LongWindow(30 * 24 * 3600);
    const feed = new PartFeed(window, { range: { fromMs: window.startMs + 15 * 86_400_000, toMs: Infinity } });
    for (let msn = 15 * 43_200; msn < 15 * 43_200 + 100; msn++) {
      const fed = feed.next();
      expect(typeof fed === 'string' ? fed : fed.entry.msn).toBe(msn);
    }
    expect(window.createdCount).toBeLessThan(1000);
  });
});

/** Media time before the presentation of the n-th track starts, from its edit list, in ticks. */
function hiddenTicksOf(moov: Buffer, number: number): number {
  let at = 0;
  for (let found = 0; found < number; found++) at = moov.indexOf('elst', at + 1);
  return Number(moov.readBigUInt64BE(at + 20));
}

/** Range from the start of the first video segment to the end of the last one. */
function wholeOf(window: SegmentWindow): TimeRange {
  const [first, last] = [window.segments('v1')[0], window.lastSegment('v1')];
  return {
    fromMs: first?.startMs ?? 0,
    toMs: (last?.startMs ?? 0) + Math.floor((last?.segment.durationTicks ?? 0) / 90),
  };
}

describe('progressiveMp4 of a live window', () => {
  const media = testMedia();

  it('starts with the newest segment and continues with the stream', async () => {
    const run = new StreamRun();
    const units = [...media.units(12)];
    const third = (n: number) =>
      units.slice(Math.floor((units.length * n) / 3), Math.floor((units.length * (n + 1)) / 3));
    run.playUnits([media.video, media.audio], third(0));
    const newest = run.window.lastSegment('v1');
    const over = new AbortController();
    const collected = collectMedia(progressiveMp4(run.window, { signal: over.signal }));
    for (const n of [1, 2]) {
      run.playUnits([media.video, media.audio], third(n));
      await new Promise(setImmediate);
    }
    run.close();
    await new Promise(setImmediate);
    const last = run.window.bounds()?.toMs;
    over.abort();
    const { bytes, end } = await collected;
    expect(end).toEqual({ reason: 'end', toMs: last });
    const { chunks } = readMp4(bytes);
    const pictures = chunks.filter(({ trackNumber }) => trackNumber === 1).flatMap(({ samples }) => samples);
    expect(pictures[0]?.ptsTicks).toBe(0);
    const expected = run.window.segments('v1').filter(({ msn }) => msn >= (newest?.msn ?? 0));
    expect(pictures).toHaveLength(expected.reduce((sum, { segment }) => sum + segment.durationTicks / 3600, 0));
    const times = pictures.map(({ dtsTicks }) => dtsTicks);
    expect(times.slice(1).filter((time, index) => time - (times[index] ?? 0) !== 3600)).toEqual([]);
    expect(decodedFrames(bytes, 'mp4').video).toHaveLength(pictures.length);
  });

  it('skips to the newest segment for a slow viewer, and keeps the current piece readable', async () => {
    const run = new StreamRun({ segmentCount: 3 });
    const play = run.playing({ video: { fps: 25, gopFrames: 50, bFrames: 0 }, seconds: 60 });
    play(5000);
    const over = new AbortController();
    const pieces = progressiveMp4(run.window, { signal: over.signal });
    const start = run.window.lastSegment('v1')?.segment.startTicks ?? 0;
    await pieces.next();
    const piece = (await pieces.next()).value;
    const before = piece && 'pieces' in piece ? Buffer.from(await readMedia(piece)) : undefined;
    play(40_000);
    expect(piece && 'pieces' in piece && before?.equals(await readMedia(piece))).toBe(true);
    const next = (await pieces.next()).value;
    const chunk = next && 'pieces' in next ? readFileChunk(await readMedia(next)).read : undefined;
    expect(chunk?.samples[0]?.ptsTicks).toBe((run.window.lastSegment('v1')?.segment.startTicks ?? 0) - start);
    expect(chunk?.samples[0]?.isSync).toBe(true);
    over.abort();
    expect(await pieces.next()).toMatchObject({ done: true, value: { reason: 'end' } });
    run.close();
    run.window.clear();
    expect(run.pool.inUse).toBe(0);
  });

  it('continues after a restart in the same format, and after a restart in another video format', async () => {
    const run = new StreamRun({ segmentCount: 100 });
    const input = { video: { fps: 25, gopFrames: 25, bFrames: 0 }, seconds: 6 };
    run.play(input);
    run.restart();
    run.play(input);
    run.restart();
    run.play({ ...input, video: { ...input.video, variant: 3 } });
    run.restart();
    run.close();
    const { bytes, end } = await collectMedia(progressiveMp4(run.window, { range: wholeOf(run.window) }));
    expect(end.reason).toBe('end');
    const ticks = run.window.segments('v1').reduce((sum, { segment }) => sum + segment.durationTicks, 0);
    expect(new Set(run.window.segments('v1').map(({ segment }) => segment.initId)).size).toBeGreaterThan(1);
    expect(readMp4(bytes).chunks.flatMap(({ samples }) => samples)).toHaveLength(ticks / 3600);
  });

  it('contains every sample of any range of any window once, at its time', async () => {
    const input = fc.record({
      gopFrames: fc.integer({ min: 5, max: 60 }),
      bFrames: fc.integer({ min: 0, max: 2 }),
      lateMs: fc.integer({ min: -300, max: 300 }),
      jitterMs: fc.integer({ min: 0, max: 5 }),
      pauses: fc.integer({ min: 0, max: 2 }),
      from: fc.double({ min: 0, max: 0.9, noNaN: true }),
      length: fc.double({ min: 0.01, max: 1, noNaN: true }),
    });
    await fc.assert(
      fc.asyncProperty(input, async ({ gopFrames, bFrames, lateMs, jitterMs, pauses, from, length }) => {
        const run = new StreamRun({ segmentCount: 1000 });
        for (let index = 0; index <= pauses; index++) {
          if (index > 0) run.idle(700);
          const audio = { sampleRate: 48_000, lateMs };
          run.play({ video: { fps: 25, gopFrames, bFrames }, audio, jitterMs, seconds: 7 });
        }
        run.close();
        const bounds = wholeOf(run.window);
        const fromMs = Math.floor(bounds.fromMs + from * (bounds.toMs - bounds.fromMs));
        const range = { fromMs, toMs: Math.min(bounds.toMs, Math.ceil(fromMs + 1 + length * (bounds.toMs - fromMs))) };
        const { bytes } = await collectMedia(progressiveMp4(run.window, { range }));
        const { chunks, moov } = readMp4(bytes);
        const leaders = run.window.segments('v1', range);
        const [firstMsn = 0, lastMsn = -1] = [leaders[0]?.msn, leaders.at(-1)?.msn];
        const starts: number[] = [];
        for (const [number, id] of [
          [1, 'v1'],
          [2, 'a1'],
        ] as const) {
          const found = chunks.filter(({ trackNumber }) => trackNumber === number).flatMap(({ samples }) => samples);
          const expected: FileSample[] = [];
          for (let msn = firstMsn; msn <= lastMsn; msn++)
            for (const part of run.window.segmentByMsn(id, msn)?.segment.parts ?? [])
              expected.push(...readFileChunk(await readMedia(part)).read.samples);
          expect(steps(found)).toEqual(steps(expected));
          const hiddenTicks = hiddenTicksOf(moov, number);
          if (expected[0] && found[0])
            starts.push((expected[0].dtsTicks - found[0].dtsTicks + hiddenTicks) / (number === 1 ? 90_000 : 48_000));
        }
        // The offset between the two tracks is unchanged.
        expect(Math.abs((starts[0] ?? 0) - (starts[1] ?? starts[0] ?? 0))).toBeLessThan(0.000_05);
        // No chunk is more than a part behind a chunk that starts later.
        let newest = 0;
        for (const { trackNumber, samples } of chunks) {
          const at = (samples[0]?.ptsTicks ?? 0) / (trackNumber === 1 ? 90 : 48);
          expect(at).toBeGreaterThan(newest - 1000);
          newest = Math.max(newest, at);
        }
        run.window.clear();
      }),
      { numRuns: 25 },
    );
  });
});
