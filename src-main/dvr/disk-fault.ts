import type { BlockFailure } from './block-writer.ts';
import type { Disk } from './disk.ts';
import { codeOf } from './disk-files.ts';

/** Bytes left free on a disk whatever its limit, for the index of every open block. */
const RESERVE_BYTES = 64 << 20;

/** Reason why a disk cannot be written; undefined if it can. @param limit maximum use, 0 to 1; default: any */
export function diskFault(
  { folder, room, fault, isStalled }: Pick<Disk, 'folder' | 'room' | 'fault' | 'isStalled'>,
  limit?: number,
): BlockFailure | undefined {
  if (isStalled) return { code: 'disk_slow', detail: `${folder} does not answer` };
  if (fault !== undefined) {
    const detail = fault instanceof Error ? fault.message : `${folder} cannot be read`;
    return { code: codeOf(fault) || 'disk_error', detail };
  }
  if (!room || limit === undefined) return undefined;
  const isFull = room.freeBytes < RESERVE_BYTES || room.totalBytes - room.freeBytes > room.totalBytes * limit;
  return isFull ? { code: 'ENOSPC', detail: `${folder} is full` } : undefined;
}
