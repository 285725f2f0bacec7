import type { Explained } from '../../src-preload/contract/explanations/explanations.ts';
import { addressGroup } from '../lib/network-address.ts';

/** Reason why a request is refused. */
export interface Refusal extends Explained {
  readonly code:
    'playback_denied' | 'session_banned' | 'token_required' | 'too_many_pending' | 'unavailable' | 'stream_not_found';
  /** Redirect target. */
  readonly location?: string;
}

/** A refusal with an expiry. */
export interface TimedRefusal extends Refusal {
  /** Epoch milliseconds. */
  readonly untilMs: number;
  /**
   * Fingerprint of the policy that refused the session. The refusal does not apply under another policy. Absent for
   * bans.
   */
  readonly policy?: string;
  /** Id of the ban that caused the refusal. */
  readonly banId?: string | undefined;
}

/**
 * Maximum number of cached refusals of one address (for IPv6 a /64). The oldest are dropped first, and backends check
 * their viewers again.
 */
export const MAX_REFUSALS_OF_ADDRESS = 1000;
/** Maximum number of all cached refusals. Refusals of the address that was refused first are dropped first. */
const MAX_REFUSALS = 200_000;
const SWEEP_COUNT = 2000;

/**
 * Cache of refused sessions with expiry: refusals by rules or backends, and bans. If a client invents tokens, its
 * refusals displace only refusals of its own address.
 */
export class DenyCache {
  readonly #byAddress = new Map<string, Map<string, TimedRefusal>>();
  #size = 0;
  #sweeping: Iterator<readonly [string, string, TimedRefusal]> | undefined;

  /** Number of cached refusals. */
  get size(): number {
    return this.#size;
  }

  /** Current refusal of a session. */
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
    const ofAddress = this.#byAddress.get(address) ?? new Map<string, TimedRefusal>();
    ofAddress.set(key, refusal);
    this.#byAddress.set(address, ofAddress);
    this.#size++;
    if (ofAddress.size > MAX_REFUSALS_OF_ADDRESS) this.#deleteFirst(address, ofAddress);
    if (this.#size <= MAX_REFUSALS) return;
    const [oldest] = this.#byAddress;
    if (oldest) this.#deleteFirst(...oldest);
  }

  /** Drops the refusals caused by a ban. */
  liftBan(id: string): void {
    for (const [address, key, { banId }] of [...this.#all()]) if (banId === id) this.#delete(address, key);
  }

  /** Drops some of the expired refusals; called once a second. */
  sweep(nowMs: number): void {
    this.#sweeping ??= this.#all();
    for (let checked = 0; checked < SWEEP_COUNT; checked++) {
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
    for (const [address, ofAddress] of this.#byAddress)
      for (const [key, refusal] of ofAddress) yield [address, key, refusal];
    return undefined;
  }

  #deleteFirst(address: string, ofAddress: ReadonlyMap<string, TimedRefusal>): void {
    const [oldest] = ofAddress.keys();
    if (oldest !== undefined) this.#delete(address, oldest);
  }

  #delete(address: string, key: string): void {
    const ofAddress = this.#byAddress.get(address);
    if (!ofAddress?.delete(key)) return;
    this.#size--;
    if (ofAddress.size === 0) this.#byAddress.delete(address);
  }
}
