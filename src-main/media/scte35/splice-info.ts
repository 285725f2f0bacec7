import { crc32Mpeg } from '../containers/mpegts/crc32.ts';
import { wrapTicks } from '../containers/mpegts/packet.ts';
import { readSpliceCommand, writeSpliceCommand, type SpliceCommand } from './splice-command.ts';
import { readSpliceDescriptors, writeSpliceDescriptors, type SpliceDescriptor } from './splice-descriptor.ts';

/** table_id of splice information sections (SCTE 35, 9.6.1). */
const SPLICE_TABLE_ID = 0xfc;

/** Maximum section size: section_length has 12 bits and at most 4093. */
const MAX_SPLICE_SECTION_BYTES = 4096;

/** A splice information section (SCTE 35, 9.6), without its CRC. */
export interface SpliceInfo {
  /** sap_type; 3 if not stated. */
  readonly sapType: number;
  /** pts_adjustment: ticks added to every time of the section, 33 bits. */
  readonly ptsAdjustmentTicks: number;
  /** Control word of the encryption; of no meaning in clear sections. */
  readonly cwIndex: number;
  /** Authorization tier, 12 bits; 0xFFF for all. */
  readonly tier: number;
  readonly command: SpliceCommand;
  readonly descriptors: readonly SpliceDescriptor[];
  /**
   * encryption_algorithm, if the section is encrypted: then `command` and `descriptors` are empty and this has all bytes from
   * splice_command_type on.
   */
  readonly encrypted?: { readonly algorithm: number; readonly data: Uint8Array };
}

const HEADER_BYTES = 14;
const CRC_BYTES = 4;
/** splice_command_length of senders that do not state it (9.6.1). */
const UNKNOWN_LENGTH = 0xfff;

/** Reads a section; undefined if its CRC is wrong, it is truncated or a field does not fit. */
export function readSpliceInfo(section: Uint8Array): SpliceInfo | undefined {
  if (section.length < HEADER_BYTES + 2 + CRC_BYTES || section[0] !== SPLICE_TABLE_ID) return undefined;
  const length = 3 + (((section[1]! & 0x0f) << 8) | section[2]!);
  if (length > section.length || length < HEADER_BYTES + 2 + CRC_BYTES || crc32Mpeg(section, 0, length) !== 0)
    return undefined;
  if (section[3] !== 0) return undefined;
  const end = length - CRC_BYTES;
  const head = {
    sapType: (section[1]! >> 4) & 3,
    ptsAdjustmentTicks: readTicks(section, 4),
    cwIndex: section[9]!,
    tier: (section[10]! << 4) | (section[11]! >> 4),
  };
  if ((section[4]! & 0x80) !== 0) {
    const data = section.slice(HEADER_BYTES - 1, end);
    return {
      ...head,
      command: { type: 'null' },
      descriptors: [],
      encrypted: { algorithm: (section[4]! >> 1) & 0x3f, data },
    };
  }
  const stated = ((section[11]! & 0x0f) << 8) | section[12]!;
  if (stated !== UNKNOWN_LENGTH && HEADER_BYTES + stated + 2 > end) return undefined;
  const command = readSpliceCommand(
    section[13]!,
    section.subarray(HEADER_BYTES, stated === UNKNOWN_LENGTH ? end - 2 : HEADER_BYTES + stated),
  );
  if (!command || (stated === UNKNOWN_LENGTH && command.value.type === 'raw')) return undefined;
  const loop = HEADER_BYTES + (stated === UNKNOWN_LENGTH ? command.length : stated);
  const loopEnd = loop + 2 + ((section[loop]! << 8) | section[loop + 1]!);
  if (loopEnd > end) return undefined;
  const descriptors = readSpliceDescriptors(section.subarray(loop + 2, loopEnd));
  return descriptors && { ...head, command: command.value, descriptors };
}

