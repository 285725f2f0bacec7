import { createHash } from 'node:crypto';

/** What the chain of a portal begins with: 32 bytes of zero. */
export const CHAIN_START: Uint8Array = new Uint8Array(32);

/** The hash of a record: SHA-256 of the hash before it, and of the record as canonical JSON. */
export function chainHash(previous: Uint8Array, record: string): Uint8Array {
  return createHash('sha256').update(previous).update(record).digest();
}
