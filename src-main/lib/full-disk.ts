/** Whether an error of the system or of a database says that a disk, or a quota of it, is full. */
export function isFullDisk(error: unknown): boolean {
  if (!(error instanceof Error) || !('code' in error) || typeof error.code !== 'string') return false;
  return /^(ENOSPC|EDQUOT|SQLITE_FULL)$/.test(error.code);
}
