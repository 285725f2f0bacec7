import { NULL_PID, PACKET_BYTES, PAT_PID } from './packet.ts';
import { readPat } from './pat.ts';
import { readPmt } from './pmt.ts';
import { SectionCollector } from './section-collector.ts';

/** Finds out whether the tables of a programme change: its packet identifiers, or those of its streams, and their codecs. */
export class TableWatch {
  /** Whether a table differs from an earlier one. A new version with the same content is no change. */
  hasChanged = false;
  /** Packet identifier of the programme map; that of null packets before it is known. */
  mapPid = NULL_PID;
  readonly #programNumber: number;
  #map: Buffer | undefined;
  readonly #pat = collector((section) => {
    this.#takePat(section);
  });
  readonly #pmt = collector((section) => {
    this.#takePmt(section);
  });

  constructor(programNumber: number) {
    this.#programNumber = programNumber;
  }

  /** Processes a packet of one of the tables. */
  packet(bytes: Uint8Array, at: number, pid: number): void {
    const packet = Buffer.from(bytes.buffer, bytes.byteOffset + at, PACKET_BYTES);
    const flags = packet[3]!;
    if ((flags & 0x10) === 0) return;
    const start = 4 + ((flags & 0x20) === 0 ? 0 : 1 + packet[4]!);
    if (start >= PACKET_BYTES) return;
    (pid === PAT_PID ? this.#pat : this.#pmt).push(packet, start, PACKET_BYTES, (packet[1]! & 0x40) !== 0);
  }

  #takePat(section: Buffer): void {
    const pat = readPat(section);
    const program = pat?.programs.find(({ programNumber }) => programNumber === this.#programNumber);
    if (!pat?.isCurrent || (!program && pat.lastSectionNumber > 0)) return;
    const pmtPid = program?.pmtPid ?? NULL_PID;
    if (this.mapPid !== NULL_PID && pmtPid !== this.mapPid) this.hasChanged = true;
    this.mapPid = pmtPid;
  }

  #takePmt(section: Buffer): void {
    const pmt = readPmt(section);
    if (!pmt?.isCurrent || pmt.programNumber !== this.#programNumber) return;
    const body = section.subarray(HEADER_BYTES, -CRC_BYTES);
    if (this.#map && !this.#map.equals(body)) this.hasChanged = true;
    this.#map ??= Buffer.from(body);
  }
}

/** Size of the header of a section, with its version, and of its CRC_32 (2.4.4.9). */
const HEADER_BYTES = 8;
const CRC_BYTES = 4;

function collector(section: (bytes: Buffer) => void): SectionCollector {
  return new SectionCollector({ section, damaged: () => undefined });
}
