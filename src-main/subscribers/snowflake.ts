import { randomInt } from 'node:crypto';
import { ANY_ID_PATTERN } from '../../src-preload/contract/api/subscribers/operation-object.ts';

/** Epoch of the ids: 2020-01-01 in UTC, in epoch milliseconds. 41 bits of milliseconds last until 2089. */
const EPOCH_MS = 1_577_836_800_000;
/** Number of bits below the time. */
const LOW_BITS = 22n;
/**
 * Upper limits of the first number of a millisecond and of the steps between numbers. Random values hide the number of
 * ids.
 */
const FIRST_BELOW = 2 ** 20;
const STEP_BELOW = 256;

/**
 * Generates Snowflake ids: 41 bits of milliseconds since 2020 and 22 bits that distinguish ids of one millisecond. Ids
 * always grow, even if the clock steps back.
 */
export class SnowflakeIds {
  #last: bigint;

  /** @param last largest id ever generated, 0 for none */
  constructor(last: bigint) {
    this.#last = last;
  }

  /** Largest id so far. */
  get last(): bigint {
    return this.#last;
  }

  /**
   * Generates the next id. After a step back of the clock it keeps the time of the previous id.
   * @param nowMs epoch milliseconds
   */
  next(nowMs: number): bigint {
    const time = BigInt(Math.max(0, Math.floor(nowMs) - EPOCH_MS));
    this.#last =
      time > this.#last >> LOW_BITS
        ? (time << LOW_BITS) + BigInt(randomInt(FIRST_BELOW))
        : this.#last + BigInt(1 + randomInt(STEP_BELOW));
    return this.#last;
  }
}

/** Time of an id, in epoch milliseconds. */
export function timeOfId(id: bigint): number {
  return Number(id >> LOW_BITS) + EPOCH_MS;
}

/**
 * Smallest id of a time.
 * @param atMs epoch milliseconds
 */
export function firstIdOf(atMs: number): bigint {
  return BigInt(Math.max(0, Math.ceil(atMs) - EPOCH_MS)) << LOW_BITS;
}

/**
 * Prints the id of an object, a segment of paths: eight bytes, big-endian, in base64 (RFC 4648 section 4) with `-`, `_`
 * and `.` for `+`, `/` and `=`.
 */
export function printId(id: bigint): string {
  const bytes = Buffer.alloc(8);
  bytes.writeBigUInt64BE(id);
  // Eight bytes need one character of padding.
  return `${bytes.toString('base64url')}.`;
}

/** Prints the id of an operation: the same bytes in base64 (RFC 4648 section 4). */
export function printOperationId(id: bigint): string {
  return toStandardBase64(printId(id));
}

/** Parses an id in either alphabet; undefined if it is invalid. */
export function readId(text: string): bigint | undefined {
  if (!ANY_ID_PATTERN.test(text)) return undefined;
  const bytes = Buffer.from(text.slice(0, -1), 'base64');
  const id = bytes.readBigUInt64BE();
  const printed = printId(id);
  return id >> 63n === 0n && (printed === text || toStandardBase64(printed) === text) ? id : undefined;
}

function toStandardBase64(text: string): string {
  return text.replaceAll('-', '+').replaceAll('_', '/').replace('.', '=');
}
