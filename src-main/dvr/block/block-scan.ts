import { crc32 } from 'node:zlib';
import { readBoxStart } from '../../media/containers/isobmff/box.ts';
import type { MediaFile } from '../../segment/media-bytes.ts';
import { BLOCK_BOX_START_BYTES, MAX_BOX_BYTES, readBlockBoxStart } from './block-box.ts';
import { readBlockHead, type BlockHead } from './block-head.ts';
import { INDEX_END_BYTES, readIndexBox, type BlockIndex } from './block-index.ts';
import { readBlockRun, type BlockRun } from './block-run.ts';
import { readSpliceBox } from './block-splice.ts';
import { IndexBuilder } from './index-builder.ts';

/** What a block file holds, read from the file alone. */
export interface ScannedBlock {
  readonly head: BlockHead;
  readonly index: BlockIndex;
  /** Index after the last whole chunk, or after the index of a finished block: what lies behind it is damage and can be cut off. */
  readonly endBytes: number;
  /** Whether the block was finished, so that its own index was read. */
  readonly isFinished: boolean;
}

/** `ftyp`, `moov` and the head of a block together: no real one comes near. */
const MAX_HEAD_BYTES = 4 << 20;
/** Longest chunk that is read. */
const MAX_CHUNK_BYTES = 256 << 20;
/** Small boxes are read in one go. */
const GUESS_BYTES = 4096;

/**
 * Reads a block: by its index where it was finished, otherwise chunk by chunk up to the first damage. Every byte before the end that it
 * returns was held against its checksum, but for the media of finished blocks.
 *
 * @returns undefined where the beginning is not whole: nothing can be played of the file
 */
export async function scanBlock(file: MediaFile, sizeBytes: number): Promise<ScannedBlock | undefined> {
  const start = await readStart(file, sizeBytes);
  if (!start) return undefined;
  const finished = await readEnd(file, sizeBytes);
  if (finished) return { head: start.head, index: finished.index, endBytes: sizeBytes, isFinished: true };
  const builder = new IndexBuilder();
  const endBytes = await readRuns(file, start.endBytes, sizeBytes, builder);
  const { head } = start;
  return { head, index: builder.indexOf(head), endBytes, isFinished: false };
}

/** The first byte of a block that is damaged, though the block may be finished: every chunk is held against its checksum. Undefined where all of it is whole. */
export async function firstDamage(file: MediaFile, sizeBytes: number): Promise<number | undefined> {
  const start = await readStart(file, sizeBytes);
  if (!start) return 0;
  const mediaEnd = (await readEnd(file, sizeBytes))?.startBytes ?? sizeBytes;
  const endBytes = await readRuns(file, start.endBytes, mediaEnd, new IndexBuilder());
  return endBytes === mediaEnd ? undefined : endBytes;
}

/** Reads runs up to the first damage. @returns index after the last whole chunk */
async function readRuns(file: MediaFile, from: number, sizeBytes: number, builder: IndexBuilder): Promise<number> {
  for (let at = from; ;) {
    const run = await readRun(file, at, sizeBytes);
    if (!run) return at;
    const chunks = await readChunks(file, run, sizeBytes, builder);
    // Of a run without a whole chunk nothing is left to announce.
    if (chunks.isWhole || chunks.count > 0) at = chunks.endBytes;
    if (!chunks.isWhole) return at;
  }
}

async function readStart(
  file: MediaFile,
  sizeBytes: number,
): Promise<{ readonly head: BlockHead; readonly endBytes: number } | undefined> {
  let at = 0;
  for (const type of ['ftyp', 'moov']) {
    const box = readBoxStart(await readUpTo(file, at, 16, sizeBytes), 0);
    if (box?.type !== type || box.sizeBytes === 0) return undefined;
    at += box.sizeBytes;
    if (at > MAX_HEAD_BYTES) return undefined;
  }
  const box = await readBox(file, at, sizeBytes);
  if (!box) return undefined;
  const head = readBlockHead(box, await file.read(0, at));
  return head && { head, endBytes: at + box.length };
}

/** The index at the end; undefined where the block was not finished. */
async function readEnd(
  file: MediaFile,
  sizeBytes: number,
): Promise<{ readonly index: BlockIndex; readonly startBytes: number } | undefined> {
  if (sizeBytes < INDEX_END_BYTES) return undefined;
  const end = Buffer.from(await file.read(sizeBytes - INDEX_END_BYTES, INDEX_END_BYTES));
  const boxBytes = end.readUInt32BE(0);
  if (boxBytes > sizeBytes || boxBytes > MAX_BOX_BYTES || boxBytes < BLOCK_BOX_START_BYTES) return undefined;
  const startBytes = sizeBytes - boxBytes;
  const index = readIndexBox(Buffer.from(await file.read(startBytes, boxBytes)));
  return index && { index, startBytes };
}

interface ReadRun {
  readonly run: BlockRun;
  /** Index of the first chunk. */
  readonly at: number;
}

async function readRun(file: MediaFile, at: number, sizeBytes: number): Promise<ReadRun | undefined> {
  const box = await readBox(file, at, sizeBytes);
  const run = box && readBlockRun(box);
  return run && { run, at: at + box.length };
}

/** Reads the chunks of a run as far as they are whole. */
async function readChunks(
  file: MediaFile,
  { run, at }: ReadRun,
  sizeBytes: number,
  builder: IndexBuilder,
): Promise<{ readonly endBytes: number; readonly count: number; readonly isWhole: boolean }> {
  const isTrack = run.trackNumber !== 0;
  let endBytes = at;
  let count = 0;
  // A run whose first chunk is lost begins no segment.
  let hasBegun = false;
  const begin = (): void => {
    if (isTrack && !hasBegun) builder.run(run);
    hasBegun = true;
  };
  for (const chunk of run.chunks) {
    const next = endBytes + chunk.sizeBytes;
    if (next > sizeBytes || chunk.sizeBytes > MAX_CHUNK_BYTES) return { endBytes, count, isWhole: false };
    const bytes = await file.read(endBytes, chunk.sizeBytes);
    if (crc32(bytes) !== chunk.checksum) return { endBytes, count, isWhole: false };
    begin();
    const splice = isTrack ? undefined : readSpliceBox(bytes);
    if (isTrack) builder.chunk(run.trackNumber, chunk, endBytes);
    else if (splice) builder.splice(splice);
    endBytes = next;
    count++;
  }
  begin();
  if (isTrack) builder.runEnd(run);
  return { endBytes, count, isWhole: true };
}

/** The whole box of Airdesk at this place; undefined where there is none. */
async function readBox(file: MediaFile, at: number, sizeBytes: number): Promise<Buffer | undefined> {
  const bytes = Buffer.from(await readUpTo(file, at, GUESS_BYTES, sizeBytes));
  const start = readBlockBoxStart(bytes);
  if (!start || at + start.sizeBytes > sizeBytes) return undefined;
  if (start.sizeBytes <= bytes.length) return bytes.subarray(0, start.sizeBytes);
  return Buffer.from(await file.read(at, start.sizeBytes));
}

async function readUpTo(file: MediaFile, at: number, mostBytes: number, sizeBytes: number): Promise<Uint8Array> {
  const bytes = Math.min(mostBytes, sizeBytes - at);
  return bytes > 0 ? file.read(at, bytes) : new Uint8Array();
}
