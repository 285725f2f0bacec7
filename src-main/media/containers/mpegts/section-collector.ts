import { crc32Mpeg } from './crc32.ts';

/** Maximum size of a section of any table (ISO/IEC 13818-1, 2.4.4.10): 3 bytes and a 12-bit length of at most 4093. */
const MAX_SECTION_BYTES = 4096;

/** Receives the sections of one packet identifier. */
export interface SectionSink {
  /** Complete section with a correct CRC. Borrowed until the call returns. */
  section(bytes: Buffer): void;
  /** Called for a damaged section: its length or its CRC is wrong. */
  damaged(): void;
}

/** Collects the sections of one packet identifier from packet payloads (2.4.4). All its tables must end in a CRC_32. */
export class SectionCollector {
  readonly #sink: SectionSink;
  #buffer: Buffer | undefined;
  #length = 0;
  #isCollecting = false;

  constructor(sink: SectionSink) {
    this.#sink = sink;
  }

  /** Processes the payload of one packet, `bytes[start..end)`. */
  push(bytes: Buffer, start: number, end: number, isUnitStart: boolean): void {
    if (!isUnitStart) {
      if (this.#isCollecting) this.#append(bytes, start, end);
      return;
    }
    const first = start + 1 + (bytes[start] ?? 0);
    if (start >= end || first > end) {
      this.#fail();
      return;
    }
    if (this.#isCollecting) this.#append(bytes, start + 1, first);
    // The bytes before the target of the pointer did not complete the section: its end is lost.
    if (this.#isCollecting && this.#length > 0) this.#fail();
    this.#isCollecting = true;
    this.#length = 0;
    this.#append(bytes, first, end);
  }

  /** Drops a partial section, after lost packets. */
  reset(): void {
    this.#isCollecting = false;
    this.#length = 0;
  }

  #fail(): void {
    this.reset();
    this.#sink.damaged();
  }

  #append(bytes: Buffer, start: number, end: number): void {
    this.#buffer ??= Buffer.allocUnsafe(MAX_SECTION_BYTES);
    const buffer = this.#buffer;
    let at = start;
    while (at < end) {
      // After the last section of a packet only 0xFF follows.
      if (this.#length === 0 && bytes[at] === 0xff) {
        this.#isCollecting = false;
        return;
      }
      if (this.#length < 3) {
        buffer[this.#length++] = bytes[at++]!;
        continue;
      }
      const total = 3 + (((buffer[1]! & 0x0f) << 8) | buffer[2]!);
      if (total > MAX_SECTION_BYTES || total < 7) {
        this.#fail();
        return;
      }
      const taken = Math.min(total - this.#length, end - at);
      bytes.copy(buffer, this.#length, at, at + taken);
      this.#length += taken;
      at += taken;
      if (this.#length < total) return;
      this.#length = 0;
      if (crc32Mpeg(buffer, 0, total) === 0) this.#sink.section(buffer.subarray(0, total));
      else this.#sink.damaged();
    }
  }
}
