import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { PACKET_BYTES, readPacketHeader } from '../../src-main/media/containers/mpegts/packet.ts';

const VIDEO_PID = 256;
const TICK_MS = 40;
/** Of so many packets of the picture one is lost. */
const LOST_OF = 150;
/** Clock references that are left come this much apart, in 90 kHz ticks: four times what is allowed. */
const CLOCK_TICKS = 36_000;

/** The packets of a transport stream of ffmpeg, with when they are due in milliseconds: packets of the picture are missing, and most clock references. */
export function damagedPackets(bytes: Buffer): { readonly packet: Buffer; readonly dueMs: number }[] {
  const packets: { readonly packet: Buffer; readonly dueMs: number }[] = [];
  let [pictures, first, kept, now] = [0, NaN, -Infinity, 0];
  for (let at = 0; at + PACKET_BYTES <= bytes.length; at += PACKET_BYTES) {
    const packet = Buffer.from(bytes.subarray(at, at + PACKET_BYTES));
    const { pid, pcrTicks } = readPacketHeader(packet) ?? {};
    if (pcrTicks !== undefined) {
      if (Number.isNaN(first)) first = pcrTicks;
      now = (pcrTicks - first) / 90;
      // Without the flag the bytes of the reference are stuffing.
      if (pcrTicks - kept < CLOCK_TICKS) packet[5] = (packet[5] ?? 0) & ~0x10;
      else kept = pcrTicks;
    }
    if (pid !== VIDEO_PID || ++pictures % LOST_OF !== 0) packets.push({ packet, dueMs: now });
  }
  return packets;
}

/** Sends a damaged transport stream over HTTP at its own pace, again and again. */
export class DamagedTs {
  readonly #packets: ReturnType<typeof damagedPackets>;
  readonly #server = createServer((_, response) => {
    this.#play(response);
  });

  constructor(bytes: Buffer) {
    this.#packets = damagedPackets(bytes);
  }

  /** Begins to listen; resolves with its address as an input. */
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
        if (item && item.dueMs > performance.now() - startMs) break;
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
