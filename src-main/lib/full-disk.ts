/** Reports whether an error of the system or of a database means that a disk or a quota is full. */
export function isFullDisk(error: unknown): boolean {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' && isFullDiskCode(error.code);
}

/** Reports the same as `isFullDisk` for an error of which only the code is known. */
export function isFullDiskCode(code: string): boolean {
  return /^(ENOSPC|EDQUOT|SQLITE_FULL)$/.test(code);
}
