import { readDescriptors, writeDescriptors, type Descriptor } from './descriptor.ts';
import { finishSection, type SectionHeader } from './pat.ts';

/** One elementary stream of a programme. */
export interface PmtStream {
  /** stream_type (ISO/IEC 13818-1, table 2-34). */
  readonly streamType: number;
  readonly pid: number;
  readonly descriptors: readonly Descriptor[];
}

/** The programme map table (ISO/IEC 13818-1, 2.4.4.8); always one section. */
export interface Pmt extends SectionHeader {
  readonly programNumber: number;
  readonly pcrPid: number;
  /** Descriptors of the whole programme, such as the CUEI registration of SCTE-35. */
  readonly descriptors: readonly Descriptor[];
  readonly streams: readonly PmtStream[];
}

/** Reads a section whose CRC is right; undefined for other tables and wrong lengths. */
export function readPmt(section: Uint8Array): Pmt | undefined {
  if (section.length < 16 || section[0] !== 0x02 || (section[1]! & 0x80) === 0) return undefined;
  const end = section.length - 4;
  const infoEnd = 12 + (((section[10]! & 0x0f) << 8) | section[11]!);
  if (infoEnd > end) return undefined;
  const streams: PmtStream[] = [];
  for (let at = infoEnd; at + 5 <= end;) {
    const esEnd = at + 5 + (((section[at + 3]! & 0x0f) << 8) | section[at + 4]!);
    if (esEnd > end) return undefined;
    streams.push({
      streamType: section[at]!,
      pid: ((section[at + 1]! & 0x1f) << 8) | section[at + 2]!,
      descriptors: readDescriptors(section, at + 5, esEnd),
    });
    at = esEnd;
  }
  return {
    programNumber: (section[3]! << 8) | section[4]!,
    version: (section[5]! >> 1) & 0x1f,
    isCurrent: (section[5]! & 1) === 1,
    sectionNumber: section[6]!,
    lastSectionNumber: section[7]!,
    pcrPid: ((section[8]! & 0x1f) << 8) | section[9]!,
    descriptors: readDescriptors(section, 12, infoEnd),
    streams,
  };
}

/** Writes a section with its CRC. */
export function writePmt(pmt: Pmt): Uint8Array {
  const info = writeDescriptors(pmt.descriptors);
  const body = [0xe0 | (pmt.pcrPid >> 8), pmt.pcrPid & 0xff, 0xf0 | (info.length >> 8), info.length & 0xff, ...info];
  for (const stream of pmt.streams) {
    const es = writeDescriptors(stream.descriptors);
    body.push(
      stream.streamType,
      0xe0 | (stream.pid >> 8),
      stream.pid & 0xff,
      0xf0 | (es.length >> 8),
      es.length & 0xff,
      ...es,
    );
  }
  return finishSection(0x02, pmt.programNumber, pmt, body);
}
