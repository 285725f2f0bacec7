import type { KeyObject } from 'node:crypto';
import type { Operation } from '../../src-preload/contract/api/subscribers/operation-object.ts';
import { canonicalJson } from './canonical-json.ts';
import { CHAIN_START, chainHash } from './hash-chain.ts';
import { digestHash, isSigned, type SignedDigest } from './log-digest.ts';

/** Record of the log with its position in the chain. */
export interface LogRecord {
  readonly sequence: number;
  /** Hexadecimal. */
  readonly hash: string;
  readonly operation: Operation;
}

/**
 * End of a log when its verification or export started. It is not signed, and covers the records after the last digest.
 */
export interface LogHead {
  /** Sequence of the last record. */
  readonly head: number;
  /** Hash of the last record, hexadecimal. */
  readonly hash: string;
}

/** A fault of a log. */
export interface LogFault {
  readonly kind:
    | 'changed'
    | 'removed'
    | 'inserted'
    | 'reordered'
    /** The chain differs from a signed digest. */
    | 'digest_mismatch'
    | 'digest_changed'
    | 'digest_removed';
  /** Sequence of the record, or of the last record of the digest. */
  readonly sequence: number;
  /** Null if the record is missing, and for digests. */
  readonly operationId: string | null;
}

/** Result of a verification. */
export interface LogReport {
  readonly isIntact: boolean;
  readonly records: number;
  readonly digests: number;
  /** Sequence of the last record covered by a digest. */
  readonly signedUntil: number;
  /** The first faults, at most 100. */
  readonly faults: readonly LogFault[];
  readonly faultCount: number;
  /** Number of records after a gap that could not be verified, because the hash before them is unknown. */
  readonly uncheckedRecords: number;
}

const MAX_FAULTS = 100;
/** Maximum number of gaps that are remembered because their records may still follow. */
const MAX_GAPS = 1000;

/** Range of missing records, with the data to verify records that follow late. */
interface Gap {
  readonly first: number;
  readonly last: number;
  /** Hash of the record before the gap; undefined if unknown. */
  readonly hashBefore: Uint8Array | undefined;
  /** Record after the gap, until it is verified. */
  readonly after: UncheckedRecord | undefined;
}

interface UncheckedRecord {
  readonly text: string;
  readonly hash: string;
  readonly operationId: string;
}

/**
 * Verifies the log of a portal: first its digests, then the end of the log, then its records in order. It needs only these and
 * the public key.
 */
export class LogVerifier {
  readonly #publicKey: KeyObject;
  readonly #faults: LogFault[] = [];
  #faultCount = 0;
  #records = 0;
  #expected = 1;
  #previous: Uint8Array = CHAIN_START;
  /** Gaps by their last record. */
  readonly #gaps = new Map<number, Gap>();
  #uncheckedRecords = 0;
  /** Signed hashes by the sequence of their record. */
  readonly #signed = new Map<number, string>();
  #digests = 0;
  #digestNumber = 0;
  #digestHash: string | undefined = '';
  #signedUntil = 0;
  #head: LogHead = { head: 0, hash: '' };

  constructor(publicKey: KeyObject) {
    this.#publicKey = publicKey;
  }

  /** Adds the next line of an export. Throws `SyntaxError` if it is not JSON. */
  addLine(line: string): void {
    // An export contains digests, the end of the log, and records.
    const value = JSON.parse(line) as SignedDigest | LogHead | LogRecord;
    if ('digest' in value) this.addDigest(value);
    else if ('head' in value) this.addHead(value);
    else this.addRecord(value);
  }

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

  /** Sets the end of the log. */
  addHead(head: LogHead): void {
    this.#head = head;
  }

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
        first: this.#expected,
        last: sequence - 1,
        hashBefore: this.#previous,
        after: isChecked ? undefined : record,
      });
    }
    const isOther = sequence === this.#head.head && hash !== this.#head.hash;
    if (isOther && this.#faultCount === faultsBefore) this.#add({ kind: 'changed', sequence, operationId });
    this.#previous = Buffer.from(hash, 'hex');
    this.#expected = sequence + 1;
  }

  /** Result of the verification, after the last record was added. */
  report(): LogReport {
    for (const gap of this.#gaps.values()) this.#removed(gap);
    this.#gaps.clear();
    // Digests and the end of the log prove records that are missing.
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

  /** Adds a record that follows a record with a higher number: it fills a gap, or was inserted. */
  #addLate(sequence: number, record: UncheckedRecord): void {
    const { operationId, hash } = record;
    const gap = this.#gapOf(sequence);
    this.#add({ kind: gap ? 'reordered' : 'inserted', sequence, operationId });
    if (!gap) return;
    const { first, last, hashBefore, after } = gap;
    this.#gaps.delete(last);
    const isChecked = this.#check(sequence, record, sequence === first ? hashBefore : this.#signedHash(sequence - 1));
    if (sequence > first) this.#open({ first, last: sequence - 1, hashBefore, after: isChecked ? undefined : record });
    const recordHash = Buffer.from(hash, 'hex');
    if (sequence < last) this.#open({ first: sequence + 1, last, hashBefore: recordHash, after });
    else if (after) this.#check(sequence + 1, after, recordHash);
  }

  #gapOf(sequence: number): Gap | undefined {
    for (const gap of this.#gaps.values()) if (gap.first <= sequence && sequence <= gap.last) return gap;
    return undefined;
  }

  #open(gap: Gap): void {
    this.#gaps.set(gap.last, gap);
    if (this.#gaps.size <= MAX_GAPS) return;
    for (const oldest of this.#gaps.values()) {
      this.#gaps.delete(oldest.last);
      this.#removed(oldest);
      return;
    }
  }

  /** Reports the records of a gap as removed. */
  #removed({ first, last, after }: Gap): void {
    if (after) this.#uncheckedRecords++;
    this.#addRemoved(first, last);
  }

  #addRemoved(first: number, last: number): void {
    const listed = Math.min(last, first + MAX_FAULTS - this.#faults.length - 1);
    for (let sequence = first; sequence <= listed; sequence++)
      this.#add({ kind: 'removed', sequence, operationId: null });
    this.#faultCount += Math.max(0, last - Math.max(first - 1, listed));
  }

  #signedHash(sequence: number): Uint8Array | undefined {
    const hash = this.#signed.get(sequence);
    return hash === undefined ? undefined : Buffer.from(hash, 'hex');
  }

  /**
   * Verifies a record against the previous hash.
   * @returns false if the previous hash is unknown
   */
  #check(sequence: number, { text, hash, operationId }: UncheckedRecord, previous: Uint8Array | undefined): boolean {
    if (!previous) return false;
    if (hashOf(previous, text) !== hash && hashOf(previous, olderForm(text, operationId)) !== hash)
      this.#add({ kind: 'changed', sequence, operationId });
    return true;
  }

  #add(fault: LogFault): void {
    this.#faultCount++;
    if (this.#faults.length < MAX_FAULTS) this.#faults.push(fault);
  }
}

function hashOf(previous: Uint8Array, text: string): string {
  return Buffer.from(chainHash(previous, text)).toString('hex');
}

/** A record as it was hashed when ids of operations were printed with `-`, `_` and `.` for `+`, `/` and `=`. */
function olderForm(text: string, operationId: string): string {
  const older = operationId.replaceAll('+', '-').replaceAll('/', '_').replace('=', '.');
  return text.replace(`"operationId":${JSON.stringify(operationId)}`, `"operationId":${JSON.stringify(older)}`);
}
