import { crc32Mpeg } from './crc32.ts';

/** Programme of the association table. */
export interface PatProgram {
  readonly programNumber: number;
  /** Packet identifier of its programme map table. */
  readonly pmtPid: number;
}

/** One section of the programme association table (ISO/IEC 13818-1, 2.4.4.3). */
export interface Pat {
  readonly transportStreamId: number;
  readonly version: number;
  readonly isCurrent: boolean;
  readonly sectionNumber: number;
  readonly lastSectionNumber: number;
  /** Programmes in the order of the table, without the network information table. */
  readonly programs: readonly PatProgram[];
}

/** Reads a section whose CRC and length are right; undefined for other tables. */
export function readPat(section: Uint8Array): Pat | undefined {
  if (section.length < 12 || section[0] !== 0x00 || (section[1]! & 0x80) === 0) return undefined;
  const programs: PatProgram[] = [];
  for (let at = 8; at + 4 <= section.length - 4; at += 4) {
    const programNumber = (section[at]! << 8) | section[at + 1]!;
    const pmtPid = ((section[at + 2]! & 0x1f) << 8) | section[at + 3]!;
    if (programNumber !== 0) programs.push({ programNumber, pmtPid });
  }
  return {
    transportStreamId: (section[3]! << 8) | section[4]!,
    version: (section[5]! >> 1) & 0x1f,
    isCurrent: (section[5]! & 1) === 1,
    sectionNumber: section[6]!,
    lastSectionNumber: section[7]!,
    programs,
  };
}

/** Writes a section with its CRC. */
export function writePat(pat: Pat): Uint8Array {
  const body = pat.programs.flatMap(({ programNumber, pmtPid }) => [
    programNumber >> 8,
    programNumber & 0xff,
    0xe0 | (pmtPid >> 8),
    pmtPid & 0xff,
  ]);
  return finishSection(0x00, pat.transportStreamId, pat, body);
}

/** Fields that all long sections share (2.4.4.11). */
export interface SectionHeader {
  readonly version: number;
  readonly isCurrent: boolean;
  readonly sectionNumber: number;
  readonly lastSectionNumber: number;
}

/** Adds the header of a long section before its body, and the CRC after it. */
export function finishSection(
  tableId: number,
  extension: number,
  header: SectionHeader,
  body: readonly number[],
): Uint8Array {
  const length = 5 + body.length + 4;
  const section = Uint8Array.from([
    tableId,
    0xb0 | (length >> 8),
    length & 0xff,
    extension >> 8,
    extension & 0xff,
    0xc0 | (header.version << 1) | (header.isCurrent ? 1 : 0),
    header.sectionNumber,
    header.lastSectionNumber,
    ...body,
    0,
    0,
    0,
    0,
  ]);
  new DataView(section.buffer).setUint32(section.length - 4, crc32Mpeg(section, 0, section.length - 4));
  return section;
}
