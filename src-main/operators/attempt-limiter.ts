import { addressGroup } from '../lib/network-address.ts';

/** Wrong logins in a row that cost no time. */
export const FREE_ATTEMPTS = 10;
/** After them one more is allowed each time this has passed, in milliseconds. */
export const ATTEMPT_EVERY_MS = 6000;
/** How many addresses are remembered; the one that was quiet for longest is forgotten first. */
const MAX_ADDRESSES = 10_000;
/** How many wrong logins of an address are known again. */
const MAX_WRONG = 4;

interface Bucket {
  /** Attempts that are left, with fractions. */
  attempts: number;
  atMs: number;
  /** What was wrong already: a tool with an old password says the same again and again, and learns nothing by it. */
  readonly wrong: string[];
}

/** Slows down guessing of logins: an address has ten attempts, and one more every six seconds. Its memory is bounded. */
export class AttemptLimiter {
  readonly #now: () => number;
  readonly #maxAddresses: number;
  readonly #buckets = new Map<string, Bucket>();

  constructor(now: () => number, maxAddresses = MAX_ADDRESSES) {
    this.#now = now;
    this.#maxAddresses = maxAddresses;
  }

  /** Addresses that are remembered. */
  get size(): number {
    return this.#buckets.size;
  }

  /** How long an address must wait until its next attempt, in milliseconds; 0 where it need not. */
  waitMs(address: string): number {
    const bucket = this.#find(address);
    return !bucket || bucket.attempts >= 1 ? 0 : Math.ceil((1 - bucket.attempts) * ATTEMPT_EVERY_MS);
  }

  /** Whether an address tried this before, and it was wrong. @param what a digest of the login */
  isKnownWrong(address: string, what: string): boolean {
    return this.#find(address)?.wrong.includes(what) === true;
  }

  /** Takes one attempt away before it is known how it ends, so that many at once are no way around the limit. */
  charge(address: string): void {
    const bucket = this.#find(address) ?? this.#add(address);
    bucket.attempts -= 1;
  }

  /** The attempt was right. */
  giveBack(address: string): void {
    const bucket = this.#find(address);
    if (bucket) bucket.attempts = Math.min(FREE_ATTEMPTS, bucket.attempts + 1);
  }

  /** The attempt was wrong. @param what a digest of the login */
  remember(address: string, what: string): void {
    const bucket = this.#find(address) ?? this.#add(address);
    bucket.wrong.push(what);
    if (bucket.wrong.length > MAX_WRONG) bucket.wrong.shift();
  }

  /** Forgets what was wrong: other logins are right now. */
  forgetWrong(): void {
    for (const bucket of this.#buckets.values()) bucket.wrong.length = 0;
  }

  #find(address: string): Bucket | undefined {
    const key = addressGroup(address);
    const bucket = this.#buckets.get(key);
    if (!bucket) return undefined;
    const now = this.#now();
    // A clock that was set back gives no attempts, and takes none.
    bucket.attempts = Math.min(FREE_ATTEMPTS, bucket.attempts + Math.max(0, now - bucket.atMs) / ATTEMPT_EVERY_MS);
    bucket.atMs = now;
    return bucket;
  }

  #add(address: string): Bucket {
    const bucket: Bucket = { attempts: FREE_ATTEMPTS, atMs: this.#now(), wrong: [] };
    this.#buckets.set(addressGroup(address), bucket);
    for (const key of this.#buckets.keys()) {
      if (this.#buckets.size <= this.#maxAddresses) break;
      this.#buckets.delete(key);
    }
    return bucket;
  }
}
