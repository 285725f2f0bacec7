import type { MediaFile, Piece } from '../../segment/media-bytes.ts';
import { SharedReads, type BorrowedBytes } from './shared-reads.ts';

/** Maximum size of one read of a file, in bytes. */
export const READ_BYTES = 256 * 1024;
/** Maximum gap between two pieces of a file that are read together, in bytes. */
const MAX_GAP_BYTES = 32 * 1024;

/** Bytes that are written together: from memory, or from one read of a file. */
export type NextBytes =
  | { readonly bytes: Uint8Array }
  | {
      readonly file: MediaFile;
      readonly offset: number;
      readonly sizeBytes: number;
      /** Ranges of the read that belong to the body. */
      readonly cuts: readonly (readonly [from: number, end: number])[];
    };

/** Bytes that were read. */
export interface ReadBytes {
  readonly bytes: readonly Uint8Array[];
  /** Releases the bytes. */
  done(): void;
}

/** Recent reads of all viewers. */
const shared = new SharedReads(READ_BYTES);

/** Plans the reads of pieces: adjacent parts of a file in one read, long pieces in several. */
export function* piecesInReads(pieces: readonly Piece[]): Generator<NextBytes, void> {
  let file: MediaFile | undefined;
  let offset = 0;
  let cuts: [number, number][] = [];
  const flush = function* (): Generator<NextBytes, void> {
    const end = cuts.at(-1)?.[1] ?? 0;
    if (file && end > 0) yield { file, offset, sizeBytes: end, cuts };
    file = undefined;
    cuts = [];
  };
  for (const piece of pieces) {
    if (!('file' in piece)) {
      yield* flush();
      yield { bytes: piece.bytes };
      continue;
    }
    for (let at = piece.offset; at < piece.offset + piece.sizeBytes;) {
      const end = cuts.at(-1)?.[1] ?? 0;
      const isNear = piece.file === file && at >= offset + end && at - offset - end <= MAX_GAP_BYTES;
      if (!isNear || at - offset >= READ_BYTES) {
        yield* flush();
        file = piece.file;
        offset = at;
      }
      const sizeBytes = Math.min(piece.offset + piece.sizeBytes - at, READ_BYTES - (at - offset));
      cuts.push([at - offset, at - offset + sizeBytes]);
      at += sizeBytes;
    }
  }
  yield* flush();
}

/** Reads the next bytes. Rejects with the error of the file. */
export async function readNext(next: NextBytes): Promise<ReadBytes> {
  if ('bytes' in next) return { bytes: [next.bytes], done: () => undefined };
  const { file, offset, sizeBytes, cuts } = next;
  const { bytes, done } = await shared.read(file, offset, sizeBytes);
  return { bytes: cuts.map(([from, end]) => bytes.subarray(from, end)), done };
}

/** Cached read plans of pieces that are requested repeatedly. */
const plans = new WeakMap<readonly Piece[], readonly NextBytes[]>();

function planOf(pieces: readonly Piece[]): readonly NextBytes[] {
  const cached = plans.get(pieces);
  if (cached) return cached;
  const plan = [...piecesInReads(pieces)];
  plans.set(pieces, plan);
  return plan;
}

/** All pieces of a short body if they are cached; undefined if some are not. */
export function cachedBody(pieces: readonly Piece[]): ReadBytes | undefined {
  const bytes: Uint8Array[] = [];
  const borrowed: BorrowedBytes[] = [];
  const done = (): void => {
    for (const one of borrowed) one.done();
  };
  for (const next of planOf(pieces)) {
    if ('bytes' in next) {
      bytes.push(next.bytes);
      continue;
    }
    const found = shared.cached(next.file, next.offset, next.sizeBytes);
    if (!found) {
      done();
      return undefined;
    }
    borrowed.push(found);
    for (const [from, end] of next.cuts) bytes.push(found.bytes.subarray(from, end));
  }
  return { bytes, done };
}

/** Reads all pieces of a short body. Rejects with the error of a file. */
export async function readWhole(pieces: readonly Piece[]): Promise<ReadBytes> {
  const reads = await Promise.allSettled(planOf(pieces).map(async (next) => readNext(next)));
  const found = reads.flatMap((read) => (read.status === 'fulfilled' ? [read.value] : []));
  const done = (): void => {
    for (const one of found) one.done();
  };
  const failed = reads.find((read) => read.status === 'rejected');
  if (!failed) return { bytes: found.flatMap(({ bytes }) => bytes), done };
  done();
  throw failed.reason;
}
