import { createSocket, type Socket } from 'node:dgram';
import { networkInterfaces } from 'node:os';
import type { Clock } from '../../lib/clock.ts';

export interface GroupWatchOptions {
  /** Address of the group, and its port. */
  readonly group: string;
  readonly port: number;
  readonly isIpv6: boolean;
  /** Local interface, as for `addMembership`; absent: that of the route. */
  readonly local?: string;
  /** Port from which the own datagrams are sent. */
  readonly ownPort: number;
  readonly clock: Pick<Clock, 'now'>;
  readonly failed: (error: Error) => void;
}

/**
 * Time without datagrams of other senders after which the group is free, in milliseconds, and a random addition: two
 * senders that wait for the same group do not start at once.
 */
const SILENT_MS = 1000;
const SPREAD_MS = 500;

/** Watches whether another sender sends to a multicast group. */
export class GroupWatch {
  readonly #options: GroupWatchOptions;
  readonly #socket: Socket;
  readonly #ownAddresses = new Set(
    Object.values(networkInterfaces()).flatMap((all) => (all ?? []).map(({ address }) => address)),
  );
  #receivedMs: number;
  #silentMs = silence();

  constructor(options: GroupWatchOptions) {
    this.#options = options;
    const { group, port, isIpv6, local, ownPort, clock, failed } = options;
    this.#receivedMs = clock.now();
    this.#socket = createSocket({ type: isIpv6 ? 'udp6' : 'udp4', reuseAddr: true });
    this.#socket.on('error', failed);
    this.#socket.on('message', (_bytes, sender) => {
      if (sender.port === ownPort && this.#ownAddresses.has(sender.address.split('%')[0] ?? '')) return;
      this.#receivedMs = clock.now();
      this.#silentMs = silence();
    });
    // Bound to the group: datagrams to other groups with this port do not count.
    this.#socket.bind({ port, address: group }, () => {
      try {
        this.#socket.addMembership(group, local);
      } catch (error) {
        failed(error instanceof Error ? error : new Error(String(error)));
      }
    });
  }

  /** Whether another sender has sent a moment ago, or may be about to: the group was not watched long enough. */
  get isBusy(): boolean {
    return this.#options.clock.now() - this.#receivedMs < this.#silentMs;
  }

  close(): void {
    this.#socket.close();
  }
}

function silence(): number {
  return SILENT_MS + Math.random() * SPREAD_MS;
}
