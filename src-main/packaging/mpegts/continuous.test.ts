import { readFileSync } from 'node:fs';
import { afterAll, describe, expect, it } from 'vitest';
import { decodedFrames } from '../../../tests/helpers/decoded-frames.ts';
import { probePackets } from '../../../tests/helpers/ffmpeg-media.ts';
import { ListWindow } from '../../../tests/helpers/list-window.ts';
import { collectMedia } from '../../../tests/helpers/mp4-file.ts';
import { fileWindow, growingLists, RecordedMedia, stitchedWindow } from '../../../tests/helpers/recorded-media.ts';
import { StreamRun } from '../../../tests/helpers/stream-run.ts';
import { testMedia } from '../../../tests/helpers/test-media.ts';
import { PACKET_BYTES, readPacketHeader } from '../../media/containers/mpegts/packet.ts';
import type { ChangingWindow } from '../../segment/segment-window.ts';
import { windowTs, type WindowTsOptions } from './continuous.ts';

const main = new RecordedMedia(20);
const clip = new RecordedMedia(6, { width: 320, height: 180 });

afterAll(() => {
  main.close();
  clip.close();
});

async function streamOf(window: ChangingWindow, options: WindowTsOptions = {}): Promise<Buffer> {
  return (await collectMedia(windowTs(window, options))).bytes;
}

/**
 * Checks the continuity counters of all packets. Returns the number of clock references marked as a new time base, and
 * the number of unmarked jumps.
 */
function checkedClock(bytes: Buffer): { readonly marked: number; readonly jumps: number } {
  expect(bytes.length % PACKET_BYTES).toBe(0);
  const counters = new Map<number, number>();
  let clock: number | undefined;
  const found = { marked: 0, jumps: 0 };
  for (let at = 0; at < bytes.length; at += PACKET_BYTES) {
    const header = readPacketHeader(bytes, at);
    if (!header) throw new Error(`no packet at ${at}`);
    const { pid, continuity, payloadStart, payloadEnd, pcrTicks, isDiscontinuity } = header;
    if (payloadEnd > payloadStart) {
      const before = counters.get(pid);
      if (before !== undefined) expect(continuity).toBe((before + 1) % 16);
      counters.set(pid, continuity);
    }
    if (pcrTicks === undefined) continue;
    const step = clock === undefined ? 0 : (pcrTicks - clock + 2 ** 33) % 2 ** 33;
    if (isDiscontinuity) found.marked++;
    else if (step > 9000) found.jumps++;
    clock = pcrTicks;
  }
  return found;
}

/** Number of pictures found by ffprobe, and timestamp steps other than one frame. */
function pictures(bytes: Buffer): { readonly count: number; readonly oddSteps: readonly number[] } {
  const times = probePackets(bytes)
    .filter(({ stream }) => stream === 0)
    .map(({ dtsTicks }) => dtsTicks);
  const steps = times.slice(1).map((time, index) => time - (times[index] ?? 0));
  return { count: times.length, oddSteps: steps.filter((step) => step !== 3600) };
}

describe('windowTs: a window as one transport stream', () => {
  it('contains the pictures and audio of a file, and ends with the file', async () => {
    const bytes = await streamOf(fileWindow(main));
    expect(checkedClock(bytes)).toEqual({ marked: 0, jumps: 0 });
    expect(pictures(bytes)).toEqual({ count: 500, oddSteps: [] });
    expect(decodedFrames(bytes, 'ts')).toEqual(decodedFrames(readFileSync(main.path), 'mp4'));
  });

  it('contains complete segments of a requested range', async () => {
    const bytes = await streamOf(fileWindow(main), { range: { fromMs: 5000, toMs: 7500 } });
    expect(pictures(bytes)).toEqual({ count: 100, oddSteps: [] });
    expect(decodedFrames(bytes, 'ts').video).toEqual(
      decodedFrames(readFileSync(main.path), 'mp4').video.slice(100, 200),
    );
  });

  it('keeps times and counters continuous through another source and back', async () => {
    const bytes = await streamOf(stitchedWindow(main, clip, 4, 2));
    expect(checkedClock(bytes)).toEqual({ marked: 0, jumps: 0 });
    expect(pictures(bytes)).toEqual({ count: 600, oddSteps: [] });
    const source = decodedFrames(readFileSync(main.path), 'mp4').video;
    const other = decodedFrames(readFileSync(clip.path), 'mp4').video;
    const { video } = decodedFrames(bytes, 'ts');
    expect(video.slice(0, 200)).toEqual(source.slice(0, 200));
    expect(video.slice(300)).toEqual(source.slice(200));
    // The decoder switches to the other size. ffmpeg scales those pictures to the first size.
    expect(video).toHaveLength(600);
    expect(other).toHaveLength(150);
  });

  it('follows a growing recording, and ends when its signal is aborted', async () => {
    const window = new ListWindow(growingLists(main, 1_800_000_500_000, 3));
    const over = new AbortController();
    const collected = streamOf(window, { signal: over.signal });
    for (const segments of [4, 6]) {
      // The files are read in the meantime.
      await new Promise((resolve) => setImmediate(resolve));
      window.grow(growingLists(main, 1_800_000_500_000, segments));
    }
    const end = new ListWindow(growingLists(main, 1_800_000_500_000, 6)).lastSegment('v1');
    const range = { fromMs: 1_800_000_500_000, toMs: (end?.startMs ?? 0) + 2000 };
    const bytes = await streamOf(window, { range });
    expect(pictures(bytes)).toEqual({ count: 300, oddSteps: [] });
    over.abort();
    expect((await collected).length % PACKET_BYTES).toBe(0);
  });

  it('marks time jumps of a live window as discontinuities', async () => {
    const media = testMedia();
    const run = new StreamRun({ segmentCount: 1000 });
    run.playUnits([media.video, media.audio], media.units(6));
    run.idle(5000);
    run.playUnits([media.video, media.audio], media.units(6));
    run.close();
    const [first] = run.window.segments('v1');
    const range = { fromMs: first?.startMs ?? 0, toMs: Infinity };
    const over = new AbortController();
    setImmediate(() => {
      over.abort();
    });
    const bytes = await streamOf(run.window, { range, signal: over.signal });
    expect(checkedClock(bytes)).toEqual({ marked: 1, jumps: 0 });
    expect(pictures(bytes).count).toBe(300);
    expect(pictures(bytes).oddSteps).toHaveLength(1);
    run.window.clear();
    expect(run.pool.inUse).toBe(0);
  });
});
