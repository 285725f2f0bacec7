import type { BlockFailure } from './block-writer.ts';
import type { Disk } from './disk.ts';
import { codeOf } from './disk-files.ts';
import { because } from '../../src-preload/contract/explanations/explanations.ts';
import { explained } from '../lib/error-message.ts';

/** Minimum free bytes of a disk with any limit, for the index of every open block. */
const RESERVE_BYTES = 64 << 20;

/** Reason why a disk cannot be written; undefined if it can. @param limit maximum use, 0 to 1; default: any */
export function diskFault(
  { folder, space, fault, isStalled }: Pick<Disk, 'folder' | 'space' | 'fault' | 'isStalled'>,
  limit?: number,
): BlockFailure | undefined {
  if (isStalled) return { code: 'disk_slow', ...because('disk_not_answering', { path: folder }) };
  if (fault !== undefined) {
    const why = fault instanceof Error ? explained(fault) : because('disk_not_readable', { path: folder });
    return { code: codeOf(fault) || 'disk_error', ...why };
  }
  if (!space || limit === undefined) return undefined;
  const isFull = space.freeBytes < RESERVE_BYTES || space.totalBytes - space.freeBytes > space.totalBytes * limit;
  return isFull ? { code: 'ENOSPC', ...because('disk_is_full', { path: folder }) } : undefined;
}
