import { AirdeskError } from '../../src-preload/contract/errors.ts';
import { isFullDisk } from '../lib/full-disk.ts';

/**
 * Converts an error of the system or the database that reports a full or read-only disk to an error of the catalogue; undefined
 * for other errors.
 */
export function fullDiskError(cause: unknown): AirdeskError | undefined {
  if (isFullDisk(cause)) return new AirdeskError('disk_full', undefined, {}, { cause });
  if (!(cause instanceof Error) || !('code' in cause) || typeof cause.code !== 'string') return undefined;
  if (/^(EROFS|SQLITE_READONLY|SQLITE_IOERR)/.test(cause.code))
    return new AirdeskError('unavailable', 'The data folder cannot be written at the moment', {}, { cause });
  return undefined;
}
