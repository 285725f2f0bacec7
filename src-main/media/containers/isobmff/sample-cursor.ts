import { readBoxes } from './box.ts';
import type { Box } from './box.ts';

/** Cursor over the samples of one track in decoding order. The fields are valid after `next()` returned true. */
export interface SampleCursor {
  /** Position of the first byte in the file. */
  readonly offset: number;
  readonly sizeBytes: number;
  /** Times in the timescale of the track, before edit lists. */
  readonly dtsTicks: number;
  readonly compositionOffsetTicks: number;
  readonly durationTicks: number;
  readonly isSync: boolean;
  /** Smallest composition offset of all samples; 0 if none is negative. */
  readonly minOffsetTicks: number;
  /** Moves to the next sample; false after the last one. */
  next(): boolean;
}

/** Cursor that states the sample description of each sample. */
export interface DescribedCursor extends SampleCursor {
  /** Number of the entry in `stsd` (8.5.2), from 1. */
  readonly descriptionIndex: number;
}

/** Maximum number of samples of a track: twelve days at 60 frames per second. */
const MAX_SAMPLES = 1 << 26;

/** Position of a table with entries of fixed size in `moov`: `stts`, `ctts`, `stss`, `stsc`, `stco`, `co64`. */
interface TablePosition {
  /** Position of the first entry. */
  readonly start: number;
  readonly count: number;
}

/** Table of sizes: `stsz`, or `stz2` (8.7.3). */
interface SizesPosition extends TablePosition {
  /** Size of all samples; 0 if each has its own. */
  readonly fixedBytes: number;
  /** Size of a field in bits: 4, 8, 16 or 32. */
  readonly fieldBits: number;
}

/**
 * Tables of `stbl` as plain data (ISO/IEC 14496-12, 8.6 and 8.7): their positions in `moov`. A cursor over them starts without
 * parsing.
 */
export interface SampleTables {
  /** The bytes of `moov`. */
  readonly moov: Uint8Array;
  readonly times: TablePosition;
  readonly offsets: TablePosition;
  /** Absent if every sample is a sync sample. */
  readonly syncs?: TablePosition;
  readonly runs: TablePosition;
  readonly chunks: TablePosition;
  /** Whether chunk offsets have 64 bits. */
  readonly isLarge: boolean;
  readonly sizes: SizesPosition;
  /** Smallest composition offset; 0 if none is negative. */
  readonly minOffsetTicks: number;
}

/** Finds the tables of a track. */
export function findSampleTables(moov: Uint8Array, stbl: Box): SampleTables {
  const boxes = readBoxes(moov, stbl.bodyStart, stbl.end);
  const find = (type: string): Box | undefined => boxes.find((box) => box.type === type);
  const view = new DataView(moov.buffer, moov.byteOffset, moov.byteLength);
  const [stss, co64, stsz] = [find('stss'), find('co64'), find('stsz')];
  const offsets = tablePosition(view, find('ctts'), 8);
  const offsetTable = new EntryTable(view, offsets, 8);
  let minOffsetTicks = 0;
  for (let entry = 0; entry < offsets.count; entry++)
    minOffsetTicks = Math.min(minOffsetTicks, offsetTable.signedField(entry, 1));
  return {
    moov,
    offsets,
    minOffsetTicks,
    isLarge: co64 !== undefined,
    times: tablePosition(view, find('stts'), 8),
    ...(stss ? { syncs: tablePosition(view, stss, 4) } : {}),
    runs: tablePosition(view, find('stsc'), 12),
    chunks: tablePosition(view, co64 ?? find('stco'), co64 ? 8 : 4),
    sizes: sizesPosition(view, stsz ?? find('stz2'), stsz === undefined),
  };
}

function tablePosition(view: DataView, box: Box | undefined, entryBytes: number): TablePosition {
  const start = (box?.bodyStart ?? 0) + 8;
  const room = box ? Math.max(0, Math.floor((box.end - start) / entryBytes)) : 0;
  return { start, count: room > 0 ? Math.min(room, view.getUint32(start - 4)) : 0 };
}

