import { addressGroup } from '../lib/network-address.ts';

/** Why a request is not served. */
export interface Refusal {
  readonly code:
    'playback_denied' | 'session_banned' | 'token_required' | 'too_many_pending' | 'unavailable' | 'stream_not_found';
  readonly detail: string;
  /** Where the player is sent instead. */
  readonly location?: string;
}

/** A refusal that holds for some time. */
export interface TimedRefusal extends Refusal {
  /** Epoch milliseconds. */
  readonly untilMs: number;
  /** The ban of an address or user that it follows from. */
  readonly banId?: string | undefined;
}

/** Most refusals of one address (a /64 of IPv6) that are remembered; its oldest are forgotten first, and asked about again. */
export const MAX_REFUSALS_OF_ADDRESS = 1000;
/** Most refusals in all; those of the address that was refused first are forgotten first. */
const MAX_REFUSALS = 200_000;
const SWEEP_COUNT = 2000;

/** Denied sessions and until when: cached refusals of backends, and bans. Invented tokens of one address displace only its own. */
export class DenyCache {
  readonly #byAddress = new Map<string, Map<string, TimedRefusal>>();
  #size = 0;
  #sweeping: Iterator<readonly [string, string, TimedRefusal]> | undefined;

  /** DenyCache that are remembered. */
  get size(): number {
    return this.#size;
  }

  /** The refusal that holds for a session now. */
  get(ip: string, key: string, nowMs: number): TimedRefusal | undefined {
    if (this.#size === 0) return undefined;
    const address = addressGroup(ip);
    const refusal = this.#byAddress.get(address)?.get(key);
    if (!refusal || refusal.untilMs > nowMs) return refusal;
    this.#delete(address, key);
    return undefined;
  }

  add(ip: string, key: string, refusal: TimedRefusal): void {
    const address = addressGroup(ip);
    this.#delete(address, key);
    const own = this.#byAddress.get(address) ?? new Map<string, TimedRefusal>();
    own.set(key, refusal);
    this.#byAddress.set(address, own);
    this.#size++;
    if (own.size > MAX_REFUSALS_OF_ADDRESS) this.#deleteFirst(address, own);
    if (this.#size <= MAX_REFUSALS) return;
    const [oldest] = this.#byAddress;
    if (oldest) this.#deleteFirst(...oldest);
  }

  /** Forgets the refusals that follow from a ban. */
  liftBan(id: string): void {
    for (const [address, key, { banId }] of [...this.#all()]) if (banId === id) this.#delete(address, key);
  }

  /** Forgets some of those that are over; called once a second. */
  sweep(nowMs: number): void {
    this.#sweeping ??= this.#all();
    for (let looked = 0; looked < SWEEP_COUNT; looked++) {
      const step = this.#sweeping.next();
      if (step.done === true) {
        this.#sweeping = undefined;
        return;
      }
      const [address, key, { untilMs }] = step.value;
      if (untilMs <= nowMs) this.#delete(address, key);
    }
  }

  *#all(): Generator<readonly [string, string, TimedRefusal], undefined> {
    for (const [address, own] of this.#byAddress) for (const [key, refusal] of own) yield [address, key, refusal];
    return undefined;
  }

  #deleteFirst(address: string, own: ReadonlyMap<string, TimedRefusal>): void {
    const [oldest] = own.keys();
    if (oldest !== undefined) this.#delete(address, oldest);
  }

  #delete(address: string, key: string): void {
    const own = this.#byAddress.get(address);
    if (!own?.delete(key)) return;
    this.#size--;
    if (own.size === 0) this.#byAddress.delete(address);
  }
}
