import { addressGroup } from '../lib/network-address.ts';

/** An address or a user that is kept out of all streams. */
export interface Ban {
  readonly id: string;
  readonly kind: 'address' | 'user';
  /** The address (of IPv6 its /64), or what backends call the user. */
  readonly value: string;
  /** Epoch milliseconds. */
  readonly untilMs: number;
  readonly bannedMs: number;
  /** Who did it. */
  readonly who: string;
}

/** Bans at the same time. */
const MOST_BANS = 1000;

/** Addresses and users that operators keep out, each until its time is over. They are forgotten when the server ends. */
export class Bans {
  readonly #bans = new Map<string, Ban>();

  /** Those that hold, the newest first. */
  list(nowMs: number): Ban[] {
    for (const [key, { untilMs }] of this.#bans) if (untilMs <= nowMs) this.#bans.delete(key);
    return [...this.#bans.values()].reverse();
  }

  /**
   * Bans an address or a user, in place of an earlier ban of the same.
   * @returns the ban; undefined where there are too many
   */
  add(kind: Ban['kind'], value: string, seconds: number, who: string, nowMs: number): Ban | undefined {
    const held = kind === 'address' ? addressGroup(value) : value;
    const id = idOf(kind, held);
    this.#bans.delete(id);
    if (this.#bans.size >= MOST_BANS && this.list(nowMs).length >= MOST_BANS) return undefined;
    const ban = { id, kind, value: held, bannedMs: nowMs, untilMs: nowMs + seconds * 1000, who };
    this.#bans.set(id, ban);
    return ban;
  }

  /** Lifts a ban. @returns whether there was one */
  lift(id: string): boolean {
    return this.#bans.delete(id);
  }

  /** Whether an address is kept out. */
  holdsAddress(ip: string, nowMs: number): boolean {
    return this.#bans.size > 0 && this.#holds(idOf('address', addressGroup(ip)), nowMs);
  }

  /** Whether a user is kept out. */
  holdsUser(userId: string | null, nowMs: number): boolean {
    return userId !== null && this.#bans.size > 0 && this.#holds(idOf('user', userId), nowMs);
  }

  #holds(id: string, nowMs: number): boolean {
    const untilMs = this.#bans.get(id)?.untilMs;
    return untilMs !== undefined && untilMs > nowMs;
  }
}

function idOf(kind: Ban['kind'], value: string): string {
  return `${kind}:${value}`;
}
