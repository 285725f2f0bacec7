import { createHash, sign, verify, type KeyObject } from 'node:crypto';
import { canonicalJson } from './canonical-json.ts';

/** Hourly signed summary of the log of a portal. Hours without records are signed too, so that silence is proven. */
export interface LogDigest {
  readonly portalId: string;
  /** Counted from 1, without gaps. */
  readonly number: number;
  /** Covered period, ISO 8601 in UTC; the first one after a downtime covers the downtime too. */
  readonly from: string;
  readonly to: string;
  /** Sequence and hash (hexadecimal) of the newest record; 0 and the start of the chain if there is none. */
  readonly lastSequence: number;
  readonly headHash: string;
  /** Hash of the previous digest with its signature, hexadecimal; empty for the first. */
  readonly previousHash: string;
  readonly signedAt: string;
}

/** A digest with its signature, in base64. */
export interface SignedDigest {
  readonly digest: LogDigest;
  readonly signature: string;
}

/** Signs a digest as canonical JSON (Ed25519, RFC 8032). */
export function signDigest(digest: LogDigest, privateKey: KeyObject): SignedDigest {
  return { digest, signature: sign(null, textOf(digest), privateKey).toString('base64') };
}

/** Verifies the signature of a digest. */
export function isSigned({ digest, signature }: SignedDigest, publicKey: KeyObject): boolean {
  return verify(null, textOf(digest), publicKey, Buffer.from(signature, 'base64'));
}

/** Hash with which the next digest refers to this one. */
export function digestHash({ digest, signature }: SignedDigest): string {
  return createHash('sha256').update(textOf(digest)).update(signature).digest('hex');
}

function textOf(digest: LogDigest): Uint8Array {
  return Buffer.from(canonicalJson({ ...digest }));
}
