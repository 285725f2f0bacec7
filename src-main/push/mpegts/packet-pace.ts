import { PACKET_BYTES } from '../../media/containers/mpegts/packet.ts';
import type { DatagramWriter } from './datagram-writer.ts';
import { CLOCK_TICKS_PER_MS } from './feed-clock.ts';
import type { PacketQueue } from './packet-queue.ts';

const CLOCK_TICKS_PER_SECOND = CLOCK_TICKS_PER_MS * 1000;
const PACKET_BITS = PACKET_BYTES * 8;

/** Maximum distance of two clock references (ISO/IEC 13818-1, D.0.9 allows 100 ms; DVB, ETSI TS 101 154, 4.1.5.3: 40 ms). */
const MAX_CLOCK_STEP_TICKS = 40 * CLOCK_TICKS_PER_MS;
/** Distance of clock references without a constant rate, and maximum age of the first packet of a datagram. */
const CLOCK_STEP_TICKS = 35 * CLOCK_TICKS_PER_MS;
const MAX_FILL_TICKS = 20 * CLOCK_TICKS_PER_MS;
/** Time without packets of the stream after which clock references stop, too. */
const MAX_SILENCE_TICKS = 1000 * CLOCK_TICKS_PER_MS;

/** Sends packets of a queue at their times. Times are 27 MHz ticks of the feed. */
export interface PacketPace {
  /** Writes all packets up to a time. */
  advance(untilTicks: number): void;
  /** Continues at a time, after an interruption of this process. */
  skipTo(ticks: number): void;
}

/** Pace of the queue: each packet at its own time. Clock references are added between them. */
export class SmoothPace implements PacketPace {
  readonly #queue: PacketQueue;
  readonly #writer: DatagramWriter;
  #lastPacketTicks = -Infinity;
  #atTicks = 0;

  constructor(queue: PacketQueue, writer: DatagramWriter) {
    this.#queue = queue;
    this.#writer = writer;
  }

  advance(untilTicks: number): void {
    const [queue, writer] = [this.#queue, this.#writer];
    for (;;) {
      const fillTicks = writer.startedTicks + MAX_FILL_TICKS;
      const packetTicks = Math.max(queue.nextTicks, this.#atTicks);
      const ticks = Math.min(packetTicks, fillTicks, this.#clockDue(packetTicks));
      if (ticks > untilTicks) break;
      this.#atTicks = ticks;
      if (ticks === fillTicks) writer.fill(ticks);
      else if (ticks < packetTicks || writer.needsClock) writer.clock(ticks);
      else {
        this.#lastPacketTicks = ticks;
        writer.packet(ticks);
      }
    }
    this.#atTicks = Math.max(this.#atTicks, untilTicks);
  }

  skipTo(ticks: number): void {
    this.#atTicks = Math.max(this.#atTicks, ticks);
  }

  /** Time of the next clock reference; Infinity while the stream is silent. */
  #clockDue(packetTicks: number): number {
    const dueTicks = Math.max(this.#writer.clockTicks + CLOCK_STEP_TICKS, this.#atTicks);
    return Math.min(dueTicks, packetTicks) - this.#lastPacketTicks > MAX_SILENCE_TICKS ? Infinity : dueTicks;
  }
}

/**
 * Constant rate: one packet in each slot. Null packets fill slots for which the queue has none. Slots have exact times,
 * in integer arithmetic, so that clock references are exact for any duration.
 */
export class ConstantPace implements PacketPace {
  readonly #queue: PacketQueue;
  readonly #writer: DatagramWriter;
  readonly #bitrate: number;
  /** Duration of a slot: ticks, and the remainder in parts of `#bitrate`. */
  readonly #slotTicks: number;
  readonly #slotRest: number;
  /** Time of the next slot; NaN before the first. */
  #ticks = Number.NaN;
  #rest = 0;

  /** @param bitrate bits per second, a whole number */
  constructor(queue: PacketQueue, writer: DatagramWriter, bitrate: number) {
    this.#queue = queue;
    this.#writer = writer;
    this.#bitrate = bitrate;
    this.#slotTicks = Math.floor((PACKET_BITS * CLOCK_TICKS_PER_SECOND) / bitrate);
    this.#slotRest = (PACKET_BITS * CLOCK_TICKS_PER_SECOND) % bitrate;
  }

  advance(untilTicks: number): void {
    const [queue, writer] = [this.#queue, this.#writer];
    if (Number.isNaN(this.#ticks)) this.#ticks = Math.floor(untilTicks);
    while (this.#ticks <= untilTicks) {
      const ticks = this.#ticks;
      const isLast = ticks + this.#slotTicks + 1 - writer.clockTicks > MAX_CLOCK_STEP_TICKS;
      const isReady = queue.nextTicks <= ticks;
      if (isLast || (isReady && writer.needsClock)) writer.clock(ticks);
      else if (isReady) writer.packet(ticks);
      else writer.filler(ticks);
      this.#next();
    }
  }

  skipTo(ticks: number): void {
    if (ticks > this.#ticks) this.#ticks = Math.floor(ticks);
  }

  #next(): void {
    this.#ticks += this.#slotTicks;
    this.#rest += this.#slotRest;
    if (this.#rest < this.#bitrate) return;
    this.#rest -= this.#bitrate;
    this.#ticks++;
  }
}
