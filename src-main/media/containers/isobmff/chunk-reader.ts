import { ByteReader } from './byte-reader.ts';
import { readProducerReferenceTime } from './producer-reference-time.ts';
import { NON_SYNC_BIT } from './sample-flags.ts';
import { createSampleTable } from './sample-table.ts';
import type { SampleTable } from './sample-table.ts';
import {
  MAX_RUN_SAMPLES,
  RUN_COMPOSITION_OFFSET,
  RUN_DATA_OFFSET,
  RUN_DURATION,
  RUN_FIRST_FLAGS,
  RUN_FLAGS,
  RUN_SIZE,
  runSampleBytes,
} from './track-run.ts';

/** CMAF chunk as described by its header. */
export interface ReadChunk {
  readonly sequenceNumber: number;
  /** Decoding time of the first sample, in ticks of the track. */
  readonly baseDecodeTicks: number;
  readonly samples: SampleTable;
  /** Index of the first byte of the first sample; the samples are contiguous. */
  readonly dataStart: number;
  /** Index after the chunk, where the next one starts. */
  readonly end: number;
  /** Wall time of a media time, from `prft`. */
  readonly wall?: { readonly epochMs: number; readonly mediaTicks: number };
}

/** Visitor of the samples of a chunk. */
export type SampleVisitor = (
  /** Index of its first byte. */
  start: number,
  sizeBytes: number,
  dtsTicks: number,
  ptsTicks: number,
  durationTicks: number,
  isSync: boolean,
) => void;

/** Fields of a chunk header before its samples: one record, reused for every chunk. */
class ChunkHead {
  sequenceNumber = 0;
  baseDecodeTicks = 0;
  defaultDuration = 0;
  defaultSize = 0;
  defaultFlags = 0;
  runFlags = 0;
  runCount = 0;
  firstFlags = 0;
  /** Index of the fields of the first sample in `trun`. */
  runStart = 0;
  dataStart = 0;
  dataEnd = 0;
  end = 0;
  wallStart = -1;
}

const head = new ChunkHead();

const MOOF = 0x6d6f6f66;
const MDAT = 0x6d646174;
const PRFT = 0x70726674;
const MFHD = 0x6d666864;
const TRAF = 0x74726166;
const TFHD = 0x74666864;
const TFDT = 0x74666474;
const TRUN = 0x7472756e;

/**
 * Visits the samples of the chunk that starts at `from`, in decoding order, without allocating for each of them. Returns the
 * index after the chunk, where the next one starts; -1 unless there is a complete chunk with one track and one run of samples.
 * Samples outside `mdat` end the visit.
 * @param hasData true if the bytes contain the samples; false if they end with the header of `mdat`
 */
export function forEachSample(bytes: Uint8Array, visit: SampleVisitor, from = 0, hasData = true): number {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (!readHead(view, from, hasData)) return -1;
  // The visitor may read another chunk, so the needed fields are copied from the shared record first.
  const { runFlags, runCount, firstFlags, defaultDuration, defaultSize, defaultFlags, dataEnd, end } = head;
  let { runStart: at, dataStart: start, baseDecodeTicks: dts } = head;
  for (let i = 0; i < runCount; i++) {
    let duration = defaultDuration;
    let size = defaultSize;
    let flags = i === 0 ? firstFlags : defaultFlags;
    let offset = 0;
    if ((runFlags & RUN_DURATION) !== 0) {
      duration = view.getUint32(at);
      at += 4;
    }
    if ((runFlags & RUN_SIZE) !== 0) {
      size = view.getUint32(at);
      at += 4;
    }
    if ((runFlags & RUN_FLAGS) !== 0) {
      flags = view.getUint32(at);
      at += 4;
    }
    if ((runFlags & RUN_COMPOSITION_OFFSET) !== 0) {
      offset = view.getInt32(at);
      at += 4;
    }
    if (start + size > dataEnd) break;
    visit(start, size, dts, dts + offset, duration, (flags & NON_SYNC_BIT) === 0);
    start += size;
    dts += duration;
  }
  return end;
}

/** Reads the chunk that starts at `from` into arrays; undefined unless it is complete. */
export function readChunk(bytes: Uint8Array, from = 0): ReadChunk | undefined {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (!readHead(view, from)) return undefined;
  const { sequenceNumber, baseDecodeTicks, dataStart, end, wallStart } = head;
  const samples = createSampleTable(head.runCount);
  forEachSample(
    bytes,
    (_start, size, dts, pts, duration, isSync) => {
      const index = samples.count++;
      samples.sizes[index] = size;
      samples.durations[index] = duration;
      samples.compositionOffsets[index] = pts - dts;
      samples.isSync[index] = isSync ? 1 : 0;
    },
    from,
  );
  const wall = wallStart < 0 ? undefined : readProducerReferenceTime(new ByteReader(bytes, wallStart));
  return {
    sequenceNumber,
    baseDecodeTicks,
    samples,
    dataStart,
    end,
    ...(wall ? { wall: { epochMs: wall.epochMs, mediaTicks: wall.mediaTicks } } : {}),
  };
}

