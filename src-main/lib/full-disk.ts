/** Reports whether an error of the system or of a database means that a disk or a quota is full. */
export function isFullDisk(error: unknown): boolean {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' && isFullDiskCode(error.code);
}

/** As `isFullDisk`, by the code of the error. */
export function isFullDiskCode(code: string): boolean {
  return /^(ENOSPC|EDQUOT|SQLITE_FULL)$/.test(code);
}
