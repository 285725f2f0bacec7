import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { PACKET_BYTES, readPacketHeader } from '../../src-main/media/containers/mpegts/packet.ts';

const VIDEO_PID = 256;
const TICK_MS = 40;
/** Interval of lost video packets: every 150th is lost. */
const LOSS_INTERVAL = 150;
/** Distance of the remaining clock references (PCR), in 90 kHz ticks: four times the allowed maximum. */
const CLOCK_TICKS = 36_000;

/** Packet of a transport stream, and its due time in milliseconds. */
interface DuePacket {
  readonly packet: Buffer;
  readonly dueMs: number;
}

/** Packets of a transport stream that ffmpeg wrote. */
export function packetsOf(bytes: Buffer): DuePacket[] {
  const packets: DuePacket[] = [];
  let [first, now] = [NaN, 0];
  for (let at = 0; at + PACKET_BYTES <= bytes.length; at += PACKET_BYTES) {
    const packet = Buffer.from(bytes.subarray(at, at + PACKET_BYTES));
    const { pcrTicks } = readPacketHeader(packet) ?? {};
    if (pcrTicks !== undefined) {
      if (Number.isNaN(first)) first = pcrTicks;
      now = (pcrTicks - first) / 90;
    }
    packets.push({ packet, dueMs: now });
  }
  return packets;
}

/** Simulates a lossy link: drops one video packet in LOSS_INTERVAL and removes most clock references. */
export function damaged(packets: readonly DuePacket[]): DuePacket[] {
  let [videoPackets, keptTicks] = [0, -Infinity];
  return packets.filter(({ packet }) => {
    const { pid, pcrTicks } = readPacketHeader(packet) ?? {};
    if (pcrTicks !== undefined) {
      // Without the flag, the bytes of the clock reference are stuffing.
      if (pcrTicks - keptTicks < CLOCK_TICKS) packet[5] = (packet[5] ?? 0) & ~0x10;
      else keptTicks = pcrTicks;
    }
    return pid !== VIDEO_PID || ++videoPackets % LOSS_INTERVAL !== 0;
  });
}

/** Sends a transport stream over HTTP repeatedly, in real time or slower. */
export class PacedTs {
  readonly #packets: readonly DuePacket[];
  readonly #pace: number;
  readonly #server = createServer((_, response) => {
    this.#play(response);
  });

  /** @param pace 1 is real time, 0.5 half of it */
  constructor(packets: readonly DuePacket[], pace = 1) {
    this.#packets = packets;
    this.#pace = pace;
  }

  /** Starts to listen; returns its address as an input. */
  async start(): Promise<string> {
    await new Promise<void>((resolve) => {
      this.#server.listen(0, '127.0.0.1', resolve);
    });
    return `tshttp://127.0.0.1:${(this.#server.address() as AddressInfo).port}/live.ts`;
  }

  close(): void {
    this.#server.closeAllConnections();
    this.#server.close();
  }

  #play(response: ServerResponse): void {
    let [next, startMs] = [0, performance.now()];
    const timer = setInterval(() => {
      const due: Buffer[] = [];
      for (;;) {
        const item = this.#packets[next];
        if (item && item.dueMs > (performance.now() - startMs) * this.#pace) break;
        if (item) due.push(item.packet);
        else [next, startMs] = [-1, performance.now()];
        next++;
      }
      response.write(Buffer.concat(due));
    }, TICK_MS);
    response.on('close', () => {
      clearInterval(timer);
    });
  }
}