function sizesPosition(view: DataView, box: Box | undefined, isCompact: boolean): SizesPosition {
  const isComplete = box !== undefined && box.end - box.bodyStart >= 12;
  if (!isComplete) return { start: 0, count: 0, fixedBytes: 0, fieldBits: 32 };
  const start = box.bodyStart + 12;
  const fixedBytes = isCompact ? 0 : view.getUint32(box.bodyStart + 4);
  const fieldBits = isCompact ? view.getUint8(box.bodyStart + 7) : 32;
  const isKnown = !isCompact || [4, 8, 16].includes(fieldBits);
  const announced = isKnown ? view.getUint32(box.bodyStart + 8) : 0;
  const room = fixedBytes === 0 ? Math.floor(((box.end - start) * 8) / fieldBits) : MAX_SAMPLES;
  return { start, count: Math.min(announced, room, MAX_SAMPLES), fixedBytes, fieldBits };
}

/** Entries of a table: `entryBytes` each, in fields of 32 bits. */
class EntryTable {
  readonly #view: DataView;
  readonly #start: number;
  readonly #entryBytes: number;
  readonly count: number;

  constructor(view: DataView, { start, count }: TablePosition, entryBytes: number) {
    this.#view = view;
    this.#start = start;
    this.#entryBytes = entryBytes;
    this.count = count;
  }

  /** One field of an existing entry (`index < count`), numbered from 0. */
  field(index: number, fieldIndex: number): number {
    return this.#view.getUint32(this.#start + index * this.#entryBytes + fieldIndex * 4);
  }

  signedField(index: number, fieldIndex: number): number {
    return this.#view.getInt32(this.#start + index * this.#entryBytes + fieldIndex * 4);
  }
}

/** Position in a table of runs (`stts`, `ctts`): entry of the next sample, and number of samples left in the entry. */
class RunPosition {
  readonly table: EntryTable;
  entry = -1;
  #left = 0;

  constructor(table: EntryTable) {
    this.table = table;
  }

  get left(): number {
    return this.#left;
  }

  goTo(entry: number, left: number): void {
    this.entry = entry;
    this.#left = left;
  }

  /** Moves to the entry of the next sample; false after the last. */
  next(): boolean {
    while (this.#left === 0) {
      if (this.entry + 1 >= this.table.count) return false;
      this.entry++;
      this.#left = this.table.field(this.entry, 0);
    }
    this.#left--;
    return true;
  }
}

/** Size of the sample at `index`, which is less than `count`. */
function sizeAt(view: DataView, { start, fixedBytes, fieldBits }: SizesPosition, index: number): number {
  if (fixedBytes > 0) return fixedBytes;
  switch (fieldBits) {
    case 4: {
      const pair = view.getUint8(start + (index >>> 1));
      return index % 2 === 0 ? pair >>> 4 : pair & 15;
    }
    case 8:
      return view.getUint8(start + index);
    case 16:
      return view.getUint16(start + index * 2);
    default:
      return view.getUint32(start + index * 4);
  }
}

/** Position of a sample in a track, for cursors over the same samples only. */
export type CursorMark = readonly number[];

/**
 * Cursor over the samples of a track by its tables. It reads the tables where they are in `moov`, so that it needs no further
 * memory, however many samples there are.
 */
export class TableCursor implements DescribedCursor {
  offset = 0;
  sizeBytes = 0;
  dtsTicks = 0;
  compositionOffsetTicks = 0;
  durationTicks = 0;
  isSync = true;
  readonly minOffsetTicks: number;
  /** Number of samples that the tables announce. */
  readonly count: number;

  readonly #view: DataView;
  readonly #sizes: SizesPosition;
  readonly #times: RunPosition;
  readonly #offsets: RunPosition;
  readonly #hasOffsets: boolean;
  readonly #syncs: EntryTable | undefined;
  readonly #chunks: EntryTable;
  readonly #isLarge: boolean;
  readonly #runs: EntryTable;
  #index = -1;
  #nextDts = 0;
  #syncAt = 0;
  #chunk = -1;
  #run = 0;
  #leftInChunk = 0;
  #nextOffset = 0;

