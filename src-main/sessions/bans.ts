import { addressGroup } from '../lib/network-address.ts';

/** An address or a user banned from all streams. */
export interface Ban {
  readonly id: string;
  readonly kind: 'address' | 'user';
  /** The address (for IPv6 its /64), or the id of the user as given by backends. */
  readonly value: string;
  /** Epoch milliseconds. */
  readonly untilMs: number;
  readonly bannedMs: number;
  /** Login of the operator. */
  readonly who: string;
  /** Reason; may be empty. */
  readonly reason: string;
}

/** Request for a ban. */
export type BanRequest = Pick<Ban, 'kind' | 'value' | 'who' | 'reason'> & { readonly seconds: number };

/** Storage of bans across restarts. */
export interface BanStore {
  /** Active bans, oldest first. */
  list(nowMs: number): readonly Ban[];
  put(ban: Ban): void;
  remove(id: string): void;
}

/** Storage of bans, with the current time and an error handler. */
export interface BanRecords {
  readonly store: BanStore;
  readonly nowMs: number;
  /** Called when a change cannot be stored; the change then applies until the server ends. */
  readonly failed: (error: unknown) => void;
}

/** Maximum number of active bans. */
const MAX_BANS = 1000;

/** Addresses and users banned by operators, each until its ban expires. Without storage, bans end with the server. */
export class Bans {
  readonly #bans = new Map<string, Ban>();
  readonly #records: BanRecords | undefined;

  constructor(records?: BanRecords) {
    this.#records = records;
    this.#updateStore((store) => {
      for (const ban of store.list(records?.nowMs ?? 0)) this.#bans.set(ban.id, ban);
    });
  }

  /** Active bans, newest first. */
  list(nowMs: number): Ban[] {
    for (const [key, { untilMs }] of this.#bans) if (untilMs <= nowMs) this.#bans.delete(key);
    return [...this.#bans.values()].reverse();
  }

  /**
   * Bans an address or a user; replaces an earlier ban of the same value.
   * @returns the ban; undefined if there are too many
   */
  add({ kind, value, seconds, who, reason }: BanRequest, nowMs: number): Ban | undefined {
    const normalized = kind === 'address' ? addressGroup(value) : value;
    const id = idOf(kind, normalized);
    this.#bans.delete(id);
    if (this.#bans.size >= MAX_BANS && this.list(nowMs).length >= MAX_BANS) return undefined;
    const ban = { id, kind, value: normalized, bannedMs: nowMs, untilMs: nowMs + seconds * 1000, who, reason };
    this.#bans.set(id, ban);
    this.#updateStore((store) => {
      store.put(ban);
    });
    return ban;
  }

  /**
   * Lifts a ban.
   * @returns false if there was none
   */
  lift(id: string): boolean {
    this.#updateStore((store) => {
      store.remove(id);
    });
    return this.#bans.delete(id);
  }

  /** Reports whether an address is banned. */
  isAddressBanned(ip: string, nowMs: number): boolean {
    return this.#bans.size > 0 && this.#isActive(idOf('address', addressGroup(ip)), nowMs);
  }

  /** Reports whether a user is banned. */
  isUserBanned(userId: string | null, nowMs: number): boolean {
    return userId !== null && this.#bans.size > 0 && this.#isActive(idOf('user', userId), nowMs);
  }

  /** Id of the ban of a user; undefined without one. */
  ofUser(userId: string | null, nowMs: number): string | undefined {
    return userId !== null && this.isUserBanned(userId, nowMs) ? idOf('user', userId) : undefined;
  }

  #updateStore(change: (store: BanStore) => void): void {
    if (!this.#records) return;
    try {
      change(this.#records.store);
    } catch (error) {
      this.#records.failed(error);
    }
  }

  #isActive(id: string, nowMs: number): boolean {
    const untilMs = this.#bans.get(id)?.untilMs;
    return untilMs !== undefined && untilMs > nowMs;
  }
}

function idOf(kind: Ban['kind'], value: string): string {
  return `${kind}:${value}`;
}
