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
  /** Why; may be empty. */
  readonly reason: string;
}

/** Who is kept out and for how long, who did it and why. */
export type WantedBan = Pick<Ban, 'kind' | 'value' | 'who' | 'reason'> & { readonly seconds: number };

/** Where bans are kept over restarts. */
export interface BanStore {
  /** Those that hold, the oldest first. */
  list(nowMs: number): readonly Ban[];
  put(ban: Ban): void;
  remove(id: string): void;
}

/** What bans need where they are kept. */
export interface KeptBansPort {
  readonly store: BanStore;
  readonly nowMs: number;
  /** Hears why a change could not be kept: it holds until the server ends. */
  readonly failed: (error: unknown) => void;
}

/** Bans at the same time. */
const MOST_BANS = 1000;

/** Addresses and users that operators keep out, each until its time is over. Where they are not kept they are forgotten when the server ends. */
export class Bans {
  readonly #bans = new Map<string, Ban>();
  readonly #kept: KeptBansPort | undefined;

  constructor(kept?: KeptBansPort) {
    this.#kept = kept;
    this.#keep((store) => {
      for (const ban of store.list(kept?.nowMs ?? 0)) this.#bans.set(ban.id, ban);
    });
  }

  /** Those that hold, the newest first. */
  list(nowMs: number): Ban[] {
    for (const [key, { untilMs }] of this.#bans) if (untilMs <= nowMs) this.#bans.delete(key);
    return [...this.#bans.values()].reverse();
  }

  /**
   * Bans an address or a user, in place of an earlier ban of the same.
   * @returns the ban; undefined where there are too many
   */
  add({ kind, value, seconds, who, reason }: WantedBan, nowMs: number): Ban | undefined {
    const held = kind === 'address' ? addressGroup(value) : value;
    const id = idOf(kind, held);
    this.#bans.delete(id);
    if (this.#bans.size >= MOST_BANS && this.list(nowMs).length >= MOST_BANS) return undefined;
    const ban = { id, kind, value: held, bannedMs: nowMs, untilMs: nowMs + seconds * 1000, who, reason };
    this.#bans.set(id, ban);
    this.#keep((store) => {
      store.put(ban);
    });
    return ban;
  }

  /** Lifts a ban. @returns whether there was one */
  lift(id: string): boolean {
    this.#keep((store) => {
      store.remove(id);
    });
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

  /** Id of the ban that keeps a user out; undefined without one. */
  ofUser(userId: string | null, nowMs: number): string | undefined {
    return userId !== null && this.holdsUser(userId, nowMs) ? idOf('user', userId) : undefined;
  }

  #keep(change: (store: BanStore) => void): void {
    if (!this.#kept) return;
    try {
      change(this.#kept.store);
    } catch (error) {
      this.#kept.failed(error);
    }
  }

  #holds(id: string, nowMs: number): boolean {
    const untilMs = this.#bans.get(id)?.untilMs;
    return untilMs !== undefined && untilMs > nowMs;
  }
}

function idOf(kind: Ban['kind'], value: string): string {
  return `${kind}:${value}`;
}
