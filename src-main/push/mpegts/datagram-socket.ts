import { createSocket, type Socket } from 'node:dgram';
import { isIP } from 'node:net';
import { because, type Explained } from '../../../src-preload/contract/explanations/explanations.ts';
import { explained, ExplainedError } from '../../lib/error-message.ts';
import { interfaceAddress, peerOf } from '../../lib/network-address.ts';
import type { OutgoingHosts } from '../../lib/outgoing-hosts.ts';
import type { Clock } from '../../lib/clock.ts';
import type { PushFault } from '../target/push-target.ts';
import type { DatagramAddress } from './datagram-address.ts';
import { GroupWatch } from './group-watch.ts';

export interface DatagramSocketOptions {
  readonly address: DatagramAddress;
  /** Rules of outgoing connections. */
  readonly hosts: OutgoingHosts;
  /** Maximum number of routers for multicast; absent: 1. */
  readonly ttl?: number;
  /** Whether programs of this machine get the datagrams of a group, too; absent: yes. */
  readonly isLooped?: boolean;
  /** Whether nothing is sent to a group while another sender sends to it; absent: no. */
  readonly isStandby?: boolean;
  readonly clock: Pick<Clock, 'now'>;
  /** Reason why a resolved address is refused; undefined if it is allowed. */
  readonly refusal?: (address: string) => Explained | undefined;
}

/** Receives the events of a socket. `failed` may be called more than once. */
export interface DatagramSocketEvents {
  connected(): void;
  failed(fault: PushFault, isFinal?: true): void;
}

/** Maximum bytes that wait in this process because the network interface is busy. */
const MAX_WAITING_BYTES = 2 * 1024 * 1024;

/** Socket that sends datagrams to one address, under the rules of outgoing connections. */
export class DatagramSocket {
  readonly #options: DatagramSocketOptions;
  readonly #events: DatagramSocketEvents;
  #socket: Socket | undefined;
  /** IP address of the target; empty until the socket can send. */
  #ip = '';
  #isClosed = false;
  /** Watches the group of a standby push. */
  #watch: GroupWatch | undefined;
  readonly #sent = (error: Error | null): void => {
    if (error) this.#error(error);
  };

  constructor(options: DatagramSocketOptions, events: DatagramSocketEvents) {
    this.#options = options;
    this.#events = events;
    const { address, hosts } = options;
    const { host } = address;
    const family = isIP(host);
    if (family > 0)
      queueMicrotask(() => { this.#open(host, family); }); // prettier-ignore
    else
      hosts.from(address.url).lookup(address.url)(host, {}, (error, found, foundFamily) => {
        if (error) this.#error(error);
        else if (typeof found === 'string') this.#open(found, foundFamily ?? isIP(found));
      });
  }

  /** Bytes that the system has not taken yet. */
  get waitingBytes(): number {
    return this.#ip !== '' && !this.#isClosed ? (this.#socket?.getSendQueueSize() ?? 0) : 0;
  }

  /** Whether another sender sends to the group, so that datagrams are dropped. */
  get isWaiting(): boolean {
    return this.#watch?.isBusy === true;
  }

  /** Sends a datagram; false if it is dropped. @param bytes must stay unchanged */
  send(bytes: Uint8Array): boolean {
    const socket = this.#socket;
    if (!socket || this.#ip === '' || this.#isClosed || this.isWaiting || this.waitingBytes > MAX_WAITING_BYTES)
      return false;
    socket.send(bytes, this.#options.address.port, this.#ip, this.#sent);
    return true;
  }

  close(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#watch?.close();
    this.#socket?.close();
  }

  #open(address: string, family: number): void {
    if (this.#isClosed) return;
    const { address: { networkInterface: name }, refusal } = this.#options; // prettier-ignore
    const refused = refusal?.(address);
    if (refused) {
      this.#events.failed({ code: 'push_forbidden', ...refused }, true);
      return;
    }
    const isIpv6 = family === 6;
    const isGroup = isMulticast(address);
    // Not connected: a connected socket drops a datagram after each answer of a machine where nothing listens (ICMP).
    const socket = createSocket({
      type: isIpv6 ? 'udp6' : 'udp4',
      lookup: (ip, _options, found) => {
        found(null, ip, family);
      },
    });
    this.#socket = socket;
    socket.on('error', this.#sent);
    const ready = (): void => {
      try {
        if (isGroup) this.#setGroup(socket, address, isIpv6);
      } catch (error) {
        this.#error(error);
        return;
      }
      this.#ip = address;
      this.#events.connected();
    };
    const local = name === undefined || isGroup ? undefined : interfaceAddress(name, isIpv6);
    if (local !== undefined && isIP(local) === 0 && !isIpv6) this.#error(noInterface(local));
    else socket.bind({ port: 0, ...(local === undefined || isIpv6 ? {} : { address: local }) }, ready);
  }

  #setGroup(socket: Socket, group: string, isIpv6: boolean): void {
    const { address, isLooped = true, isStandby, ttl, clock } = this.#options;
    const { networkInterface: name, port } = address;
    const local = name === undefined ? undefined : interfaceAddress(name, isIpv6);
    if (name !== undefined) {
      if (local === undefined || (isIP(local) === 0 && !local.startsWith('::%'))) throw noInterface(name);
      socket.setMulticastInterface(local);
    }
    if (ttl !== undefined) socket.setMulticastTTL(ttl);
    socket.setMulticastLoopback(isLooped);
    if (isStandby === true)
      this.#watch = new GroupWatch({
        group,
        port,
        isIpv6,
        ...(local === undefined ? {} : { local }),
        ownPort: socket.address().port,
        clock,
        failed: this.#sent,
      });
  }

  #error(error: unknown): void {
    const code = error instanceof Error && 'code' in error ? error.code : '';
    // Nothing listens there yet. A receiver may come at any time.
    if (this.#isClosed || code === 'ECONNREFUSED') return;
    const { host, port } = this.#options.address;
    const reason = explained(error);
    if (code === 'EACCES' && 'explanation' in reason) this.#events.failed({ code: 'push_forbidden', ...reason });
    else
      this.#events.failed({
        code: 'push_unreachable',
        ...because('push_unreachable', { server: peerOf(host, port), reason }),
      });
  }
}

/** Reports whether an address is one of a multicast group. */
function isMulticast(address: string): boolean {
  const first = Number(address.split('.')[0]);
  return isIP(address) === 6 ? /^ff/i.test(address) : first >= 224 && first <= 239;
}

function noInterface(name: string): Error {
  return new ExplainedError(because('push_no_interface', { name }));
}
