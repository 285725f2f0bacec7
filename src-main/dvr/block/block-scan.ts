import { crc32 } from 'node:zlib';
import { readBoxStart } from '../../media/containers/isobmff/box.ts';
import type { MediaFile } from '../../segment/media-bytes.ts';
import { BLOCK_BOX_START_BYTES, MAX_BOX_BYTES, readBlockBoxStart } from './block-box.ts';
import { readBlockHead, type BlockHead } from './block-head.ts';
import { INDEX_END_BYTES, readIndexBox, type BlockIndex } from './block-index.ts';
import { readBlockRun, type BlockRun } from './block-run.ts';
import { readSpliceBox } from './block-splice.ts';
import { IndexBuilder } from './index-builder.ts';

/** Content of a block file, read from the file alone. */
export interface ScannedBlock {
  readonly head: BlockHead;
  readonly index: BlockIndex;
  /**
   * Offset after the last complete chunk, or after the index of a finished block; bytes after it are damaged and can be
   * truncated.
   */
  readonly endBytes: number;
  /** Whether the block was finished, so that its index was read. */
  readonly isFinished: boolean;
}

/** Maximum size of `ftyp`, `moov` and the header box together; real blocks need far less. */
const MAX_HEAD_BYTES = 4 << 20;
/** Maximum size of a chunk. */
const MAX_CHUNK_BYTES = 256 << 20;
/** Number of bytes read before the size of a box is known. Small boxes need no second read. */
const FIRST_READ_BYTES = 4096;

/**
 * Reads a block: by its index if it was finished, otherwise chunk by chunk up to the first damage. All bytes before
 * `endBytes` are verified by checksum, except the media of finished blocks.
 *
 * @returns undefined if the start is incomplete: the file is unplayable
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

/**
 * Offset after the last intact chunk of a block, finished or not, if later bytes are damaged; undefined if the block is
 * intact. Verifies the checksums of all chunks.
 */
export async function firstDamage(file: MediaFile, sizeBytes: number): Promise<number | undefined> {
  const start = await readStart(file, sizeBytes);
  if (!start) return 0;
  const mediaEnd = (await readEnd(file, sizeBytes))?.startBytes ?? sizeBytes;
  const endBytes = await readRuns(file, start.endBytes, mediaEnd, new IndexBuilder());
  return endBytes === mediaEnd ? undefined : endBytes;
}

/** Reads runs up to the first damage. @returns offset after the last complete chunk */
async function readRuns(file: MediaFile, from: number, sizeBytes: number, builder: IndexBuilder): Promise<number> {
  for (let at = from; ;) {
    const run = await readRun(file, at, sizeBytes);
    if (!run) return at;
    const chunks = await readChunks(file, run, sizeBytes, builder);
    // A run without a complete chunk is truncated with its header.
    if (chunks.isComplete || chunks.count > 0) at = chunks.endBytes;
    if (!chunks.isComplete) return at;
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

/** Index at the end; undefined if the block was not finished. */
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
  /** Offset of the first chunk. */
  readonly at: number;
}

async function readRun(file: MediaFile, at: number, sizeBytes: number): Promise<ReadRun | undefined> {
  const box = await readBox(file, at, sizeBytes);
  const run = box && readBlockRun(box);
  return run && { run, at: at + box.length };
}

/** Reads the chunks of a run up to the first incomplete one. */
async function readChunks(
  file: MediaFile,
  { run, at }: ReadRun,
  sizeBytes: number,
  builder: IndexBuilder,
): Promise<{ readonly endBytes: number; readonly count: number; readonly isComplete: boolean }> {
  const isTrack = run.trackNumber !== 0;
  let endBytes = at;
  let count = 0;
  // A run whose first chunk is lost is ignored, because it starts no segment.
  let hasStarted = false;
  const start = (): void => {
    if (isTrack && !hasStarted) builder.run(run);
    hasStarted = true;
  };
  for (const chunk of run.chunks) {
    const next = endBytes + chunk.sizeBytes;
    if (next > sizeBytes || chunk.sizeBytes > MAX_CHUNK_BYTES) return { endBytes, count, isComplete: false };
    const bytes = await file.read(endBytes, chunk.sizeBytes);
    if (crc32(bytes) !== chunk.checksum) return { endBytes, count, isComplete: false };
    start();
    const splice = isTrack ? undefined : readSpliceBox(bytes);
    if (isTrack) builder.chunk(run.trackNumber, chunk, endBytes);
    else if (splice) builder.splice(splice);
    endBytes = next;
    count++;
  }
  start();
  if (isTrack) builder.runEnd(run);
  return { endBytes, count, isComplete: true };
}

/** Complete Airdesk box at an offset; undefined if there is none. */
async function readBox(file: MediaFile, at: number, sizeBytes: number): Promise<Buffer | undefined> {
  const bytes = Buffer.from(await readUpTo(file, at, FIRST_READ_BYTES, sizeBytes));
  const start = readBlockBoxStart(bytes);
  if (!start || at + start.sizeBytes > sizeBytes) return undefined;
  if (start.sizeBytes <= bytes.length) return bytes.subarray(0, start.sizeBytes);
  return Buffer.from(await file.read(at, start.sizeBytes));
}

async function readUpTo(file: MediaFile, at: number, maxBytes: number, sizeBytes: number): Promise<Uint8Array> {
  const bytes = Math.min(maxBytes, sizeBytes - at);
  return bytes > 0 ? file.read(at, bytes) : new Uint8Array();
}
