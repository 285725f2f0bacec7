import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { madeAudio, madeVideo } from '../../../tests/helpers/made-input.ts';
import { GAP, type BlockTable, type TrackRows } from '../../dvr/window/block-table.ts';
import type { BlockTrack } from '../../dvr/block/block-head.ts';
import type { MediaFile } from '../../segment/media-bytes.ts';
import { archiveRows, type ArchiveRow, type ReadTables } from './archive-rows.ts';

const SECOND_MS = 1000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;
const FILE: MediaFile = { read: () => Promise.reject(new Error('not read')) };

/** Rows of a track, one at each time, with two pieces each. */
function rowsOf(
  id: string,
  timesMs: readonly number[],
  flags: Readonly<Record<number, number>> = {},
  rowMs = SECOND_MS,
): TrackRows {
  const track = { ...(id.startsWith('v') ? madeVideo() : madeAudio()), id, timescale: 1000 } as BlockTrack;
  return {
    track,
    initId: 0,
    count: timesMs.length,
    startTicks: Float64Array.from(timesMs),
    startMs: Float64Array.from(timesMs),
    durationTicks: Float64Array.from(timesMs, () => rowMs),
    sizeBytes: Float64Array.from(timesMs, () => 10),
    flags: Uint8Array.from(timesMs, (_, at) => flags[at] ?? 0),
    pieceAt: Uint32Array.from([...timesMs, 0], (_, at) => 2 * at),
    pieces: Float64Array.from(timesMs.flatMap((_, at) => [at * 10, 4, at * 10 + 4, 6])),
  };
}

/** Block with consecutive rows from a start time. */
function block(startMs: number, count: number, more: Partial<BlockTable> = {}, rowMs = SECOND_MS): BlockTable {
  const leader = rowsOf(
    'v1',
    Array.from({ length: count }, (_, at) => startMs + at * rowMs),
    {},
    rowMs,
  );
  return {
    disk: '/d',
    path: `${startMs}`,
    file: FILE,
    isFinished: true,
    numbers: undefined,
    tracks: new Map([['v1', leader]]),
    leader,
    count,
    cuts: [],
    splices: [],
    startMs,
    endMs: startMs + count * rowMs,
    ...more,
  };
}

/** Reads the blocks that overlap a time range, like the catalog. Records the lengths of the ranges. */
function reader(blocks: readonly BlockTable[], lengthsMs: number[] = []): ReadTables {
  return (time) => {
    lengthsMs.push(time.endMs - time.startMs);
    return Promise.resolve(blocks.filter((one) => one.startMs < time.endMs && one.endMs > time.startMs));
  };
}

async function rows(read: ReadTables, startMs: number, endMs: number): Promise<readonly ArchiveRow[]> {
  return Array.fromAsync(archiveRows(read, { startMs, endMs }));
}

describe('archiveRows', () => {
  it('returns all rows that overlap the time range, each once and in order, for any blocks', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.record({ pauseS: fc.nat(2000), count: fc.integer({ min: 1, max: 60 }) }), { maxLength: 8 }),
        fc.nat(5000),
        fc.integer({ min: 1, max: 8000 }),
        fc.constantFrom(0, 300),
        fc.constantFrom(400, SECOND_MS),
        async (parts, fromS, lengthS, offsetMs, rowMs) => {
          const blocks: BlockTable[] = [];
          let atMs = HOUR_MS;
          for (const { pauseS, count } of parts) {
            blocks.push(block(atMs + pauseS * SECOND_MS, count, {}, rowMs));
            atMs = blocks.at(-1)?.endMs ?? 0;
          }
          const startMs = HOUR_MS + fromS * SECOND_MS + offsetMs;
          const endMs = startMs + lengthS * SECOND_MS;
          const lengthsMs: number[] = [];
          const found = await rows(reader(blocks, lengthsMs), startMs, endMs);
          const all = blocks.flatMap(({ leader }) => [...leader.startMs]);
          const expected = all.filter((ms) => ms < endMs && ms + rowMs > startMs);
          expect(found.map((one) => one.startMs)).toEqual(expected);
          expect(found.map((one) => one.number)).toEqual(expected.map((_, at) => at));
          // A gap is a cut. The first row never is a cut.
          const cuts = expected.map((ms, at) => at > 0 && ms - (expected[at - 1] ?? 0) > rowMs);
          expect(found.map((one) => one.isCut)).toEqual(cuts);
          expect(Math.max(...lengthsMs)).toBeLessThanOrEqual(HOUR_MS / 2);
        },
      ),
    );
  });

  it('excludes rows that end at the start of the range or start at its end', async () => {
    const found = await rows(reader([block(0, 4)]), 1000, 3000);
    expect(found.map((one) => one.startMs)).toEqual([1000, 2000]);
  });

  it('repeats no row of a table that is read in two steps', async () => {
    // The first step ends 28 minutes after the start.
    const across = block(28 * MINUTE_MS - 1000, 10, {}, 400);
    const found = await rows(reader([across]), 0, HOUR_MS);
    expect(found.map((one) => one.startMs)).toEqual([...across.leader.startMs]);
  });

  it('includes a row that started two minutes before the range and overlaps it', async () => {
    const leader = rowsOf('v1', [HOUR_MS]);
    leader.durationTicks[0] = 120_000;
    const long = block(HOUR_MS, 1, { leader, tracks: new Map([['v1', leader]]), endMs: HOUR_MS + 120_000 });
    expect(await rows(reader([long]), HOUR_MS + 119_000, HOUR_MS + 130_000)).toHaveLength(1);
  });

  it('cuts at the discontinuities of a block, except at the first row', async () => {
    const found = await rows(reader([block(0, 4, { cuts: [0, 2] })]), 0, MINUTE_MS);
    expect(found.map(({ isCut }) => isCut)).toEqual([false, false, true, false]);
  });

  it('neither cuts at a gap of half a second nor repeats overlapping rows', async () => {
    const blocks = [block(0, 2), block(2500, 2), block(5001, 2)];
    const found = await rows(reader(blocks), 0, MINUTE_MS);
    expect(found.map(({ isCut }) => isCut)).toEqual([false, false, false, false, true, false]);
    const overlapping = await rows(reader([block(0, 3), block(2499, 1), block(2500, 1)]), 0, MINUTE_MS);
    expect(overlapping.map(({ startMs }) => startMs)).toEqual([0, 1000, 2000, 2500]);
  });

  it('contains the media of all tracks, without gaps and ended tracks', async () => {
    const tracks = [
      rowsOf('v1', [0, 1000, 2000], { 1: GAP }),
      rowsOf('a1', [0, 1000, 2000], { 1: GAP, 2: GAP }),
      rowsOf('a2', [0]),
    ];
    const [leader] = tracks as [TrackRows];
    const mixed = block(0, 3, { leader, tracks: new Map(tracks.map((one) => [one.track.id, one])) });
    const found = await rows(reader([mixed]), 0, MINUTE_MS);
    expect(found.map(({ startMs, chunks }) => [startMs, chunks.map(({ track }) => track.id)])).toEqual([
      [0, ['v1', 'a1', 'a2']],
      [2000, ['v1']],
    ]);
    expect(found[1]?.chunks[0]).toMatchObject({
      startTicks: 2000,
      durationTicks: 1000,
      sizeBytes: 10,
      pieces: [
        { offset: 20, sizeBytes: 4 },
        { offset: 24, sizeBytes: 6 },
      ],
    });
  });
});
