import { because } from '../../../src-preload/contract/explanations/explanations.ts';
import { AirdeskError, type ErrorCode } from '../../../src-preload/contract/errors.ts';

/**
 * Throws an error of the catalogue if a call into FFmpeg returned a negative result.
 *
 * @param doing action for the message, such as `Opening the encoder`
 */
export function throwOnError(result: number, code: ErrorCode, doing: string): void {
  if (result < 0) throw new AirdeskError(code, because('ffmpeg_failed', { step: doing, result: String(result) }));
}
