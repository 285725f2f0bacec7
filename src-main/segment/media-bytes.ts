import { release, retain } from './shared-use.ts';
import type { SharedBytes } from './window-event.ts';

/** Bytes in memory. */
interface MemoryPiece {
  readonly bytes: Uint8Array;
  /** Reused memory that holds `bytes`: a reader that continues in a later turn must retain it. */
  readonly memory?: SharedBytes;
}

/** Bytes in a file. */
interface FilePiece {
  readonly file: MediaFile;
  /** Offset in the file. */
  readonly offset: number;
  readonly sizeBytes: number;
}

/** Media file. The creator of a window over files decides how files are opened, and how many at once. */
export interface MediaFile {
  /** Reads exactly these bytes, or rejects with the error of the file. */
  read(offset: number, sizeBytes: number): Promise<Uint8Array>;
  /** Reads into existing memory as many bytes as it has. Optional: `readInto` copies otherwise. */
  readInto?(bytes: Uint8Array, offset: number): Promise<void>;
  /** Runs a reading task, and repeats it with other copies of the file while it fails. Absent if there are no copies. */
  tryCopies?<T>(task: (file: MediaFile) => Promise<T>): Promise<T>;
  /** Reads consecutive bytes into several buffers, each filled. Optional. */
  readPieces?(buffers: readonly Uint8Array[], offset: number): Promise<void>;
}

/** Fills `bytes` from a file, or rejects with the error of the file. */
export async function readInto(file: MediaFile, bytes: Uint8Array, offset: number): Promise<void> {
  if (file.readInto) await file.readInto(bytes, offset);
  else bytes.set(await file.read(offset, bytes.length));
}

/** Location of consecutive bytes: in memory or in a file. */
export type Piece = MemoryPiece | FilePiece;

/** Bytes of media in consecutive pieces. Their size is known without reading. */
export interface MediaBytes {
  /**
   * Looks up the location of the bytes; must be awaited before size and pieces are read. Absent if the location is already known.
   * Rejects with the error of a file.
   */
  readonly ready?: () => Promise<void>;
  /**
   * Checks that recorded media can be played; the bytes must not be sent unless it resolves. Absent if no check is needed.
   * Rejects with a RangeError for damage, or with the error of a file.
   */
  readonly check?: () => Promise<void>;
  readonly sizeBytes: number;
  readonly pieces: readonly Piece[];
}

export function sizeOfPiece(piece: Piece): number {
  return 'file' in piece ? piece.sizeBytes : piece.bytes.length;
}

/** Returns the bytes from `first` to `end` (exclusive) of a body in several pieces, without copying. */
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

/** Returns the bytes from `from` to `to` (exclusive) of a piece, without copying. */
export function cutPiece(piece: Piece, from: number, to: number): Piece {
  return 'file' in piece
    ? { file: piece.file, offset: piece.offset + from, sizeBytes: to - from }
    : { ...piece, bytes: piece.bytes.subarray(from, to) };
}

/** Returns all bytes if they are in memory; undefined if some must be read from a file. A single piece is not copied. */
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

/** Reads all bytes. Raises the error of a file. */
export async function readMedia(media: MediaBytes): Promise<Uint8Array> {
  const inMemory = bytesInMemory(media);
  if (inMemory) return inMemory;
  await media.ready?.();
  return whileRetained([media], async () =>
    joined(await Promise.all(media.pieces.map(async (piece) => readPiece(piece)))),
  );
}

/**
 * Whether an error means that media is missing or damaged, so that another attempt would fail as well. A disk that does not
 * answer is no such error.
 */
export function isLost(error: unknown): boolean {
  if (error instanceof RangeError) return true;
  return error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'EIO');
}

/** Runs a task of several turns and keeps the memory of `media` from being reused meanwhile. */
export async function whileRetained<T>(media: readonly MediaBytes[], task: () => Promise<T>): Promise<T> {
  const done = retainMedia(media);
  try {
    return await task();
  } finally {
    done();
  }
}

/** Keeps the memory of media from being reused. Returns the function that ends this; it may be called more than once. */
export function retainMedia(media: readonly MediaBytes[]): () => void {
  for (const one of media) if (!one.ready) retainAll(one);
  let isRetained = true;
  return () => {
    // Media whose location is looked up is in files.
    if (isRetained) for (const one of media) if (!one.ready) releaseMedia(one);
    isRetained = false;
  };
}

function retainAll({ pieces }: MediaBytes): void {
  for (const piece of pieces) if (!('file' in piece) && piece.memory) retain(piece.memory);
}

/** Releases media. */
export function releaseMedia({ pieces }: MediaBytes): void {
  for (const piece of pieces) if (!('file' in piece) && piece.memory) release(piece.memory);
}

function readPiece(piece: Piece): Uint8Array | Promise<Uint8Array> {
  return 'file' in piece ? piece.file.read(piece.offset, piece.sizeBytes) : piece.bytes;
}

function joined(pieces: readonly Uint8Array[]): Uint8Array {
  const [first] = pieces;
  return pieces.length === 1 && first ? first : Buffer.concat(pieces);
}
