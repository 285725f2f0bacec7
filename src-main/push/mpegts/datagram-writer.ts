import { writeClockPacket, writeNullPacket } from '../../media/containers/mpegts/packet-output.ts';
import { PACKET_BYTES, pcrPosition, pidAt, writePcr } from '../../media/containers/mpegts/packet.ts';
import { CLOCK_TICKS_PER_MS } from './feed-clock.ts';
import type { PacketQueue } from './packet-queue.ts';

/** Packets in a datagram: as many as fit into an Ethernet frame with the headers of IP, UDP and RTP. */
const DATAGRAM_PACKETS = 7;
export const DATAGRAM_BYTES = DATAGRAM_PACKETS * PACKET_BYTES;

/** Ticks of the system clock per tick of the base of a clock reference. */
const BASE_TICKS = 300;
/**
 * Longest step of the clock references that needs no announcement of a discontinuity (ETSI TR 101 290, 5.2.2, 2.3b). The
 * step is longer after a silence of the stream, or a delay of this process that is skipped.
 */
const MAX_REFERENCE_STEP_TICKS = 100 * CLOCK_TICKS_PER_MS;

/** A full datagram. */
export interface TsDatagram {
  readonly bytes: Buffer;
  /** Time of its first packet on the clock of the stream, in 90 kHz ticks. */
  readonly ticks: number;
  /** Number of packets of the queue that were sent with it, and before it. */
  readonly taken: number;
}

/** Writes packets into datagrams, with the clock reference of the time at which each packet is sent. */
export class DatagramWriter {
  /** Time of the last clock reference, in 27 MHz ticks of the feed; -Infinity before the first. */
  clockTicks = -Infinity;
  /** PID of the clock references. */
  clockPid = 0;
  readonly #queue: PacketQueue;
  readonly #send: (datagram: TsDatagram) => void;
  #bytes = Buffer.allocUnsafeSlow(DATAGRAM_BYTES);
  #length = 0;
  #firstTicks = 0;
  #originTicks: number | undefined;
  /** Whether the next clock reference does not continue the last one. */
  #isDiscontinuity = false;
  /** Continuity counter of the last packet with `clockPid`; before the first, the one before 0. */
  #continuity = 15;

  constructor(queue: PacketQueue, send: (datagram: TsDatagram) => void) {
    this.#queue = queue;
    this.#send = send;
  }

  /** Whether a datagram has been started, and since when, in 27 MHz ticks of the feed. */
  get startedTicks(): number {
    return this.#length > 0 ? this.#firstTicks : Infinity;
  }

  /** Whether the next packet of the queue belongs to another time base, which a clock reference must announce. */
  get needsClock(): boolean {
    const { nextOriginTicks } = this.#queue;
    return nextOriginTicks !== undefined && nextOriginTicks !== this.#originTicks;
  }

  /** Writes the next packet of the queue. @param ticks time at which it is sent, in 27 MHz ticks of the feed */
  packet(ticks: number): void {
    const taken = this.#queue.take();
    if (!taken) return;
    const to = this.#room(ticks);
    this.#bytes.set(taken.bytes.subarray(taken.at, taken.at + PACKET_BYTES), to);
    const pcrAt = pcrPosition(this.#bytes, to);
    if (pcrAt >= 0) this.#writeClock(to, ticks);
    if (pidAt(this.#bytes, to) === this.clockPid) this.#continuity = this.#bytes.readUInt8(to + 3) & 0x0f;
    this.#end();
  }

  /** Writes a clock reference without payload. */
  clock(ticks: number): void {
    const { nextOriginTicks } = this.#queue;
    if (nextOriginTicks !== undefined && nextOriginTicks !== this.#originTicks) {
      this.#isDiscontinuity ||= this.#originTicks !== undefined;
      this.#originTicks = nextOriginTicks;
    }
    if (this.#originTicks === undefined) return;
    const to = this.#room(ticks);
    writeClockPacket(this.#bytes, to, this.clockPid, this.#continuity);
    this.#writeClock(to, ticks);
    this.#end();
  }

  /** Writes a packet that only fills the rate. */
  filler(ticks: number): void {
    writeNullPacket(this.#bytes, this.#room(ticks));
    this.#end();
  }

  /** Completes a started datagram. */
  fill(ticks: number): void {
    while (this.#length > 0) this.filler(ticks);
  }

  #writeClock(to: number, ticks: number): void {
    const whole = Math.round(ticks);
    const base = Math.floor(whole / BASE_TICKS);
    writePcr(this.#bytes, to + 6, (this.#originTicks ?? 0) + base, whole - base * BASE_TICKS);
    const isAnnounced = this.#isDiscontinuity || ticks - this.clockTicks > MAX_REFERENCE_STEP_TICKS;
    this.#bytes[to + 5] = (this.#bytes.readUInt8(to + 5) & 0x7f) | (isAnnounced ? 0x80 : 0);
    this.#isDiscontinuity = false;
    this.clockTicks = ticks;
  }

  #room(ticks: number): number {
    if (this.#length === 0) this.#firstTicks = ticks;
    return this.#length;
  }

  #end(): void {
    this.#length += PACKET_BYTES;
    if (this.#length < DATAGRAM_BYTES) return;
    const ticks = (this.#originTicks ?? 0) + Math.floor(this.#firstTicks / BASE_TICKS);
    const bytes = this.#bytes;
    // The system may still read the datagram after the call, so each one has its own memory.
    this.#bytes = Buffer.allocUnsafeSlow(DATAGRAM_BYTES);
    this.#length = 0;
    this.#send({ bytes, ticks, taken: this.#queue.taken });
  }
}
