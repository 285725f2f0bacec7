import { writePesHeader } from '../../src-main/media/containers/mpegts/pes-header.ts';

/** PES packet written by a test. */
export interface MadePes {
  readonly data: Uint8Array;
  readonly ptsTicks?: number | undefined;
  readonly dtsTicks?: number | undefined;
  /** Whether the packet states its length. */
  readonly isBounded?: boolean;
  readonly isAligned?: boolean;
  /** Stream id; default: the first video stream. */
  readonly streamId?: number;
}

/**
 * Transport packets of PES packets with one packet identifier, without tables.
 *
 * @param continuity counter of the first packet
 */
export function packedPes(packets: readonly MadePes[], pid = 0x100, continuity = 0): Buffer {
  const out: Buffer[] = [];
  for (const { data, ptsTicks, dtsTicks, isBounded = false, isAligned = false, streamId = 0xe0 } of packets) {
    const head = new Uint8Array(32);
    const times = { ...(ptsTicks === undefined ? {} : { ptsTicks }), ...(dtsTicks === undefined ? {} : { dtsTicks }) };
    const fields = { streamId, isAligned, isScrambled: false, ...times };
    const headBytes = writePesHeader({ ...fields, packetLengthBytes: 0 }, head);
    const length = headBytes - 6 + data.length;
    writePesHeader({ ...fields, packetLengthBytes: isBounded && length < 65_536 ? length : 0 }, head);
    const bytes = Buffer.concat([head.subarray(0, headBytes), data]);
    for (let at = 0; at < bytes.length; at += 184) {
      const piece = bytes.subarray(at, at + 184);
      const stuffing = 184 - piece.length;
      const flags = (stuffing > 0 ? 0x30 : 0x10) | continuity;
      const header = Buffer.from([0x47, (at === 0 ? 0x40 : 0) | (pid >> 8), pid & 0xff, flags]);
      const adaptation = Buffer.alloc(stuffing, 0xff);
      if (stuffing > 0) adaptation[0] = stuffing - 1;
      if (stuffing > 1) adaptation[1] = 0;
      out.push(Buffer.concat([header, adaptation, piece]));
      continuity = (continuity + 1) & 0x0f;
    }
  }
  return Buffer.concat(out);
}
