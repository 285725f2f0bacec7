import { release, retain } from './shared-use.ts';
import type { SharedBytes } from './window-event.ts';

/** Bytes that lie in memory. */
interface MemoryPiece {
  readonly bytes: Uint8Array;
  /** The memory behind `bytes` where it is used again: a reader in a later turn holds a count on it meanwhile. */
  readonly memory?: SharedBytes;
}

/** Bytes that lie in a file. */
interface FilePiece {
  readonly file: MediaFile;
  /** First byte in the file. */
  readonly offset: number;
  readonly sizeBytes: number;
}

/** A file that media is read from. The maker of a window of files decides how they are opened, and how many at once. */
export interface MediaFile {
  /** Reads just these bytes. Raises what keeps it from reading all of them. */
  read(offset: number, sizeBytes: number): Promise<Uint8Array>;
  /** The same into memory that is there already, as many bytes as it has; a file that cannot do it is read and copied (`readInto`). */
  readInto?(bytes: Uint8Array, offset: number): Promise<void>;
  /** Reads bytes that lie one behind the other into several places, each filled; absent where a file cannot do it at once. */
  readPieces?(places: readonly Uint8Array[], offset: number): Promise<void>;
}

/** Reads as many bytes of a file into memory as there is room. Raises what keeps it from reading all of them. */
export async function readInto(file: MediaFile, bytes: Uint8Array, offset: number): Promise<void> {
  if (file.readInto) await file.readInto(bytes, offset);
  else bytes.set(await file.read(offset, bytes.length));
}

/** Where a run of bytes lies. */
export type Piece = MemoryPiece | FilePiece;

/** Bytes of media, one piece after the other. Their size is known without reading them. */
export interface MediaBytes {
  /**
   * Has to be waited for before size and pieces are asked for: where the bytes lie is looked up when they are wanted. Absent where it is known. Raises what
   * keeps a file from being read.
   */
  readonly ready?: () => Promise<void>;
  readonly sizeBytes: number;
  readonly pieces: readonly Piece[];
}

/** Length of a piece in bytes. */
export function sizeOfPiece(piece: Piece): number {
  return 'file' in piece ? piece.sizeBytes : piece.bytes.length;
}

/** The bytes from `first` up to `end` of a body that lies in several pieces. Nothing is copied. */
export function cutPieces(pieces: readonly Piece[], first: number, end: number): Piece[] {
  const result: Piece[] = [];
  let position = 0;
  for (const piece of pieces) {
    const sizeBytes = sizeOfPiece(piece);
    const from = Math.max(first - position, 0);
    const to = Math.min(end - position, sizeBytes);
    if (from < to) result.push(cutPiece(piece, from, to));
    position += sizeBytes;
  }
  return result;
}

/** The bytes from `from` up to `to` of a piece. Nothing is copied. */
export function cutPiece(piece: Piece, from: number, to: number): Piece {
  return 'file' in piece
    ? { file: piece.file, offset: piece.offset + from, sizeBytes: to - from }
    : { ...piece, bytes: piece.bytes.subarray(from, to) };
}

/** All bytes at once, where all of them lie in memory; undefined where some have to be read. One piece is not copied. */
export function bytesInMemory(media: MediaBytes): Uint8Array | undefined {
  if (media.ready) return undefined;
  const { pieces } = media;
  const found: Uint8Array[] = [];
  for (const piece of pieces) {
    if ('file' in piece) return undefined;
    found.push(piece.bytes);
  }
  return joined(found);
}

/** All bytes at once, read from wherever they lie. Raises what a file raises. */
export async function readMedia(media: MediaBytes): Promise<Uint8Array> {
  const known = bytesInMemory(media);
  if (known) return known;
  await media.ready?.();
  return holding([media], async () => joined(await Promise.all(media.pieces.map(async (piece) => readPiece(piece)))));
}

/** Runs a task of several turns while the memory of media is not used again. */
export async function holding<T>(media: readonly MediaBytes[], task: () => Promise<T>): Promise<T> {
  const done = hold(media);
  try {
    return await task();
  } finally {
    done();
  }
}

/** Keeps memory of media from being used again; returns the end of that, which may be called more than once. */
export function hold(media: readonly MediaBytes[]): () => void {
  for (const one of media) if (!one.ready) retainAll(one);
  let isHeld = true;
  return () => {
    // What is looked up lies in files.
    if (isHeld) for (const one of media) if (!one.ready) letGo(one);
    isHeld = false;
  };
}

function retainAll({ pieces }: MediaBytes): void {
  for (const piece of pieces) if (!('file' in piece) && piece.memory) retain(piece.memory);
}

/** A holder of media is done with it. */
export function letGo({ pieces }: MediaBytes): void {
  for (const piece of pieces) if (!('file' in piece) && piece.memory) release(piece.memory);
}

function readPiece(piece: Piece): Uint8Array | Promise<Uint8Array> {
  return 'file' in piece ? piece.file.read(piece.offset, piece.sizeBytes) : piece.bytes;
}

function joined(pieces: readonly Uint8Array[]): Uint8Array {
  const [first] = pieces;
  return pieces.length === 1 && first ? first : Buffer.concat(pieces);
}
