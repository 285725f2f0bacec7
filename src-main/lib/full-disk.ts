/** Reports whether an error of the system or of a database means that a disk or a quota is full. */
export function isFullDisk(error: unknown): boolean {
  if (!(error instanceof Error) || !('code' in error) || typeof error.code !== 'string') return false;
  return /^(ENOSPC|EDQUOT|SQLITE_FULL)$/.test(error.code);
}
