import { randomBytes } from 'node:crypto';
import type { Explained } from '../../../src-preload/contract/explanations/explanations.ts';
import { MPEG_TS_PAYLOAD_TYPE, writeRtpPacket } from '../../media/containers/mpegts/rtp-packet.ts';
import type { Track } from '../../media/track.ts';
import type { PushBacklog, PushFault, PushTarget, PushTargetPort } from '../target/push-target.ts';
import { DatagramSocket, type DatagramSocketOptions } from './datagram-socket.ts';
import type { TsDatagram } from './datagram-writer.ts';
import type { TsFeed } from './ts-feed.ts';
import type { TsFeeds } from './ts-feeds.ts';

export interface DatagramTargetOptions extends DatagramSocketOptions {
  readonly feed: ReturnType<TsFeeds['acquire']>;
}

/** Target that takes an MPEG transport stream in datagrams, plain or in RTP (RFC 2250). It acknowledges nothing. */
export class DatagramTarget implements PushTarget {
  sentBytes = 0;
  readonly acknowledgedBytes = null;
  readonly #options: DatagramTargetOptions;
  readonly #feed: TsFeed;
  readonly #port: PushTargetPort;
  readonly #socket: DatagramSocket;
  readonly #ssrc = randomBytes(4).readUInt32BE();
  #sequence = randomBytes(2).readUInt16BE();
  /** Number of packets of the feed before the first one for this target. */
  #from = Infinity;
  #leave: (() => void) | undefined;
  #isOver = false;

  constructor(options: DatagramTargetOptions, port: PushTargetPort) {
    this.#options = options;
    this.#feed = options.feed.feed;
    this.#port = port;
    this.#socket = new DatagramSocket(options, {
      connected: () => {
        this.#leave = this.#feed.add((datagram) => {
          this.#send(datagram);
        });
        port.accepted();
      },
      failed: (fault, isFinal) => {
        this.#fail(fault, isFinal);
      },
    });
  }

  get backlog(): PushBacklog {
    const { backlog } = this.#feed;
    return {
      ...backlog,
      bytes: backlog.bytes + this.#socket.waitingBytes,
      progressMs: this.#options.clock.now(),
    };
  }

  get isWaiting(): boolean {
    return this.#socket.isWaiting;
  }

  /** The push does not run before it sends for the first time. */
  get isConfirmed(): boolean {
    return !this.isWaiting;
  }

  get slowness(): Explained | undefined {
    return this.#feed.slowness;
  }

  tracks(tracks: readonly Track[]): ReadonlySet<string> {
    this.#feed.announce(tracks);
    return new Set(tracks.map(({ id }) => id));
  }

  unit(): void {
    if (this.#from === Infinity) this.#from = this.#feed.packetsBefore;
    this.#feed.write();
  }

  close(): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#options.feed.release();
    this.#leave?.();
    this.#socket.close();
  }

  #send({ bytes, ticks, taken }: TsDatagram): void {
    if (taken <= this.#from) return;
    const { isRtp } = this.#options.address;
    const message = isRtp ? this.#rtp(bytes, ticks) : bytes;
    if (this.#socket.send(message)) this.sentBytes += message.length;
  }

  #rtp(payload: Uint8Array, ticks: number): Uint8Array {
    const sequence = this.#sequence;
    this.#sequence = (sequence + 1) & 0xffff;
    const packet = { payloadType: MPEG_TS_PAYLOAD_TYPE, sequence, ssrc: this.#ssrc, payload };
    return writeRtpPacket(packet, ticks % 2 ** 32);
  }

  #fail(fault: PushFault, isFinal?: true): void {
    if (this.#isOver) return;
    this.close();
    this.#port.failed(fault, isFinal);
  }
}
