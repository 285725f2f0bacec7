import type { KeyObject } from 'node:crypto';
import type { Operation } from '../../src-preload/contract/api/operation-object.ts';
import { canonicalJson } from './canonical-json.ts';
import { CHAIN_START, chainHash } from './hash-chain.ts';
import { digestHash, isSigned, type SignedDigest } from './log-digest.ts';

/** A record of the log with its place in the chain. */
export interface LogRecord {
  readonly sequence: number;
  /** Hexadecimal. */
  readonly hash: string;
  readonly operation: Operation;
}

/** What is wrong with a log. */
export interface LogFault {
  readonly kind:
    | 'changed'
    | 'removed'
    | 'inserted'
    | 'reordered'
    /** The chain does not have what a digest signed. */
    | 'digest_mismatch'
    | 'digest_changed'
    | 'digest_removed';
  /** The record, or the last record of the digest. */
  readonly sequence: number;
  /** Null where it is not there, and for digests. */
  readonly operationId: string | null;
}

/** What came of it. */
export interface LogReport {
  readonly isIntact: boolean;
  readonly records: number;
  readonly digests: number;
  /** Up to which record digests vouch for the log. */
  readonly signedUntil: number;
  /** The first of them, at most 100. */
  readonly faults: readonly LogFault[];
  readonly faultCount: number;
}

const MOST_FAULTS = 100;
/** Records that are missing and may still come are remembered, at most so many. */
const MOST_MISSING = 100_000;

/** Verifies the log of a portal: its digests first, then its records in their order. Needs nothing but them and the public key. */
export class LogVerifier {
  readonly #publicKey: KeyObject;
  readonly #faults: LogFault[] = [];
  #faultCount = 0;
  #records = 0;
  #expected = 1;
  #previous: Uint8Array | undefined = CHAIN_START;
  readonly #missing = new Set<number>();
  /** Hashes that digests signed, by the sequence of their record. */
  readonly #signed = new Map<number, string>();
  #digests = 0;
  #digestNumber = 0;
  #digestHash: string | undefined = '';
  #signedUntil = 0;

  constructor(publicKey: KeyObject) {
    this.#publicKey = publicKey;
  }

  /** Takes the next digest. */
  addDigest(signed: SignedDigest): void {
    const { number, lastSequence, headHash, previousHash } = signed.digest;
    const at = { sequence: lastSequence, operationId: null };
    this.#digests++;
    const isNext = number === this.#digestNumber + 1;
    if (!isSigned(signed, this.#publicKey)) this.#add({ kind: 'digest_changed', ...at });
    else {
      if (!isNext) this.#add({ kind: 'digest_removed', ...at });
      else if (this.#digestHash !== undefined && previousHash !== this.#digestHash)
        this.#add({ kind: 'digest_changed', ...at });
      if (lastSequence > 0) this.#signed.set(lastSequence, headHash);
      this.#signedUntil = Math.max(this.#signedUntil, lastSequence);
    }
    this.#digestNumber = number;
    this.#digestHash = digestHash(signed);
  }

  /** Takes the next record. */
  addRecord({ sequence, hash, operation }: LogRecord): void {
    this.#records++;
    const { operationId } = operation;
    const signed = this.#signed.get(sequence);
    if (signed !== undefined && signed !== hash) this.#add({ kind: 'digest_mismatch', sequence, operationId });
    this.#signed.delete(sequence);
    if (sequence < this.#expected) {
      this.#add({ kind: this.#missing.delete(sequence) ? 'reordered' : 'inserted', sequence, operationId });
      return;
    }
    for (let missing = this.#expected; missing < sequence && this.#missing.size < MOST_MISSING; missing++)
      this.#missing.add(missing);
    // Behind a hole the hash before is not known.
    const previous = sequence === this.#expected ? this.#previous : undefined;
    const record = canonicalJson({ ...operation, sequence });
    if (previous && Buffer.from(chainHash(previous, record)).toString('hex') !== hash)
      this.#add({ kind: 'changed', sequence, operationId });
    this.#previous = Buffer.from(hash, 'hex');
    this.#expected = sequence + 1;
  }

  /** What came of it. */
  report(): LogReport {
    for (const sequence of this.#missing) this.#add({ kind: 'removed', sequence, operationId: null });
    this.#missing.clear();
    // Digests vouch for records that are not there any more.
    for (const sequence of this.#signed.keys())
      if (sequence >= this.#expected) this.#add({ kind: 'removed', sequence, operationId: null });
    this.#signed.clear();
    return {
      isIntact: this.#faultCount === 0,
      records: this.#records,
      digests: this.#digests,
      signedUntil: this.#signedUntil,
      faults: this.#faults.toSorted((a, b) => a.sequence - b.sequence),
      faultCount: this.#faultCount,
    };
  }

  #add(fault: LogFault): void {
    this.#faultCount++;
    if (this.#faults.length < MOST_FAULTS) this.#faults.push(fault);
  }
}