/** Writes a section with its CRC. Throws a RangeError if it exceeds the maximum size. */
export function writeSpliceInfo(info: SpliceInfo): Uint8Array {
  const command = writeSpliceCommand(info.command);
  const descriptors = writeSpliceDescriptors(info.descriptors);
  const body = info.encrypted
    ? [...info.encrypted.data]
    : [command.type, ...command.data, descriptors.length >> 8, descriptors.length & 0xff, ...descriptors];
  const total = HEADER_BYTES - 1 + body.length + CRC_BYTES;
  if (total > MAX_SPLICE_SECTION_BYTES) throw new RangeError('a splice information section has at most 4096 bytes');
  const section = new Uint8Array(total);
  const length = total - 3;
  section[0] = SPLICE_TABLE_ID;
  section[1] = (info.sapType << 4) | (length >> 8);
  section[2] = length;
  writeTicks(section, 4, info.encrypted ? 0x80 | (info.encrypted.algorithm << 1) : 0, info.ptsAdjustmentTicks);
  section[9] = info.cwIndex;
  // The length of an encrypted command is unknown here; 0xFFF states that.
  const commandBytes = info.encrypted ? UNKNOWN_LENGTH : command.data.length;
  section[10] = info.tier >> 4;
  section[11] = ((info.tier & 0x0f) << 4) | (commandBytes >> 8);
  section[12] = commandBytes;
  section.set(body, 13);
  return sealed(section);
}

/**
 * Splice time on the clock of its stream: 33 bits, pts_adjustment added. A splice_insert in component mode has the earliest time
 * of its components (SCTE 35, 9.7.3). Undefined for commands without a time, and for immediate ones.
 */
export function spliceTimeTicks({ command, ptsAdjustmentTicks }: SpliceInfo): number | undefined {
  const time =
    command.type === 'insert'
      ? (command.ptsTicks ?? earliestOf(command.components ?? []))
      : command.type === 'time-signal'
        ? command.ptsTicks
        : undefined;
  return time === undefined ? undefined : wrapTicks(time + ptsAdjustmentTicks);
}

/** Earliest time of components on a 33-bit clock, which may wrap between two of them. */
function earliestOf(components: readonly { readonly ptsTicks?: number }[]): number | undefined {
  const times = components.flatMap(({ ptsTicks }) => (ptsTicks === undefined ? [] : [ptsTicks]));
  return times.reduce<number | undefined>(
    (first, time) => (first === undefined || wrapTicks(first - time) < 2 ** 32 ? time : first),
    undefined,
  );
}

/**
 * Converts a section for a stream whose clock is ahead by `deltaTicks`: only pts_adjustment and the CRC change. The section
 * must be complete.
 */
export function shiftSpliceSection(section: Uint8Array, deltaTicks: number): Uint8Array {
  const shifted = section.slice();
  if (shifted.length < HEADER_BYTES + CRC_BYTES) return shifted;
  writeTicks(shifted, 4, shifted[4]! & 0xfe, readTicks(shifted, 4) + deltaTicks);
  return sealed(shifted);
}

function readTicks(bytes: Uint8Array, at: number): number {
  return (
    (bytes[at]! & 1) * 2 ** 32 +
    (((bytes[at + 1]! << 24) | (bytes[at + 2]! << 16) | (bytes[at + 3]! << 8) | bytes[at + 4]!) >>> 0)
  );
}

function writeTicks(bytes: Uint8Array, at: number, flags: number, ticks: number): void {
  const wrapped = wrapTicks(ticks);
  bytes[at] = flags | (wrapped >= 2 ** 32 ? 1 : 0);
  bytes[at + 1] = wrapped / 2 ** 24;
  bytes[at + 2] = wrapped / 2 ** 16;
  bytes[at + 3] = wrapped / 2 ** 8;
  bytes[at + 4] = wrapped;
}

function sealed(section: Uint8Array): Uint8Array {
  const crc = crc32Mpeg(section, 0, section.length - CRC_BYTES);
  new DataView(section.buffer, section.byteOffset).setUint32(section.length - CRC_BYTES, crc);
  return section;
}
