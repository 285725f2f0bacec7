import { describe, expect, it } from 'vitest';
import { ArchiveStage } from '../../../tests/helpers/archive-stage.ts';
import { settled } from '../../../tests/helpers/settled.ts';
import { packIndex } from '../block/block-index.ts';
import type { RecordedBlock } from '../block-writer.ts';
import type { ArchiveRequest } from './archive-request.ts';
import { LongRangeWindow } from './long-range-window.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 3_600_000;

/** The same block at another time, in a separate file. */
function movedBy(block: RecordedBlock, ms: number): RecordedBlock {
  const scaleOf = (number: number): number => (block.head.tracks[number - 1]?.timescale ?? 1000) / 1000;
  const segments = block.index.segments.map((segment) => ({
    ...segment,
    isDiscontinuity: false,
    startTicks: segment.startTicks + ms * scaleOf(segment.trackNumber),
  }));
  const index = { ...block.index, segments };
  const head = { ...block.head, startMs: block.head.startMs + ms };
  return { ...block, head, index, packedIndex: packIndex(index), path: `${block.path}.${ms}` };
}

/** Archive with the same block recorded at the start and at each of these offsets. */
async function recordedAt(offsetsMs: readonly number[]): Promise<{ stage: ArchiveStage; startMs: number }> {
  const stage = new ArchiveStage({ segmentMs: 4000 });
  await stage.record();
  await stage.play({ video: { fps: 5, gopFrames: 20, bFrames: 0 }, seconds: 60 });
  await stage.close();
  const [block] = stage.blocks;
  if (!block) throw new Error('nothing was recorded');
  for (const ms of offsetsMs) stage.catalog.add(movedBy(block, ms));
  stage.stream.clock.advance(MINUTE_MS);
  return { stage, startMs: block.head.startMs };
}

/** Reads a window to its end, as the sender of a file does. */
async function readAll(
  stage: ArchiveStage,
  request: ArchiveRequest,
): Promise<{ startsMs: number[]; cuts: number; most: number; window: LongRangeWindow }> {
  const window = await stage.playback.open('c/03', request, 4000);
  if (!(window instanceof LongRangeWindow)) throw new Error('another window');
  const startsMs: number[] = [];
  let [cuts, most] = [0, 0];
  for (let msn = 0; ;) {
    const entry = window.segmentByMsn('v1', msn);
    most = Math.max(most, window.count);
    if (entry) {
      startsMs.push(entry.startMs);
      if (entry.isDiscontinuity) cuts++;
      msn++;
    } else if (window.mutability === 'static') return { startsMs, cuts, most, window };
    else {
      stage.stream.clock.advance(500);
      await settled();
    }
  }
}

describe('LongRangeWindow', () => {
  it('returns each segment once and in order, and keeps only the hours around its reader in memory', async () => {
    const offsets = Array.from({ length: 30 * 60 }, (_, minute) => minute * MINUTE_MS);
    const { stage, startMs } = await recordedAt(offsets.slice(1));
    stage.stream.clock.advance(31 * HOUR_MS - 2 * MINUTE_MS);
    const toMs = startMs + 30 * HOUR_MS;
    const { startsMs, most, window } = await readAll(stage, { kind: 'range', fromMs: startMs, toMs, isInOrder: true });
    expect(startsMs).toEqual([...new Set(startsMs)].sort((a, b) => a - b));
    expect(startsMs.length).toBeGreaterThan(30 * 60 * 13);
    expect(startsMs.at(-1)).toBeGreaterThan(toMs - MINUTE_MS);
    expect(most).toBeLessThan(100 * 16);
    // A complete window without a reader is dropped.
    expect(stage.playback.windowCount).toBe(1);
    stage.stream.clock.advance(100_000);
    expect(stage.playback.windowCount).toBe(0);
    expect(window.mutability).toBe('static');
    stage.playback.close();
  }, 60_000);

  it('skips gaps of days, and marks each gap as a discontinuity', async () => {
    const offsets = [0, 3 * HOUR_MS, 99 * HOUR_MS, 99 * HOUR_MS + MINUTE_MS];
    const { stage, startMs } = await recordedAt(offsets.slice(1));
    stage.stream.clock.advance(100 * HOUR_MS);
    const request = {
      kind: 'range',
      fromMs: startMs - HOUR_MS,
      toMs: startMs + 110 * HOUR_MS,
      isInOrder: true,
    } as const;
    expect(await stage.playback.open('c/03', { ...request, isInOrder: false }, 4000)).toBe('range_too_long');
    const opened = await stage.playback.open('c/03', request, 4000);
    // The window stays open for media that is not recorded yet.
    expect(opened).toMatchObject({ mutability: 'event' });
    const { startsMs, cuts } = await readAll(stage, { ...request, toMs: startMs + 99 * HOUR_MS + 3 * MINUTE_MS });
    expect(cuts).toBe(2);
    const hours = startsMs.map((ms) => Math.floor((ms - startMs) / HOUR_MS));
    expect([...new Set(hours)]).toEqual([0, 3, 99]);
    expect(startsMs.length).toBeGreaterThanOrEqual(4 * 13);
    stage.playback.close();
  }, 60_000);

  it('plays recordings from before the clock was set back, up to their end', async () => {
    const { stage, startMs } = await recordedAt([27 * HOUR_MS, 75 * HOUR_MS]);
    stage.isRecorded = true;
    const fromMs = startMs + 20 * HOUR_MS;
    expect(fromMs).toBeGreaterThan(stage.stream.clock.now());
    const request = { kind: 'range', fromMs, toMs: fromMs + 1000 * HOUR_MS, isInOrder: true } as const;
    const { startsMs, window } = await readAll(stage, request);
    const hours = startsMs.map((ms) => Math.floor((ms - startMs) / HOUR_MS));
    expect([...new Set(hours)]).toEqual([27, 75]);
    expect(window.mutability).toBe('static');
    const [later, ever] = [startMs + 80 * HOUR_MS, Number.MAX_SAFE_INTEGER];
    expect(await stage.playback.open('c/03', { ...request, fromMs: later, toMs: ever }, 4000)).toBe('not_yet');
    stage.playback.close();
  }, 60_000);

  it('waits for media that is still being recorded, up to the end of the recording', async () => {
    const { stage, startMs } = await recordedAt([27 * HOUR_MS]);
    stage.stream.clock.advance(27 * HOUR_MS);
    stage.isRecorded = true;
    const window = await stage.playback.open(
      'c/03',
      { kind: 'range', fromMs: startMs, toMs: Infinity, isInOrder: true },
      4000,
    );
    if (!(window instanceof LongRangeWindow)) throw new Error('another window');
    const take = async (): Promise<number> => {
      stage.stream.clock.advance(1000);
      await settled();
      let last = -1;
      for (let msn = 0; msn < 100; msn++) if (window.segmentByMsn('v1', msn)) last = msn;
      return last;
    };
    await take();
    const last = await take();
    expect(window.mutability).toBe('event');
    stage.isRecorded = false;
    await take();
    expect(window.mutability).toBe('static');
    expect(await take()).toBe(last);
    stage.playback.close();
  });
});
