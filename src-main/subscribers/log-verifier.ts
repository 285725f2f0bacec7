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

/** Where a log ended when its verification, or its export, began. It is not signed, and vouches for what no digest does yet. */
export interface LogHead {
  /** Sequence of the last record. */
  readonly head: number;
  /** Its hash, hexadecimal. */
  readonly hash: string;
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
  /** Records behind a hole whose content nothing vouches for: the hash before them is not known. */
  readonly uncheckedRecords: number;
}

const MOST_FAULTS = 100;
/** Holes whose records may still come are remembered, at most so many. */
const MOST_HOLES = 1000;

/** Records that are missing, from the first to the last, with what is needed to check those that come late. */
interface Hole {
  readonly first: number;
  readonly last: number;
  /** Hash of the record before it; undefined where it is not known. */
  readonly hashBefore: Uint8Array | undefined;
  /** The record behind it, as long as it could not be checked. */
  readonly after: UncheckedRecord | undefined;
}

interface UncheckedRecord {
  readonly text: string;
  readonly hash: string;
  readonly operationId: string;
}

/** Verifies the log of a portal: its digests first, where it ended, then its records in their order. Needs nothing but them and the public key. */
export class LogVerifier {
  readonly #publicKey: KeyObject;
  readonly #faults: LogFault[] = [];
  #faultCount = 0;
  #records = 0;
  #expected = 1;
  #previous: Uint8Array = CHAIN_START;
  /** By their last record. */
  readonly #holes = new Map<number, Hole>();
  #uncheckedRecords = 0;
  /** Hashes that digests signed, by the sequence of their record. */
  readonly #signed = new Map<number, string>();
  #digests = 0;
  #digestNumber = 0;
  #digestHash: string | undefined = '';
  #signedUntil = 0;
  #head: LogHead = { head: 0, hash: '' };

  constructor(publicKey: KeyObject) {
    this.#publicKey = publicKey;
  }

  /** Takes the next line of an export. Raises `SyntaxError` where it is no JSON. */
  addLine(line: string): void {
    // An export has these kinds of lines.
    const value = JSON.parse(line) as SignedDigest | LogHead | LogRecord;
    if ('digest' in value) this.addDigest(value);
    else if ('head' in value) this.addHead(value);
    else this.addRecord(value);
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

  /** Takes where the log ended. */
  addHead(head: LogHead): void {
    this.#head = head;
  }

  /** Takes the next record. */
  addRecord({ sequence, hash, operation }: LogRecord): void {
    this.#records++;
    const { operationId } = operation;
    const faultsBefore = this.#faultCount;
    const signed = this.#signed.get(sequence);
    if (signed !== undefined && signed !== hash) this.#add({ kind: 'digest_mismatch', sequence, operationId });
    const record = { text: canonicalJson({ ...operation, sequence }), hash, operationId };
    if (sequence < this.#expected) {
      this.#addLate(sequence, record);
      return;
    }
    if (sequence === this.#expected) this.#check(sequence, record, this.#previous);
    else {
      const isChecked = this.#check(sequence, record, this.#signedHash(sequence - 1));
      this.#open({
        ...{ first: this.#expected, last: sequence - 1, hashBefore: this.#previous },
        after: isChecked ? undefined : record,
      });
    }
    const isOther = sequence === this.#head.head && hash !== this.#head.hash;
    if (isOther && this.#faultCount === faultsBefore) this.#add({ kind: 'changed', sequence, operationId });
    this.#previous = Buffer.from(hash, 'hex');
    this.#expected = sequence + 1;
  }

  /** What came of it. */
  report(): LogReport {
    for (const hole of this.#holes.values()) this.#removed(hole);
    this.#holes.clear();
    // Digests, and where the log ended, vouch for records that are not there any more.
    const last = Math.max(this.#signedUntil, this.#head.head);
    this.#addRemoved(this.#expected, last);
    this.#expected = Math.max(this.#expected, last + 1);
    return {
      isIntact: this.#faultCount === 0,
      records: this.#records,
      digests: this.#digests,
      signedUntil: this.#signedUntil,
      faults: this.#faults.toSorted((a, b) => a.sequence - b.sequence),
      faultCount: this.#faultCount,
      uncheckedRecords: this.#uncheckedRecords,
    };
  }

  /** A record behind one that follows it: it fills a hole, or it is one too many. */
  #addLate(sequence: number, record: UncheckedRecord): void {
    const { operationId, hash } = record;
    const hole = this.#holeOf(sequence);
    this.#add({ kind: hole ? 'reordered' : 'inserted', sequence, operationId });
    if (!hole) return;
    const { first, last, hashBefore, after } = hole;
    this.#holes.delete(last);
    const isChecked = this.#check(sequence, record, sequence === first ? hashBefore : this.#signedHash(sequence - 1));
    if (sequence > first) this.#open({ first, last: sequence - 1, hashBefore, after: isChecked ? undefined : record });
    const own = Buffer.from(hash, 'hex');
    if (sequence < last) this.#open({ first: sequence + 1, last, hashBefore: own, after });
    else if (after) this.#check(sequence + 1, after, own);
  }

  #holeOf(sequence: number): Hole | undefined {
    for (const hole of this.#holes.values()) if (hole.first <= sequence && sequence <= hole.last) return hole;
    return undefined;
  }

  #open(hole: Hole): void {
    this.#holes.set(hole.last, hole);
    if (this.#holes.size <= MOST_HOLES) return;
    for (const oldest of this.#holes.values()) {
      this.#holes.delete(oldest.last);
      this.#removed(oldest);
      return;
    }
  }

  /** Nothing comes any more for a hole. */
  #removed({ first, last, after }: Hole): void {
    if (after) this.#uncheckedRecords++;
    this.#addRemoved(first, last);
  }

  #addRemoved(first: number, last: number): void {
    const listed = Math.min(last, first + MOST_FAULTS - this.#faults.length - 1);
    for (let sequence = first; sequence <= listed; sequence++)
      this.#add({ kind: 'removed', sequence, operationId: null });
    this.#faultCount += Math.max(0, last - Math.max(first - 1, listed));
  }

  #signedHash(sequence: number): Uint8Array | undefined {
    const hash = this.#signed.get(sequence);
    return hash === undefined ? undefined : Buffer.from(hash, 'hex');
  }

  /** Holds a record against the hash before it. @returns false where that is not known */
  #check(sequence: number, { text, hash, operationId }: UncheckedRecord, previous: Uint8Array | undefined): boolean {
    if (!previous) return false;
    if (Buffer.from(chainHash(previous, text)).toString('hex') !== hash)
      this.#add({ kind: 'changed', sequence, operationId });
    return true;
  }

  #add(fault: LogFault): void {
    this.#faultCount++;
    if (this.#faults.length < MOST_FAULTS) this.#faults.push(fault);
  }
}
