import { runInTurns } from '../../lib/turns.ts';
import { INPUT_TIMESCALE, type AccessUnit } from '../../media/access-unit.ts';
import { MpegTsReader, type FoundProgram } from '../../media/containers/mpegts/reader.ts';
import { PTS_WRAP_TICKS } from '../../media/timing/unroll.ts';
import type { Track } from '../../media/track.ts';
import type { ListedTransport } from './track-facts.ts';
import type { MarkedCursor } from './marked-cursor.ts';
import type { PackedSamples, SourceFile, SourceTrack } from './source-track.ts';
import type { UnpackedSegments } from './unpacked-segments.ts';

export interface TsUnpackOptions {
  readonly track: Track;
  /** Cursor whose composition offsets give the times of the file; absent if the samples have these times. */
  readonly statedWalk?: () => MarkedCursor;
  readonly transport: ListedTransport;
  readonly file: SourceFile;
  readonly unpacked: UnpackedSegments;
}

/** Bytes per read and per step. */
const READ_BYTES = 256 * 1024;
const STEP_BYTES = 64 * 1024;
/** If there is no time stamp near the start of a segment, reading starts this number of bytes earlier. */
const EARLIER_BYTES = 8 << 20;
/**
 * If there is still no time stamp and the segment is at most this number of bytes after the start of the file, reading starts
 * at the start of the file.
 */
const MAX_EARLIER_BYTES = 256 << 20;
/** Maximum number of bytes searched for a segment; after that the segment counts as missing. */
const MAX_SEARCHED_BYTES = MAX_EARLIER_BYTES + (32 << 20);

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

async function unpack(samples: PackedSamples, options: TsUnpackOptions): Promise<Uint8Array> {
  const { offset } = samples;
  const earlier = offset <= MAX_EARLIER_BYTES ? [Math.max(0, offset - EARLIER_BYTES), 0] : [offset - EARLIER_BYTES];
  for (const from of new Set([offset, ...earlier])) {
    const bytes = await unpackFrom(from, samples, options);
    if (bytes) return bytes;
  }
  throw new RangeError(`Access units of ${options.track.id} are no longer at their position in the file.`);
}

/**
 * Units of a segment, read from an offset on; undefined if they are not found, for example because the next time stamp is too far
 * away.
 */
async function unpackFrom(
  from: number,
  { mark, sizes, dtsTicks }: PackedSamples,
  { track, statedWalk, transport, file }: TsUnpackOptions,
): Promise<Uint8Array | undefined> {
  const recording = transport.recordings.findLast((one) => one.first <= (mark[0] ?? 0));
  const first = statedWalk?.();
  first?.goTo(mark);
  const statedTicks = dtsTicks + (first?.compositionOffsetTicks ?? 0);
  const units = new SegmentUnits(sizes, {
    ticks: statedTicks - (recording?.shiftTicks ?? 0),
    isSteady: transport.recordings.length === 1,
  });
  const isAlone = from > 0 && transport.programs.length === 1;
  const reader = new MpegTsReader(
    {
      tracks: () => undefined,
      accessUnit: (unit) => {
        if (isAlone || unit.trackId === transport.trackId) units.take(unit);
      },
      splice: () => undefined,
      problem: () => undefined,
    },
    from === 0 ? {} : programOf(transport, mark[0] ?? 0, track),
  );
  for (let at = from; at < file.sizeBytes && !units.isOver; at += READ_BYTES) {
    if (!units.isFound && at - from > MAX_SEARCHED_BYTES) return undefined;
    const bytes = await file.read(at, Math.min(READ_BYTES, file.sizeBytes - at));
    await runInTurns(pushAll(reader, bytes, units));
  }
  if (!units.isOver) reader.flush();
  return units.isComplete ? units.bytes : undefined;
}

/** Programme for reading a track from a unit on. If the programme never changes, it contains only this track. */
function programOf(
  { programs }: ListedTransport,
  unit: number,
  { sourceId }: Track,
): { readonly found?: FoundProgram } {
  const program = programs.findLast(({ first }) => first <= unit)?.program;
  if (!program) return {};
  if (programs.length > 1) return { found: { ...program, isChanging: true } };
  const streams = program.map.streams.filter(({ pid }) => pid === sourceId);
  return { found: { map: { ...program.map, streams }, configs: program.configs } };
}

function* pushAll(reader: MpegTsReader, bytes: Uint8Array, units: SegmentUnits): Generator<void, void> {
  for (let at = 0; at < bytes.length && !units.isOver; at += STEP_BYTES) {
    reader.push(bytes.subarray(at, at + STEP_BYTES));
    yield;
  }
}

/**
 * In a file with one recording, a unit that is later than the first requested unit by more than this distance shows that the
 * requested unit was missed.
 */
const MAX_PASSED_TICKS = 2 * INPUT_TIMESCALE;

interface FirstUnit {
  /** Time in the file, across wraps of the counter. */
  readonly ticks: number;
  /** Whether times only increase in the file. */
  readonly isSteady: boolean;
}

/** Units to find, from a given time on. */
class SegmentUnits {
  readonly bytes: Uint8Array;
  readonly #sizes: Uint32Array;
  readonly #first: FirstUnit;
  #count = 0;
  #length = 0;
  #isLost = false;

  constructor(sizes: Uint32Array, first: FirstUnit) {
    this.#sizes = sizes;
    this.#first = first;
    this.bytes = Buffer.allocUnsafeSlow(sizes.reduce((sum, size) => sum + size, 0));
  }

  get isComplete(): boolean {
    return this.#count === this.#sizes.length;
  }

  get isFound(): boolean {
    return this.#count > 0;
  }

  /** Whether all units were found, or other units at their times. */
  get isOver(): boolean {
    return this.isComplete || this.#isLost;
  }

  take({ dtsTicks, data }: AccessUnit): void {
    if (this.isOver) return;
    // Units of another recording, or after a step back, may have the same time.
    if (this.#count > 0 && data.length !== this.#sizes[this.#count]) this.#count = this.#length = 0;
    if (this.#count === 0 && (!this.#isFirst(dtsTicks) || data.length !== this.#sizes[0])) return;
    this.bytes.set(data, this.#length);
    this.#length += data.length;
    this.#count++;
  }

  #isFirst(dtsTicks: number): boolean {
    const turns = (dtsTicks - this.#first.ticks) / PTS_WRAP_TICKS;
    const aheadTicks = (turns - Math.round(turns)) * PTS_WRAP_TICKS;
    if (this.#first.isSteady && aheadTicks > MAX_PASSED_TICKS) this.#isLost = true;
    return Math.abs(aheadTicks) < 1;
  }
}
