import { join } from 'node:path';
import { ticksToMs } from '../media/timing/ticks.ts';
import { trackNumber } from '../media/track.ts';
import type { ArchiveEnd } from './archive-numbers.ts';
import { packIndex, writeIndexBox, type BlockIndex } from './block/block-index.ts';
import type { BlockHead } from './block/block-head.ts';
import { scanBlock } from './block/block-scan.ts';
import { listBlocks } from './block-list.ts';
import type { RecordedBlock } from './block-writer.ts';
import type { Disk } from './disk.ts';
import type { DiskFile, DiskFiles } from './disk-files.ts';

/** Result of checking the newest blocks of a stream on a disk. */
export interface Recovered {
  /** End of the recording in epoch milliseconds; 0 if there is none. */
  readonly endMs: number;
  /** Numbers at the end of the recording, if they were recorded. */
  readonly end?: ArchiveEnd;
  /** Unfinished blocks: truncated after their last complete chunk, with an index appended. */
  readonly repaired: readonly RecordedBlock[];
  /** Newest finished blocks. The catalog may lack a block that was finished just before a crash. */
  readonly finished: readonly RecordedBlock[];
}

/** Number of newest blocks to check: two are open at a time, and a server may crash again during a repair. */
const MAX_BLOCKS = 6;
/** Number of newest finished blocks that the catalog may lack, because it stores changes up to a minute later. */
const MAX_FINISHED = 2;
/**
 * Maximum size of a file without a complete header that is removed, in bytes. Such a file comes from a crash while it
 * was created.
 */
const MAX_HEADLESS_BYTES = 1 << 16;
const MINUTE_MS = 60_000;

/**
 * Checks the newest blocks of a stream on a disk, except open ones, and repairs those of a crashed server or a lost
 * disk. Throws system errors.
 */
export async function recoverStream(
  files: DiskFiles,
  { folder: disk, writing }: Pick<Disk, 'folder' | 'writing'>,
  stream: string,
): Promise<Recovered> {
  let endMs = 0;
  let end: ArchiveEnd | undefined;
  let hasUnreadable = false;
  const repaired: RecordedBlock[] = [];
  const finished: RecordedBlock[] = [];
  for (const path of await listBlocks(files, disk, stream, { limit: MAX_BLOCKS, isNewestFirst: true })) {
    if (writing.has(path)) continue;
    const file = await files.open(join(disk, path));
    try {
      const block = await repair(file, { disk, path });
      if (!block) {
        hasUnreadable = true;
        if ((await file.sizeBytes()) < MAX_HEADLESS_BYTES) await files.remove(join(disk, path));
        continue;
      }
      endMs = Math.max(endMs, endOf(block.head, block.index));
      end = laterEnd(end, numbersAfter(block, !hasUnreadable && !block.wasRepaired));
      if (block.wasRepaired) repaired.push(block);
      else if (finished.length < MAX_FINISHED) finished.push(block);
    } finally {
      await file.close();
    }
  }
  return { endMs, ...(end ? { end } : {}), repaired, finished };
}

/** End of the last segment of a block in epoch milliseconds. */
export function endOf(head: BlockHead, index: BlockIndex): number {
  const timescales = new Map(head.tracks.map(({ id, timescale }) => [trackNumber(id), timescale]));
  let endMs = head.startMs;
  for (const { trackNumber: number, startTicks, durationTicks } of index.segments) {
    const timescale = timescales.get(number);
    if (timescale !== undefined) endMs = Math.max(endMs, ticksToMs(startTicks + durationTicks, timescale));
  }
  return endMs;
}

/** The end with the higher numbers. */
export function laterEnd(a: ArchiveEnd | undefined, b: ArchiveEnd | undefined): ArchiveEnd | undefined {
  return !a || (b && b.msn > a.msn) ? b : a;
}

/** Numbers after the last segment of a block; all tracks have the same. */
function numbersAfter(
  { head, index }: Pick<RecordedBlock, 'head' | 'index'>,
  isComplete: boolean,
): ArchiveEnd | undefined {
  const { numbers, segments } = index;
  if (!numbers) return undefined;
  const counts = new Map<number, number>();
  const cuts = new Set<number>();
  for (const { trackNumber: number, isDiscontinuity } of segments) {
    const row = counts.get(number) ?? 0;
    counts.set(number, row + 1);
    if (isDiscontinuity) cuts.add(row);
  }
  const endMs = endOf(head, index);
  return {
    msn: numbers.msn + Math.max(0, ...counts.values()),
    discontinuitySequence: numbers.discontinuitySequence + cuts.size,
    endMs,
    // A block that ends before the end of its minute is the last of its recording. After other blocks the recording
    // continued, and the next block may be lost.
    isComplete: isComplete && endMs < Math.ceil((head.startMs + 1) / MINUTE_MS) * MINUTE_MS,
  };
}

async function repair(
  file: DiskFile,
  location: { readonly disk: string; readonly path: string },
): Promise<(RecordedBlock & { readonly wasRepaired: boolean }) | undefined> {
  const sizeBytes = await file.sizeBytes();
  const found = await scanBlock(file, sizeBytes);
  if (!found) return undefined;
  const { head, index } = found;
  const block = { ...location, head, index, packedIndex: packIndex(index) };
  if (found.isFinished) return { ...block, sizeBytes, wasRepaired: false };
  const box = writeIndexBox(index);
  await file.truncate(found.endBytes);
  await file.write([box], found.endBytes);
  await file.sync();
  return { ...block, sizeBytes: found.endBytes + box.length, wasRepaired: true };
}
