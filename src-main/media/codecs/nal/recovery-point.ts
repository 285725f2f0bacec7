import { BitReader } from './bit-reader.ts';
import { removeEmulation } from './emulation.ts';

const RECOVERY_POINT = 6;
/**
 * Number of bytes of an SEI unit that are searched. The message is near the start; user data and captions after it can be long.
 */
const SEARCH_BYTES = 512;

/**
 * Reads the count of a recovery point message. For H.264 it is `recovery_frame_cnt` (D.1.8), the number of frames after which
 * the output is correct if decoding starts here. For H.265 it is the unsigned code of the signed `recovery_poc_cnt` (D.2.8), of
 * which only the presence is useful. Undefined if the unit has no such message.
 *
 * @param start first byte of the SEI messages, after the NAL unit header
 */
export function readRecoveryCount(bytes: Uint8Array, start: number, end: number): number | undefined {
  const payload = removeEmulation(bytes, start, Math.min(end, start + SEARCH_BYTES));
  let at = 0;
  while (at + 2 < payload.length) {
    let type = 0;
    while (payload[at] === 0xff) type += payload[at++] ?? 0;
    type += payload[at++] ?? 0;
    let size = 0;
    while (payload[at] === 0xff) size += payload[at++] ?? 0;
    size += payload[at++] ?? 0;
    if (type === RECOVERY_POINT) {
      const reader = new BitReader(payload, Math.min(at, payload.length));
      const count = reader.ue();
      return reader.isBad ? undefined : count;
    }
    at += size;
  }
  return undefined;
}
