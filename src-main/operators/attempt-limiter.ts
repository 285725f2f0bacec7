import { addressGroup } from '../lib/network-address.ts';
import { TokenBucket } from '../lib/limits/token-bucket.ts';

/** Wrong logins in a row that cost no time. */
export const FREE_ATTEMPTS = 10;
/** After them one more is allowed each time this has passed, in milliseconds. */
export const ATTEMPT_EVERY_MS = 6000;
/** How many addresses are remembered. Beyond them some that have most attempts left are forgotten: it frees none that guesses more than they do. */
const MAX_ADDRESSES = 10_000;
/** Share of the addresses that is forgotten at once, so that a flood of them costs little. */
const FORGOTTEN_SHARE = 1 / 20;
/** How many wrong logins of an address are known again. */
const MAX_WRONG = 4;

interface Attempts {
  readonly left: TokenBucket;
  /** What was wrong already: a tool with an old password says the same again and again, and learns nothing by it. */
  readonly wrong: string[];
}

/** Slows down guessing of logins: an address has ten attempts, and one more every six seconds. Its memory is bounded. */
export class AttemptLimiter {
  readonly #now: () => number;
  readonly #maxAddresses: number;
  readonly #byGroup = new Map<string, Attempts>();

  constructor(now: () => number, maxAddresses = MAX_ADDRESSES) {
    this.#now = now;
    this.#maxAddresses = maxAddresses;
  }

  /** Addresses that are remembered. */
  get size(): number {
    return this.#byGroup.size;
  }

  /** How long an address must wait until its next attempt, in milliseconds; 0 where it need not. */
  waitMs(address: string): number {
    return this.#find(address)?.left.wait(this.#now()) ?? 0;
  }

  /** Whether an address tried this before, and it was wrong. @param what a digest of the login */
  isKnownWrong(address: string, what: string): boolean {
    return this.#find(address)?.wrong.includes(what) === true;
  }

  /** Takes one attempt away before it is known how it ends, so that many at once are no way around the limit. */
  charge(address: string): void {
    (this.#find(address) ?? this.#add(address)).left.take(this.#now());
  }

  /** The attempt was right. */
  giveBack(address: string): void {
    this.#find(address)?.left.giveBack();
  }

  /** The attempt was wrong. @param what a digest of the login */
  remember(address: string, what: string): void {
    const { wrong } = this.#find(address) ?? this.#add(address);
    wrong.push(what);
    if (wrong.length > MAX_WRONG) wrong.shift();
  }

  /** Forgets what was wrong: other logins are right now. */
  forgetWrong(): void {
    for (const { wrong } of this.#byGroup.values()) wrong.length = 0;
  }

  #find(address: string): Attempts | undefined {
    return this.#byGroup.get(addressGroup(address));
  }

  #add(address: string): Attempts {
    if (this.#byGroup.size >= this.#maxAddresses) this.#makeRoom();
    const attempts: Attempts = { left: new TokenBucket(FREE_ATTEMPTS, ATTEMPT_EVERY_MS), wrong: [] };
    this.#byGroup.set(addressGroup(address), attempts);
    return attempts;
  }

  #makeRoom(): void {
    const now = this.#now();
    const bySpent = [...this.#byGroup].map(([key, { left }]) => ({ key, ms: left.untilFull(now) }));
    bySpent.sort((a, b) => a.ms - b.ms);
    for (const { key } of bySpent.slice(0, Math.ceil(this.#maxAddresses * FORGOTTEN_SHARE))) this.#byGroup.delete(key);
  }
}
