import { randomInt } from 'node:crypto';
import { SUBSCRIBER_ID_PATTERN } from '../../src-preload/contract/api/operation-object.ts';

/** Where the time of an id begins: 2020-01-01 in UTC, in epoch milliseconds. 41 bits of it last until 2089. */
const EPOCH_MS = 1_577_836_800_000;
/** Bits below the time. */
const LOW_BITS = 22n;
/** Where the numbers of a millisecond begin at most, and how far they are apart at most: they do not reveal how many there are. */
const FIRST_BELOW = 2 ** 20;
const STEP_BELOW = 256;

/** Makes Snowflake ids: 41 bits of milliseconds since 2020 and 22 bits that part those of one. They only grow, wherever the clock goes. */
export class SnowflakeIds {
  #last: bigint;

  /** @param last the largest id that was given ever, 0 for none */
  constructor(last: bigint) {
    this.#last = last;
  }

  /** The largest id so far. */
  get last(): bigint {
    return this.#last;
  }

  /** The next id. Where the clock stepped back its time is that of the id before. @param nowMs epoch milliseconds */
  next(nowMs: number): bigint {
    const time = BigInt(Math.max(0, Math.floor(nowMs) - EPOCH_MS));
    this.#last =
      time > this.#last >> LOW_BITS
        ? (time << LOW_BITS) + BigInt(randomInt(FIRST_BELOW))
        : this.#last + BigInt(1 + randomInt(STEP_BELOW));
    return this.#last;
  }
}

/** When an id was made, in epoch milliseconds. */
export function timeOfId(id: bigint): number {
  return Number(id >> LOW_BITS) + EPOCH_MS;
}

/** The smallest id of a time. @param atMs epoch milliseconds */
export function firstIdOf(atMs: number): bigint {
  return BigInt(Math.max(0, Math.ceil(atMs) - EPOCH_MS)) << LOW_BITS;
}

/** An id as it goes over the wire: eight bytes, big-endian, in base64 (RFC 4648 section 4) with `-`, `_` and `.` for `+`, `/` and `=`. */
export function printId(id: bigint): string {
  const bytes = Buffer.alloc(8);
  bytes.writeBigUInt64BE(id);
  // Of eight bytes there is one sign of padding.
  return `${bytes.toString('base64url')}.`;
}

/** Reads an id; undefined for what is none. */
export function readId(text: string): bigint | undefined {
  if (!SUBSCRIBER_ID_PATTERN.test(text)) return undefined;
  const bytes = Buffer.from(text.slice(0, -1), 'base64url');
  const id = bytes.readBigUInt64BE();
  return id >> 63n === 0n && printId(id) === text ? id : undefined;
}
