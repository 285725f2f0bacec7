/** Limits on the number of connections. */
export interface ConnectionCountLimits {
  readonly maxConnections: number;
  /** From one address; loopback is not counted. */
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
    const ofAddress = this.#perAddress.get(address) ?? 0;
    if (this.#total >= this.#limits.maxConnections) return false;
    if (ofAddress >= this.#limits.maxConnectionsPerAddress && !isLoopback(address)) return false;
    this.#total += 1;
    this.#perAddress.set(address, ofAddress + 1);
    return true;
  }

  /** Forgets a connection that was counted. */
  leave(address: string): void {
    const left = (this.#perAddress.get(address) ?? 0) - 1;
    if (left < 0) return;
    this.#total -= 1;
    if (left === 0) this.#perAddress.delete(address);
    else this.#perAddress.set(address, left);
  }
}

/** An IPv4 address without the form that it has on a socket of both families. */
export function plainAddress(address: string): string {
  return address.startsWith('::ffff:') ? address.slice('::ffff:'.length) : address;
}

function isLoopback(address: string): boolean {
  return address === '::1' || address.startsWith('127.');
}
