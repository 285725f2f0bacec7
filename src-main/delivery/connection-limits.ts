import { Tally } from '../lib/tally.ts';
import { addressGroup, isLoopback, plainAddress } from '../lib/network-address.ts';

/** Limits for the connections of all HTTP listeners together. */
export interface ConnectionBounds {
  /** Maximum number of open connections. Default 20 000. */
  readonly maxConnections: number;
  /**
   * Maximum number per address, or per /64 network of IPv6; this machine and trusted proxies are exempt. Default 1000.
   */
  readonly maxPerAddress: number;
  /** Number of connections reserved for this machine and for publishers; at most half. Default 200. */
  readonly reserve: number;
}

export interface ConnectionLimitsOptions extends Partial<ConnectionBounds> {
  /** Reports whether many viewers may share an address, for example behind a proxy. */
  readonly isShared?: (address: string) => boolean;
  /** Called for each refused connection. */
  readonly report?: (refusal: ConnectionRefusal) => void;
}

/** A refused connection. */
export interface ConnectionRefusal {
  /**
   * `all`: too many connections are open; `address`: too many from one address; `reserve`: the remaining connections
   * are reserved; `system`: no file handle is left.
   */
  readonly reason: 'all' | 'address' | 'reserve' | 'system';
  /** Refused address, or the error of the system. */
  readonly detail: string;
}

/** Result for a new connection. A `reserve` connection is one of the last ones, and may only publish. */
export type ConnectionAdmission = 'open' | 'reserve' | 'refused';

const DEFAULTS: ConnectionBounds = { maxConnections: 20_000, maxPerAddress: 1000, reserve: 200 };

/** Counts HTTP connections, in total and by address. */
export class ConnectionLimits {
  readonly #options: ConnectionLimitsOptions;
  readonly #byGroup = new Map<string, number>();
  #bounds: ConnectionBounds;
  /** Maximum number that the file handles of the process allow. */
  #allowed = Infinity;
  #total = 0;
  /** Number of refused connections since the start, by reason. */
  readonly refused = new Tally<ConnectionRefusal['reason']>();

  constructor(options: ConnectionLimitsOptions = {}) {
    this.#options = options;
    this.#bounds = { ...DEFAULTS, ...options };
  }

  /** Number of open connections. */
  get total(): number {
    return this.#total;
  }

  /** Maximum number of connections: as configured, or as file handles allow. */
  get limit(): number {
    return Math.min(this.#bounds.maxConnections, this.#allowed);
  }

  /** True if all connections are open, except those reserved for this machine and publishers. */
  get isFull(): boolean {
    return this.#total >= this.limit - this.#reserve;
  }

  get #reserve(): number {
    return Math.min(this.#bounds.reserve, Math.floor(this.limit / 2));
  }

  /** Applies new limits; open connections stay. */
  apply(bounds: ConnectionBounds): void {
    this.#bounds = bounds;
  }

  /** Sets the maximum number that the file handles of the process allow. */
  allow(limit: number): void {
    this.#allowed = limit;
  }

  /**
   * Counts a connection, unless it is refused.
   * @param peer address of the other side
   */
  enter(peer: string): ConnectionAdmission {
    const { limit } = this;
    const group = addressGroup(plainAddress(peer));
    const ofGroup = this.#byGroup.get(group) ?? 0;
    const isOwn = isLoopback(peer);
    if (this.#total >= limit) return this.refuse('all', peer);
    if (ofGroup >= this.#bounds.maxPerAddress && !isOwn && this.#options.isShared?.(plainAddress(peer)) !== true)
      return this.refuse('address', peer);
    this.#byGroup.set(group, ofGroup + 1);
    this.#total++;
    return isOwn || this.#total <= limit - this.#reserve ? 'open' : 'reserve';
  }

  /** Removes a counted connection. */
  leave(peer: string): void {
    const group = addressGroup(plainAddress(peer));
    const left = (this.#byGroup.get(group) ?? 0) - 1;
    if (left < 0) return;
    this.#total--;
    if (left === 0) this.#byGroup.delete(group);
    else this.#byGroup.set(group, left);
  }

  /** Records a refused connection; `system` is for errors of the system, such as EMFILE. */
  refuse(reason: ConnectionRefusal['reason'], detail: string): 'refused' {
    this.refused.add(reason);
    this.#options.report?.({ reason, detail });
    return 'refused';
  }
}
