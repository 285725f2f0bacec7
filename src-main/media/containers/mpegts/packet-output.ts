import { NULL_PID, PACKET_BYTES, SYNC_BYTE, writePcr } from './packet.ts';

const PAYLOAD_BYTES = PACKET_BYTES - 4;
const PCR_FIELD_BYTES = 8;
const FLAGS_FIELD_BYTES = 2;
const FIRST_BUFFER_BYTES = 64 * PACKET_BYTES;

/** Adaptation field content of the first packet of a payload. */
export interface FirstPacket {
  /** random_access_indicator: decoding can start here. */
  readonly isRandomAccess: boolean;
  /** discontinuity_indicator: the continuity counter does not continue. */
  readonly isDiscontinuity: boolean;
  /** Programme clock reference in 90 kHz ticks; absent for none. */
  readonly pcrTicks?: number | undefined;
}

/** Continuity counter and packet identifier of one output stream. */
export class PidOutput {
  readonly pid: number;
  /** Counter of the next packet with payload, 0 to 15. */
  continuity: number;

  constructor(pid: number, continuity: number) {
    this.pid = pid;
    this.continuity = continuity & 0x0f;
  }
}

/** Growing buffer of transport packets. */
export class PacketOutput {
  #buffer = Buffer.alloc(0);
  #length = 0;

  /** Bytes of the pending packets. */
  get length(): number {
    return this.#length;
  }

  /** Reserves memory for this number of further bytes. */
  reserve(bytes: number): void {
    const needed = this.#length + bytes;
    if (needed <= this.#buffer.length) return;
    const larger = Buffer.allocUnsafeSlow(
      Math.max(needed, this.#length > 0 ? this.#buffer.length * 2 : FIRST_BUFFER_BYTES),
    );
    this.#buffer.copy(larger, 0, 0, this.#length);
    this.#buffer = larger;
  }

  /** Takes all packets written so far. They belong to the caller; the output continues in another buffer. */
  take(): Buffer {
    const taken = this.#buffer.subarray(0, this.#length);
    this.#buffer = Buffer.alloc(0);
    this.#length = 0;
    return taken;
  }

  /** Writes `payload[0..end)` as packets, the last one padded with stuffing. Its first packet starts a unit. */
  payload(pidOutput: PidOutput, payload: Buffer, end: number, first: FirstPacket): void {
    this.reserve((Math.ceil((end + PCR_FIELD_BYTES) / PAYLOAD_BYTES) + 1) * PACKET_BYTES);
    const out = this.#buffer;
    const pidHigh = pidOutput.pid >> 8;
    const pidLow = pidOutput.pid & 0xff;
    let at = this.#firstPacket(pidOutput, payload, end, first);
    let to = this.#length;
    let continuity = pidOutput.continuity;
    for (; end - at >= PAYLOAD_BYTES; at += PAYLOAD_BYTES) {
      out[to] = SYNC_BYTE;
      out[to + 1] = pidHigh;
      out[to + 2] = pidLow;
      out[to + 3] = 0x10 | continuity;
      payload.copy(out, to + 4, at, at + PAYLOAD_BYTES);
      to += PACKET_BYTES;
      continuity = (continuity + 1) & 0x0f;
    }
    pidOutput.continuity = continuity;
    this.#length = to;
    if (at < end) this.#lastPacket(pidOutput, payload, at, end);
  }

  /** Writes a table section as packets, with pointer field 0. The last one is padded with 0xFF (2.4.4.1). */
  section(pidOutput: PidOutput, section: Uint8Array, isDiscontinuity: boolean): void {
    const room = PAYLOAD_BYTES - (isDiscontinuity ? FLAGS_FIELD_BYTES : 0);
    const further = Math.ceil(Math.max(0, section.length + 1 - room) / PAYLOAD_BYTES);
    const payload = Buffer.alloc(room + further * PAYLOAD_BYTES, 0xff);
    payload[0] = 0;
    payload.set(section, 1);
    this.payload(pidOutput, payload, payload.length, { isRandomAccess: false, isDiscontinuity });
  }

  /** Writes a packet that carries only a programme clock reference. */
  clock(pidOutput: PidOutput, pcrTicks: number): void {
    this.reserve(PACKET_BYTES);
    writeClockPacket(this.#buffer, this.#length, pidOutput.pid, pidOutput.continuity - 1);
    writePcr(this.#buffer, this.#length + 6, pcrTicks);
    this.#length += PACKET_BYTES;
  }

  #firstPacket(pidOutput: PidOutput, payload: Buffer, end: number, first: FirstPacket): number {
    const { pcrTicks } = first;
    const flags =
      (first.isDiscontinuity ? 0x80 : 0) | (first.isRandomAccess ? 0x40 : 0) | (pcrTicks === undefined ? 0 : 0x10);
    const needed = pcrTicks !== undefined ? PCR_FIELD_BYTES : flags !== 0 ? FLAGS_FIELD_BYTES : 0;
    const taken = Math.min(end, PAYLOAD_BYTES - needed);
    const to = this.#length;
    const fieldBytes = this.#open(pidOutput, 0x40, taken, flags);
    if (pcrTicks !== undefined) writePcr(this.#buffer, to + 6, pcrTicks);
    payload.copy(this.#buffer, to + 4 + fieldBytes, 0, taken);
    return taken;
  }

  #lastPacket(pidOutput: PidOutput, payload: Buffer, at: number, end: number): void {
    const to = this.#length;
    const fieldBytes = this.#open(pidOutput, 0, end - at, 0);
    payload.copy(this.#buffer, to + 4 + fieldBytes, at, end);
  }

  /** Writes header and adaptation field of a packet with a given number of payload bytes; returns the size of the field. */
  #open(pidOutput: PidOutput, unitStart: number, payloadBytes: number, flags: number): number {
    const out = this.#buffer;
    const to = this.#length;
    const fieldBytes = PAYLOAD_BYTES - payloadBytes;
    header(out, to, pidOutput.pid, unitStart, (fieldBytes > 0 ? 0x30 : 0x10) | pidOutput.continuity);
    pidOutput.continuity = (pidOutput.continuity + 1) & 0x0f;
    if (fieldBytes > 0) {
      out[to + 4] = fieldBytes - 1;
      if (fieldBytes > 1) out[to + 5] = flags;
      if (fieldBytes > 2) out.fill(0xff, to + 6, to + 4 + fieldBytes);
    }
    this.#length = to + PACKET_BYTES;
    return fieldBytes;
  }
}

/**
 * Writes a packet without payload, whose clock reference at byte 6 is still to be written.
 * @param lastContinuity counter of the previous packet of the PID, which a packet without payload repeats (2.4.3.3)
 */
export function writeClockPacket(out: Buffer, to: number, pid: number, lastContinuity: number): void {
  header(out, to, pid, 0, 0x20 | (lastContinuity & 0x0f));
  out[to + 4] = PAYLOAD_BYTES - 1;
  out[to + 5] = 0x10;
  out.fill(0xff, to + 12, to + PACKET_BYTES);
}

/** Writes a packet that only fills the rate (2.4.1, null packets). */
export function writeNullPacket(out: Buffer, to: number): void {
  header(out, to, NULL_PID, 0, 0x10);
  out.fill(0xff, to + 4, to + PACKET_BYTES);
}

function header(out: Buffer, to: number, pid: number, unitStart: number, control: number): void {
  out[to] = SYNC_BYTE;
  out[to + 1] = unitStart | (pid >> 8);
  out[to + 2] = pid & 0xff;
  out[to + 3] = control;
}