/** Reads everything before the samples into `head`. Unknown boxes are skipped. */
function readHead(view: DataView, from: number, hasData = true): boolean {
  const total = view.byteLength;
  let moofStart = -1;
  head.wallStart = -1;
  for (let at = from; at + 8 <= total;) {
    const size = view.getUint32(at);
    const type = view.getUint32(at + 4);
    if (size < 8 || (at + size > total && (hasData || type !== MDAT))) return false;
    if (type === PRFT) head.wallStart = at + 8;
    else if (type === MOOF) {
      if (moofStart >= 0 || !readMoof(view, at + 8, at + size)) return false;
      moofStart = at;
    } else if (type === MDAT) {
      if (moofStart < 0) return false;
      head.dataStart += moofStart;
      head.dataEnd = at + size;
      head.end = at + size;
      return head.dataStart >= at + 8 && head.dataStart <= head.dataEnd && isRunInside(head.dataEnd - head.dataStart);
    }
    at += size;
  }
  return false;
}

/**
 * Whether a run without sample sizes fits into the data. This limits the number of its samples; with sizes in `trun`, these
 * limit the number.
 */
function isRunInside(dataBytes: number): boolean {
  return (head.runFlags & RUN_SIZE) !== 0 || head.runCount * Math.max(1, head.defaultSize) <= dataBytes;
}

function readMoof(view: DataView, from: number, end: number): boolean {
  let hasRun = false;
  for (let at = from; at + 8 <= end;) {
    const size = view.getUint32(at);
    if (size < 8 || at + size > end) return false;
    const type = view.getUint32(at + 4);
    if (type === MFHD && size >= 16) head.sequenceNumber = view.getUint32(at + 12);
    else if (type === TRAF) {
      if (hasRun || !readTraf(view, at + 8, at + size)) return false;
      hasRun = true;
    }
    at += size;
  }
  return hasRun;
}

function readTraf(view: DataView, from: number, end: number): boolean {
  let hasHeader = false;
  let hasTime = false;
  let hasRun = false;
  for (let at = from; at + 8 <= end;) {
    const size = view.getUint32(at);
    if (size < 8 || at + size > end) return false;
    const type = view.getUint32(at + 4);
    if (type === TFHD) {
      if (!readTfhd(view, at + 8, at + size)) return false;
      hasHeader = true;
    } else if (type === TFDT) {
      if (!readTfdt(view, at + 8, at + size)) return false;
      hasTime = true;
    } else if (type === TRUN) {
      if (hasRun || !hasHeader || !readTrun(view, at + 8, at + size)) return false;
      hasRun = true;
    }
    at += size;
  }
  return hasHeader && hasTime && hasRun;
}

function readTfhd(view: DataView, from: number, end: number): boolean {
  if (end - from < 8) return false;
  const flags = view.getUint32(from);
  const bytes =
    (flags & 1 ? 8 : 0) + (flags & 2 ? 4 : 0) + (flags & 8 ? 4 : 0) + (flags & 0x10 ? 4 : 0) + (flags & 0x20 ? 4 : 0);
  if (end - from < 8 + bytes) return false;
  let at = from + 8 + (flags & 1 ? 8 : 0) + (flags & 2 ? 4 : 0);
  head.defaultDuration = (flags & 0x08) === 0 ? 0 : view.getUint32(at);
  if ((flags & 0x08) !== 0) at += 4;
  head.defaultSize = (flags & 0x10) === 0 ? 0 : view.getUint32(at);
  if ((flags & 0x10) !== 0) at += 4;
  head.defaultFlags = (flags & 0x20) === 0 ? 0 : view.getUint32(at);
  return true;
}

function readTfdt(view: DataView, from: number, end: number): boolean {
  if (end - from < 8) return false;
  if (view.getUint8(from) === 0) head.baseDecodeTicks = view.getUint32(from + 4);
  else if (end - from < 12) return false;
  else head.baseDecodeTicks = view.getUint32(from + 4) * 0x1_0000_0000 + view.getUint32(from + 8);
  return head.baseDecodeTicks <= Number.MAX_SAFE_INTEGER;
}

function readTrun(view: DataView, from: number, end: number): boolean {
  if (end - from < 12) return false;
  const flags = view.getUint32(from) & 0xff_ffff;
  const count = view.getUint32(from + 4);
  let at = from + 8;
  if ((flags & RUN_DATA_OFFSET) === 0) return false;
  head.dataStart = view.getInt32(at);
  at += 4;
  head.firstFlags = head.defaultFlags;
  if ((flags & RUN_FIRST_FLAGS) !== 0) {
    if (end - at < 4) return false;
    head.firstFlags = view.getUint32(at);
    at += 4;
  }
  head.runFlags = flags;
  head.runCount = count;
  head.runStart = at;
  return count <= MAX_RUN_SAMPLES && count * runSampleBytes(flags) <= end - at;
}
