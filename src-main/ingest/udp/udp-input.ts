import { because } from '../../../src-preload/contract/explanations/explanations.ts';
import { createSocket, type Socket } from 'node:dgram';
import type { ByteBudget } from '../byte-budget.ts';
import type { Input, InputEnd, InputSink } from '../input.ts';
import { TsIntake } from '../mpegts/ts-intake.ts';
import { RtpOrder } from './rtp-order.ts';
import { MPEG_TS_PAYLOAD_TYPE, readRtpPacket, type RtpPacket } from '../../media/containers/mpegts/rtp-packet.ts';
import type { UdpAddress } from './udp-address.ts';
import { explained } from '../../lib/error-message.ts';
import { interfaceAddress } from '../../lib/network-address.ts';

/** Requested receive buffer of each socket; the system may grant less. A second of 32 Mbit/s. */
const RECEIVE_BUFFER_BYTES = 4 * 1024 * 1024;

const SYNC_BYTE = 0x47;
const PACKET_BYTES = 188;

export interface UdpInputOptions {
  readonly address: UdpAddress;
  /** Budget for incomplete data, shared by all inputs of the thread. */
  readonly budget?: ByteBudget;
  /** Called with the port when the socket is bound. */
  readonly listening?: (port: number) => void;
}

/** Input of datagrams that carry a transport stream, plain or in RTP, by unicast or multicast: `udp://`. */
export class UdpInput implements Input {
  readonly #address: UdpAddress;
  readonly #options: UdpInputOptions;
  readonly #sink: InputSink;
  readonly #intake: TsIntake;
  readonly #order: RtpOrder;
  #socket: Socket | undefined;
  #isSocketClosed = false;
  /** Payload type of a source that sends RTP, or `plain`; undefined until a datagram is recognised. */
  #form: number | 'plain' | undefined;

  constructor(options: UdpInputOptions, sink: InputSink) {
    const { address, budget } = options;
    this.#options = options;
    this.#address = address;
    this.#sink = sink;
    this.#intake = new TsIntake(sink, {
      ...(address.program === undefined ? {} : { program: address.program }),
      ...(budget ? { budget } : {}),
      watchesClock: true,
    });
    this.#order = new RtpOrder({
      payload: (bytes) => {
        this.#take(bytes);
      },
      lost: (packets) => {
        if (!this.#intake.isOver)
          this.#sink.problem({ code: 'rtp_lost', ...because('rtp_packets_lost', { count: packets }) });
      },
    });
  }

  start(): void {
    const { port, group, localAddress, isIpv6 } = this.#address;
    // Several sockets may receive groups on one port, but a unicast port belongs to one socket.
    const socket = createSocket({ type: isIpv6 ? 'udp6' : 'udp4', reuseAddr: group !== undefined });
    this.#socket = socket;
    socket.once('close', () => {
      this.#isSocketClosed = true;
    });
    socket.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'EADDRINUSE') this.#end({ code: 'port_in_use', ...because('udp_port_in_use', { port }) });
      else
        this.#end({
          code: 'input_unreachable',
          ...because('udp_port_failed', { port, explanation: explained(error) }),
        });
    });
    socket.on('message', (bytes, sender) => {
      if (this.#address.source === undefined || sender.address === this.#address.source) this.#datagram(bytes);
    });
    socket.on('listening', () => {
      this.#listening(socket);
    });
    // Bound to the group, the socket does not receive other groups on the same port; Windows cannot do that.
    const address = group === undefined ? localAddress : process.platform === 'win32' ? undefined : group;
    socket.bind({ port, ...(address === undefined ? {} : { address }) });
  }

  async close(): Promise<void> {
    this.#intake.cancel();
    const socket = this.#socket;
    if (!socket || this.#isSocketClosed) return;
    await new Promise<void>((resolve) => {
      socket.once('close', resolve);
      this.#closeSocket();
    });
  }

  #listening(socket: Socket): void {
    try {
      this.#join(socket);
      socket.setRecvBufferSize(RECEIVE_BUFFER_BYTES);
    } catch (error) {
      this.#end({ code: 'input_unreachable', ...because('udp_failed', { explanation: explained(error) }) });
      return;
    }
    this.#options.listening?.(socket.address().port);
  }

  #join(socket: Socket): void {
    const { group, source } = this.#address;
    if (group === undefined) return;
    const { networkInterface, isIpv6 } = this.#address;
    const local = networkInterface === undefined ? undefined : interfaceAddress(networkInterface, isIpv6);
    if (source === undefined) socket.addMembership(group, local);
    else socket.addSourceSpecificMembership(source, group, local);
  }

  #datagram(bytes: Buffer): void {
    const packet = this.#form === 'plain' ? undefined : readRtpPacket(bytes);
    // Decided once, because later bytes of a plain stream may look like an RTP header.
    if (this.#form === undefined) {
      if (bytes[0] === SYNC_BYTE && bytes.length >= PACKET_BYTES) this.#form = 'plain';
      else if (packet && carriesPackets(packet)) this.#form = packet.payloadType;
    }
    if (packet && packet.payloadType === this.#form) this.#order.push(packet);
    else this.#take(bytes);
  }

  #take(bytes: Uint8Array): void {
    if (!this.#intake.push(bytes)) this.#closeSocket();
  }

  #end(end: InputEnd): void {
    this.#closeSocket();
    this.#intake.end(end);
  }

  #closeSocket(): void {
    const socket = this.#socket;
    this.#socket = undefined;
    socket?.close();
  }
}

/** Whether an RTP packet carries a transport stream: by its type, or by its content if the type is dynamic (RFC 3551, 6). */
function carriesPackets({ payloadType, payload }: RtpPacket): boolean {
  if (payload[0] !== SYNC_BYTE) return false;
  return payloadType === MPEG_TS_PAYLOAD_TYPE || (payloadType >= 96 && payload.length % PACKET_BYTES === 0);
}
