import { addressGroup } from '../lib/network-address.ts';
import { TokenBucket } from '../lib/limits/token-bucket.ts';

/** Number of wrong logins in a row that are possible without waiting. */
export const FREE_ATTEMPTS = 10;
/** Time until one more attempt after the free ones, in milliseconds. */
export const ATTEMPT_EVERY_MS = 6000;
/**
 * Maximum number of remembered addresses. Above it, the addresses with the most remaining attempts are removed first, so
 * addresses that guess stay.
 */
const MAX_ADDRESSES = 10_000;
/** Share of the addresses that is removed at once, so that a flood of addresses costs little. */
const FORGOTTEN_SHARE = 1 / 20;
/** Number of wrong logins that are remembered for an address. */
const MAX_WRONG = 4;

interface Attempts {
  readonly bucket: TokenBucket;
  /**
   * Digests of wrong logins. A tool with an old password repeats the same login and learns nothing, so repetitions do not count
   * as attempts.
   */
  readonly wrong: string[];
}

/** Slows down guessing of logins: an address has ten attempts, then one more every six seconds. Memory is bounded. */
export class AttemptLimiter {
  readonly #now: () => number;
  readonly #maxAddresses: number;
  readonly #byGroup = new Map<string, Attempts>();

  constructor(now: () => number, maxAddresses = MAX_ADDRESSES) {
    this.#now = now;
    this.#maxAddresses = maxAddresses;
  }

  /** Number of remembered addresses. */
  get size(): number {
    return this.#byGroup.size;
  }

  /** Time until the next attempt of an address, in milliseconds; 0 if it may try now. */
  waitMs(address: string): number {
    return this.#find(address)?.bucket.wait(this.#now()) ?? 0;
  }

  /** Whether this login was rejected before for this address. @param digest digest of the login */
  isKnownWrong(address: string, digest: string): boolean {
    return this.#find(address)?.wrong.includes(digest) === true;
  }

  /** Counts an attempt before its result is known, so that parallel attempts cannot bypass the limit. */
  charge(address: string): void {
    (this.#find(address) ?? this.#add(address)).bucket.take(this.#now());
  }

  /** Undoes the counting of an attempt after a correct login. */
  refund(address: string): void {
    this.#find(address)?.bucket.giveBack();
  }

  /** Remembers a wrong login. @param digest digest of the login */
  remember(address: string, digest: string): void {
    const { wrong } = this.#find(address) ?? this.#add(address);
    wrong.push(digest);
    if (wrong.length > MAX_WRONG) wrong.shift();
  }

  /** Forgets wrong logins, because the configured logins changed. */
  forgetWrong(): void {
    for (const { wrong } of this.#byGroup.values()) wrong.length = 0;
  }

  #find(address: string): Attempts | undefined {
    return this.#byGroup.get(addressGroup(address));
  }

  #add(address: string): Attempts {
    if (this.#byGroup.size >= this.#maxAddresses) this.#makeRoom();
    const attempts: Attempts = { bucket: new TokenBucket(FREE_ATTEMPTS, ATTEMPT_EVERY_MS), wrong: [] };
    this.#byGroup.set(addressGroup(address), attempts);
    return attempts;
  }

  #makeRoom(): void {
    const now = this.#now();
    const bySpent = [...this.#byGroup].map(([key, { bucket }]) => ({ key, ms: bucket.untilFull(now) }));
    bySpent.sort((a, b) => a.ms - b.ms);
    for (const { key } of bySpent.slice(0, Math.ceil(this.#maxAddresses * FORGOTTEN_SHARE))) this.#byGroup.delete(key);
  }
}
