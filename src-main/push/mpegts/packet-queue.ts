import { PACKET_BYTES } from '../../media/containers/mpegts/packet.ts';

/** Consecutive packets with evenly spaced times, in 27 MHz ticks of the feed. */
interface PacketBlock {
  readonly bytes: Uint8Array;
  /** Time of the first packet, and distance of the packets. */
  readonly startTicks: number;
  readonly stepTicks: number;
  /** Base of the clock references: 90 kHz ticks at time 0 of the feed. */
  readonly originTicks: number;
  /** Position of the next packet in `bytes`. */
  at: number;
}

/** Transport packets that wait for their time. The feed limits their number, so the queue has no limit. */
export class PacketQueue {
  /** Bytes of the waiting packets. */
  bytes = 0;
  /** Number of packets taken since the start. */
  taken = 0;
  readonly #blocks: PacketBlock[] = [];

  /** Time of the next packet; Infinity if there is none. */
  get nextTicks(): number {
    const [block] = this.#blocks;
    return block ? block.startTicks + (block.at / PACKET_BYTES) * block.stepTicks : Infinity;
  }

  /** Number of packets added since the start. */
  get added(): number {
    return this.taken + this.bytes / PACKET_BYTES;
  }

  /**
   * Adds packets, which are sent at even distances.
   * @param bytes belong to the queue from now on
   * @param endTicks time at which the last packet must have been sent
   */
  add(bytes: Uint8Array, originTicks: number, startTicks: number, endTicks: number): void {
    if (bytes.length === 0) return;
    const stepTicks = ((endTicks - startTicks) * PACKET_BYTES) / bytes.length;
    this.#blocks.push({ bytes, startTicks, stepTicks, originTicks, at: 0 });
    this.bytes += bytes.length;
  }

  /** Takes the next packet: its bytes start at `at`. Undefined if there is none. */
  take(): { readonly bytes: Uint8Array; readonly at: number; readonly originTicks: number } | undefined {
    const [block] = this.#blocks;
    if (!block) return undefined;
    const { bytes, at, originTicks } = block;
    block.at += PACKET_BYTES;
    this.bytes -= PACKET_BYTES;
    this.taken++;
    if (block.at >= bytes.length) this.#blocks.shift();
    return { bytes, at, originTicks };
  }

  /** Base of the clock references of the next packet; undefined if there is none. */
  get nextOriginTicks(): number | undefined {
    return this.#blocks[0]?.originTicks;
  }
}
