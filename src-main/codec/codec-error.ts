import { AirdeskError, type ErrorCode } from '../../src-preload/contract/errors.ts';

/** Raises an error of the catalogue when a call into FFmpeg gave a negative result. */
export function throwOnError(result: number, code: ErrorCode, doing: string): void {
  if (result < 0) throw new AirdeskError(code, `${doing} failed (FFmpeg ${String(result)})`);
}
