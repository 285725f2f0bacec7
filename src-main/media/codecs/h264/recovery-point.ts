import { BitReader } from '../nal/bit-reader.ts';
import { removeEmulation } from '../nal/emulation.ts';

const RECOVERY_POINT = 6;
/** How far into a SEI unit is looked: the message comes early, user data and captions can be long. */
const LOOK_BYTES = 512;

/**
 * `recovery_frame_cnt` of a recovery point message (H.264 D.1.8) in the SEI unit from `start` to `end`: after how many frames the
 * pictures are right when decoding starts here. Undefined when the unit has no such message.
 */
export function readRecoveryFrameCount(bytes: Uint8Array, start: number, end: number): number | undefined {
  const payload = removeEmulation(bytes, start + 1, Math.min(end, start + LOOK_BYTES));
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
