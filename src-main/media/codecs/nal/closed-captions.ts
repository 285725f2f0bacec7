import { addEmulation } from './emulation.ts';
import type { LengthSize } from './length-prefixed.ts';

/** SEI message `user_data_registered_itu_t_t35` (H.264 D.1.6, H.265 D.2.6). */
const REGISTERED_USER_DATA = 4;
/** Headers of the units that carry it before the slices: SEI of H.264, PREFIX_SEI_NUT of H.265. */
const SEI_HEADER = { h264: [0x06], h265: [39 << 1, 1] } as const;
/** Country, provider and `GA94` of ATSC user data (A/53 part 4, 6.2.3), followed by `cc_data`. */
const CC_DATA = [0xb5, 0x00, 0x31, 0x47, 0x41, 0x39, 0x34, 0x03];
/**
 * `cc_type`: two bytes of line 21 in the first and the second field; the start of a CEA-708 packet, and its continuation (CTA-708
 * table 5).
 */
const [FIELD_1, FIELD_2, PACKET_START, PACKET_DATA] = [0, 1, 3, 2];
/** Erase Displayed Memory of CC1 to CC4 (CEA-608 table 51), with odd parity. */
const ERASE_DISPLAYED = [
  [FIELD_1, 0x94, 0x2c],
  [FIELD_1, 0x1c, 0x2c],
  [FIELD_2, 0x15, 0x2c],
  [FIELD_2, 0x9d, 0x2c],
] as const;
/** DeleteWindows with all windows (CTA-708 8.10.5.6), for this number of services. */
const DELETE_WINDOWS = [0x8c, 0xff];
const SERVICES = 6;

/**
 * SEI message that removes all captions from the screen, as a NAL unit after its length, for the start of a picture. Decoders
 * keep a caption until it is erased.
 */
export function captionErasure(codec: 'h264' | 'h265', lengthSize: LengthSize): Uint8Array {
  const triplets = [...ERASE_DISPLAYED, ...deletedWindows()];
  const captions = triplets.flatMap(([type, first, second]) => [0xfc | type, first, second]);
  // process_cc_data_flag and cc_count, em_data, the captions, and marker bits.
  const payload = [...CC_DATA, 0x40 | triplets.length, 0xff, ...captions, 0xff];
  const unit = addEmulation(
    Uint8Array.from([...SEI_HEADER[codec], REGISTERED_USER_DATA, payload.length, ...payload, 0x80]),
  );
  const bytes = new Uint8Array(lengthSize + unit.length);
  for (let at = 0; at < lengthSize; at++) bytes[at] = unit.length >>> (8 * (lengthSize - 1 - at));
  bytes.set(unit, lengthSize);
  return bytes;
}

/** CEA-708 packet that deletes all windows. */
function deletedWindows(): (readonly [number, number, number])[] {
  const blocks = Array.from({ length: SERVICES }, (_, index) => [
    ((index + 1) << 5) | DELETE_WINDOWS.length,
    ...DELETE_WINDOWS,
  ]);
  // The packet is a whole number of pairs: an empty service block pads it.
  const packet = [0, ...blocks.flat()];
  if (packet.length % 2 === 1) packet.push(0);
  packet[0] = packet.length / 2;
  return Array.from({ length: packet.length / 2 }, (_, index) => [
    index === 0 ? PACKET_START : PACKET_DATA,
    packet[2 * index] as number,
    packet[2 * index + 1] as number,
  ]);
}
