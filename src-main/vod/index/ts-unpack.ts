import { runInTurns } from '../../lib/turns.ts';
import type { AccessUnit } from '../../media/access-unit.ts';
import { MpegTsReader } from '../../media/containers/mpegts/reader.ts';
import { PTS_WRAP_TICKS } from '../../media/timing/unroll.ts';
import type { Track } from '../../media/track.ts';
import type { ListedTransport } from './track-facts.ts';
import type { MarkedCursor } from './marked-cursor.ts';
import type { PackedSamples, SourceFile, SourceTrack } from './source-track.ts';
import type { UnpackedSegments } from './unpacked-segments.ts';

export interface TsUnpackOptions {
  readonly track: Track;
  /** Cursor whose composition offset leads to the times stated in the file; absent if the samples have these times. */
  readonly statedWalk?: () => MarkedCursor;
  readonly transport: ListedTransport;
  readonly file: SourceFile;
  readonly unpacked: UnpackedSegments;
}

/** Bytes per read and per step. */
const READ_BYTES = 256 * 1024;
const STEP_BYTES = 64 * 1024;

/** Unpacks segments of a transport stream track into consecutive access units. */
export function unpackTs(options: TsUnpackOptions): NonNullable<SourceTrack['unpack']> {
  const { unpacked } = options;
  const key = unpacked.newKey();
  return (samples) => ({
    async read(offset, sizeBytes) {
      const bytes = await unpacked.get(`${key} ${samples.mark[0] ?? 0}`, () => unpack(samples, options));
      return bytes.subarray(offset, offset + sizeBytes);
    },
  });
}

async function unpack(
  { mark, sizes, offset, dtsTicks }: PackedSamples,
  { track, statedWalk, transport, file }: TsUnpackOptions,
): Promise<Uint8Array> {
  const recording = transport.recordings.findLast((one) => one.first <= (mark[0] ?? 0));
  const first = statedWalk?.();
  first?.goTo(mark);
  const statedTicks = dtsTicks + (first?.compositionOffsetTicks ?? 0);
  const wanted = new WantedUnits(sizes, statedTicks - (recording?.shiftTicks ?? 0));
  const { map, configs } = transport.program;
  const streams = map.streams.filter(({ pid }) => pid === track.sourceId);
  const reader = new MpegTsReader(
    {
      tracks: () => undefined,
      accessUnit: (unit) => {
        wanted.take(unit);
      },
      splice: () => undefined,
      problem: () => undefined,
    },
    { known: { map: { ...map, streams }, configs } },
  );
  for (let at = offset; at < file.sizeBytes && !wanted.isWhole; at += READ_BYTES) {
    const bytes = await file.read(at, Math.min(READ_BYTES, file.sizeBytes - at));
    await runInTurns(pushAll(reader, bytes, wanted));
  }
  if (!wanted.isWhole) reader.flush();
  if (!wanted.isWhole) throw new RangeError(`Access units of ${track.id} are not where they were.`);
  return wanted.bytes;
}

function* pushAll(reader: MpegTsReader, bytes: Uint8Array, wanted: WantedUnits): Generator<void, void> {
  for (let at = 0; at < bytes.length && !wanted.isWhole; at += STEP_BYTES) {
    reader.push(bytes.subarray(at, at + STEP_BYTES));
    yield;
  }
}

/** Units to find, from a given time on. */
class WantedUnits {
  readonly bytes: Uint8Array;
  readonly #sizes: Uint32Array;
  readonly #firstTicks: number;
  #count = 0;
  #length = 0;

  /** @param firstTicks time of the first unit, across wraps of the counter */
  constructor(sizes: Uint32Array, firstTicks: number) {
    this.#sizes = sizes;
    this.#firstTicks = firstTicks;
    this.bytes = Buffer.allocUnsafeSlow(sizes.reduce((sum, size) => sum + size, 0));
  }

  get isWhole(): boolean {
    return this.#count === this.#sizes.length;
  }

  take({ dtsTicks, data }: AccessUnit): void {
    if (this.isWhole || (this.#count === 0 && !this.#isFirst(dtsTicks))) return;
    if (data.length !== this.#sizes[this.#count]) throw new RangeError('An access unit is not as long as it was.');
    this.bytes.set(data, this.#length);
    this.#length += data.length;
    this.#count++;
  }

  #isFirst(dtsTicks: number): boolean {
    const turns = (dtsTicks - this.#firstTicks) / PTS_WRAP_TICKS;
    return Math.abs(turns - Math.round(turns)) * PTS_WRAP_TICKS < 1;
  }
}
