import type { QueueFolder } from './queue-folder.ts';
import { readRecord } from './queue-record.ts';

const NAME = /^(\d{16})\.events$/;
const READ_BYTES = 256 * 1024;

/** Name of the queue file that starts with a record. */
export function segmentName(firstSeq: number): string {
  return `${String(firstSeq).padStart(16, '0')}.events`;
}

/** Number of the first record of a file; undefined for other files. */
export function numberOfSegment(name: string): number | undefined {
  const digits = NAME.exec(name)?.[1];
  return digits === undefined ? undefined : Number(digits);
}

/**
 * Finds the end of the last complete line of a queue file that a crash or a full disk may have truncated, and the number of the
 * next record.
 * @param endSeq records from this number on do not count, because the next file has them
 */
export async function scanSegment(
  folder: QueueFolder,
  segment: { readonly name: string; readonly firstSeq: number; readonly bytes: number },
  endSeq = Number.POSITIVE_INFINITY,
): Promise<{ nextSeq: number; bytes: number }> {
  let end = 0;
  let lines = 0;
  let lastSeq = 0;
  scan: for (let at = 0; at < segment.bytes;) {
    const chunk = await folder.read(segment.name, at, Math.min(READ_BYTES, segment.bytes - at));
    if (chunk.length === 0) break;
    let from = 0;
    for (let feed = chunk.indexOf(10); feed >= 0; feed = chunk.indexOf(10, from)) {
      const seq = readRecord(chunk.subarray(from, feed))?.seq ?? 0;
      if (seq >= endSeq) break scan;
      lastSeq = Math.max(lastSeq, seq);
      from = feed + 1;
      end = at + from;
      lines++;
    }
    at += from > 0 ? from : chunk.length;
  }
  return { nextSeq: Math.max(lastSeq + 1, segment.firstSeq + lines), bytes: end };
}
