import { addressGroup, isLoopback } from '../../lib/network-address.ts';

/** Limits on the number of connections. */
export interface ConnectionCountLimits {
  readonly maxConnections: number;
  /** From one IPv4 address, or one /64 network of IPv6; loopback is not counted. */
  readonly maxConnectionsPerAddress: number;
}

/** The count of open connections, in all and by address. */
export class ConnectionCount {
  readonly #limits: ConnectionCountLimits;
  readonly #perAddress = new Map<string, number>();
  #total = 0;

  constructor(limits: ConnectionCountLimits) {
    this.#limits = limits;
  }

  /** Counts a connection; false if a limit forbids it. */
  enter(address: string): boolean {
    const group = addressGroup(address);
    const ofAddress = this.#perAddress.get(group) ?? 0;
    if (this.#total >= this.#limits.maxConnections) return false;
    if (ofAddress >= this.#limits.maxConnectionsPerAddress && !isLoopback(address)) return false;
    this.#total += 1;
    this.#perAddress.set(group, ofAddress + 1);
    return true;
  }

  /** Forgets a connection that was counted. */
  leave(address: string): void {
    const group = addressGroup(address);
    const left = (this.#perAddress.get(group) ?? 0) - 1;
    if (left < 0) return;
    this.#total -= 1;
    if (left === 0) this.#perAddress.delete(group);
    else this.#perAddress.set(group, left);
  }
}
