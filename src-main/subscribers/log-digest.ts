import { createHash, sign, verify, type KeyObject } from 'node:crypto';
import { canonicalJson } from './canonical-json.ts';

/** What is signed every hour of the log of a portal, also where nothing was recorded: silence is proven, too. */
export interface LogDigest {
  readonly portalId: string;
  /** Counted from 1, without a hole. */
  readonly number: number;
  /** The time that it is about, ISO 8601 in UTC; one that follows a time in which the server did not run is about all of it. */
  readonly from: string;
  readonly to: string;
  /** Sequence and hash, hexadecimal, of the newest record; 0 and the start of the chain where there is none. */
  readonly lastSequence: number;
  readonly headHash: string;
  /** Hash of the digest before with its signature, hexadecimal; empty for the first. */
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

/** Whether the signature of a digest is right. */
export function isSigned({ digest, signature }: SignedDigest, publicKey: KeyObject): boolean {
  return verify(null, textOf(digest), publicKey, Buffer.from(signature, 'base64'));
}

/** The hash by which the next digest refers to one. */
export function digestHash({ digest, signature }: SignedDigest): string {
  return createHash('sha256').update(textOf(digest)).update(signature).digest('hex');
}

function textOf(digest: LogDigest): Uint8Array {
  return Buffer.from(canonicalJson({ ...digest }));
}
