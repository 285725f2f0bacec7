import { createHash } from 'node:crypto';

/** Hash before the first record of a portal: 32 bytes of zero. */
export const CHAIN_START: Uint8Array = new Uint8Array(32);

/** Hash of a record: SHA-256 of the previous hash and the record as canonical JSON. */
export function chainHash(previous: Uint8Array, record: string): Uint8Array {
  return createHash('sha256').update(previous).update(record).digest();
}
