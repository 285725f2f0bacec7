import { runInTurns } from '../../lib/turns.ts';
import type { AccessUnit } from '../../media/access-unit.ts';
import { MpegTsReader } from '../../media/containers/mpegts/reader.ts';
import { PTS_WRAP_TICKS } from '../../media/timing/unroll.ts';
import type { IndexedFile } from '../index/source-track.ts';
import type { FoundSample } from './outline.ts';
import type { TsPoints } from './ts-points.ts';

/** Bytes per read and per step. */
const READ_BYTES = 512 * 1024;
const STEP_BYTES = 64 * 1024;
/** Bytes read after a range to complete units that start in it. */
const TAIL_BYTES = 1 << 20;

/** Units of all tracks whose first packet is in a range of offsets. */
export async function readRange(
  file: IndexedFile,
  { program, tracks, startTicks, points }: TsPoints,
  offset: number,
  endOffset: number,
): Promise<FoundSample[][]> {
  const units = new Map(tracks.map(({ track }) => [track.id, [] as Omit<AccessUnit, 'data'>[]]));
  const sizes = new Map(tracks.map(({ track }) => [track.id, [] as number[]]));
  const reader = new MpegTsReader(
    {
      tracks: () => undefined,
      accessUnit: ({ data, ...unit }) => {
        units.get(unit.trackId)?.push(unit);
        sizes.get(unit.trackId)?.push(data.length);
      },
      splice: () => undefined,
      problem: () => undefined,
    },
    { found: program },
  );
  const bytes = new Uint8Array(READ_BYTES);
  const last = Math.min(file.sizeBytes, endOffset + TAIL_BYTES);
  for (let at = offset; at < last;) {
    const length = await file.read(bytes.subarray(0, Math.min(READ_BYTES, last - at)), at);
    if (length === 0) break;
    await runInTurns(pushAll(reader, bytes.subarray(0, length)));
    at += length;
  }
  // Units cut by the end of this range are complete in the next one.
  if (last === file.sizeBytes) reader.flush();
  const near = points.find((one) => one.offset >= offset)?.ptsTicks ?? startTicks;
  return tracks.map(({ track }) => {
    const found = units.get(track.id) ?? [];
    const first = found[0]?.ptsTicks ?? near;
    const shift = Math.round((near - first) / PTS_WRAP_TICKS) * PTS_WRAP_TICKS - startTicks;
    return found.map(({ ptsTicks, dtsTicks, isRandomAccess }, index) => ({
      offset,
      sizeBytes: sizes.get(track.id)?.[index] ?? 0,
      isSync: isRandomAccess,
      ptsTicks: ptsTicks + shift,
      dtsTicks: dtsTicks + shift,
      durationTicks: stepOf(found, index),
    }));
  });
}

/** Duration of a unit: up to the next unit; for the last unit, the duration of the previous one. */
function stepOf(units: readonly Pick<AccessUnit, 'dtsTicks'>[], index: number): number {
  const from = Math.max(0, Math.min(index, units.length - 2));
  return Math.max(0, (units[from + 1]?.dtsTicks ?? 0) - (units[from]?.dtsTicks ?? 0));
}

function* pushAll(reader: MpegTsReader, bytes: Uint8Array): Generator<void, void> {
  for (let at = 0; at < bytes.length; at += STEP_BYTES) {
    reader.push(bytes.subarray(at, at + STEP_BYTES));
    yield;
  }
}
