import { Tally } from '../lib/tally.ts';
import { addressGroup, isLoopback, plainAddress } from '../lib/network-address.ts';

/** Bounds on connections of all HTTP listeners together. */
export interface ConnectionBounds {
  /** Open at the same time. Default 20 000. */
  readonly maxConnections: number;
  /** Of one address, or one /64 network of IPv6; this machine and trusted proxies are not counted. Default 1000. */
  readonly maxPerAddress: number;
  /** Of all, those that are kept for this machine and for publishers; half at most. Default 200. */
  readonly reserve: number;
}

/** What the limits work with. */
export interface ConnectionLimitsOptions extends Partial<ConnectionBounds> {
  /** Whether many viewers may share this address, as behind a proxy. */
  readonly isShared?: (address: string) => boolean;
  /** Hears of each connection that is refused. */
  readonly report?: (refusal: ConnectionRefusal) => void;
}

/** A connection that was refused. */
export interface ConnectionRefusal {
  /** `all`: too many are open; `address`: too many of one; `reserve`: what is left is for others; `system`: no file handle is left. */
  readonly reason: 'all' | 'address' | 'reserve' | 'system';
  /** Address that was refused, or what the system said. */
  readonly detail: string;
}

/** Whether a connection is taken; `reserve` is kept for this machine and for publishers. */
export type ConnectionPlace = 'open' | 'reserve' | 'refused';

const DEFAULTS: ConnectionBounds = { maxConnections: 20_000, maxPerAddress: 1000, reserve: 200 };

/** The count of HTTP connections, in all and by address. */
export class ConnectionLimits {
  readonly #options: ConnectionLimitsOptions;
  readonly #byGroup = new Map<string, number>();
  #bounds: ConnectionBounds;
  /** Connections that the file handles of the process allow. */
  #allowed = Infinity;
  #total = 0;
  /** Connections that were refused since the start, by why. */
  readonly refused = new Tally<ConnectionRefusal['reason']>();

  constructor(options: ConnectionLimitsOptions = {}) {
    this.#options = options;
    this.#bounds = { ...DEFAULTS, ...options };
  }

  /** Connections that are open. */
  get total(): number {
    return this.#total;
  }

  /** Most connections that there may be: as configured, or as file handles allow. */
  get limit(): number {
    return Math.min(this.#bounds.maxConnections, this.#allowed);
  }

  /** Whether all connections that there may be are open, or all but those kept for this machine and publishers. */
  get isFull(): boolean {
    return this.#total >= this.limit - this.#reserve;
  }

  get #reserve(): number {
    return Math.min(this.#bounds.reserve, Math.floor(this.limit / 2));
  }

  /** Takes other bounds; connections that are open stay. */
  apply(bounds: ConnectionBounds): void {
    this.#bounds = bounds;
  }

  /** Takes how many connections the file handles of the process allow. */
  allow(most: number): void {
    this.#allowed = most;
  }

  /** Counts a connection, unless it is refused. @param peer the other side of it */
  enter(peer: string): ConnectionPlace {
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

  /** Forgets a connection that was counted. */
  leave(peer: string): void {
    const group = addressGroup(plainAddress(peer));
    const left = (this.#byGroup.get(group) ?? 0) - 1;
    if (left < 0) return;
    this.#total--;
    if (left === 0) this.#byGroup.delete(group);
    else this.#byGroup.set(group, left);
  }

  /** Notes that a connection was not taken; `system` is for what the system says, such as EMFILE. */
  refuse(reason: ConnectionRefusal['reason'], detail: string): 'refused' {
    this.refused.add(reason);
    this.#options.report?.({ reason, detail });
    return 'refused';
  }
}