  constructor(tables: SampleTables) {
    const { moov, times, offsets, syncs, runs, chunks, isLarge, sizes, minOffsetTicks } = tables;
    const view = new DataView(moov.buffer, moov.byteOffset, moov.byteLength);
    this.#view = view;
    this.#times = new RunPosition(new EntryTable(view, times, 8));
    this.#offsets = new RunPosition(new EntryTable(view, offsets, 8));
    this.#hasOffsets = offsets.count > 0;
    this.minOffsetTicks = minOffsetTicks;
    this.#syncs = syncs && new EntryTable(view, syncs, 4);
    this.#runs = new EntryTable(view, runs, 12);
    this.#isLarge = isLarge;
    this.#chunks = new EntryTable(view, chunks, isLarge ? 8 : 4);
    this.#sizes = sizes;
    this.count = sizes.count;
  }

  /** Description of the chunk that contains the sample (8.7.4). */
  get descriptionIndex(): number {
    return this.#run < this.#runs.count ? this.#runs.field(this.#run, 2) : 1;
  }

  next(): boolean {
    if (this.#index + 1 >= this.count || !this.#times.next() || !this.#enterChunk()) return false;
    const index = ++this.#index;
    this.offset = this.#nextOffset;
    this.sizeBytes = sizeAt(this.#view, this.#sizes, index);
    this.#nextOffset += this.sizeBytes;
    this.#leftInChunk--;
    this.dtsTicks = this.#nextDts;
    this.durationTicks = this.#times.table.field(this.#times.entry, 1);
    this.#nextDts += this.durationTicks;
    // Version 0 of `ctts` is unsigned by the standard, but many writers store negative numbers in it.
    this.compositionOffsetTicks =
      this.#hasOffsets && this.#offsets.next() ? this.#offsets.table.signedField(this.#offsets.entry, 1) : 0;
    this.isSync = this.#isSyncSample(index + 1);
    return true;
  }

  /** Position of the current sample. */
  mark(): CursorMark {
    const [times, offsets] = [this.#times, this.#offsets];
    return [
      this.#index,
      this.#nextDts,
      times.entry,
      times.left,
      offsets.entry,
      offsets.left,
      this.#syncAt,
      this.#chunk,
      this.#run,
      this.#leftInChunk,
      this.#nextOffset,
      this.offset,
      this.sizeBytes,
      this.dtsTicks,
      this.compositionOffsetTicks,
      this.durationTicks,
      this.isSync ? 1 : 0,
    ];
  }

  /** Moves to a sample at a position returned by `mark()` of a cursor over the same tables. */
  goTo(mark: CursorMark): void {
    const at = (index: number): number => mark[index] ?? 0;
    this.#index = at(0);
    this.#nextDts = at(1);
    this.#times.goTo(at(2), at(3));
    this.#offsets.goTo(at(4), at(5));
    this.#syncAt = at(6);
    this.#chunk = at(7);
    this.#run = at(8);
    this.#leftInChunk = at(9);
    this.#nextOffset = at(10);
    this.offset = at(11);
    this.sizeBytes = at(12);
    this.dtsTicks = at(13);
    this.compositionOffsetTicks = at(14);
    this.durationTicks = at(15);
    this.isSync = at(16) === 1;
  }

  #isSyncSample(number: number): boolean {
    const syncs = this.#syncs;
    if (!syncs) return true;
    while (this.#syncAt < syncs.count && syncs.field(this.#syncAt, 0) < number) this.#syncAt++;
    return this.#syncAt < syncs.count && syncs.field(this.#syncAt, 0) === number;
  }

  /** Moves to the chunk of the current sample, if the previous chunk has no sample left; false after the last chunk. */
  #enterChunk(): boolean {
    while (this.#leftInChunk === 0) {
      if (++this.#chunk >= this.#chunks.count || this.#runs.count === 0) return false;
      while (this.#run + 1 < this.#runs.count && this.#runs.field(this.#run + 1, 0) <= this.#chunk + 1) this.#run++;
      this.#leftInChunk = this.#runs.field(this.#run, 1);
      const high = this.#chunks.field(this.#chunk, 0);
      this.#nextOffset = this.#isLarge ? high * 0x1_0000_0000 + this.#chunks.field(this.#chunk, 1) : high;
    }
    return true;
  }
}

/** Whether any sample may be a sync sample; an empty `stss` means that none is (8.6.2.1). */
export function mayHaveSyncSamples({ syncs }: SampleTables): boolean {
  return syncs === undefined || syncs.count > 0;
}
