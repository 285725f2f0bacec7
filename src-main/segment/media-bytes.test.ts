import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  bytesInMemory,
  cutPieces,
  retainMedia,
  readMedia,
  sizeOfPiece,
  type MediaBytes,
  type MediaFile,
  type Piece,
} from './media-bytes.ts';
import { firstUse, isUsed } from './shared-use.ts';
import type { SharedBytes } from './window-event.ts';

/** Reusable memory with one reader: its window. */
function counted(): SharedBytes {
  const bytes = { buffer: new SharedArrayBuffer(16), offset: 8, length: 8, useOffset: 0 };
  firstUse(bytes);
  return bytes;
}

function uses({ buffer, useOffset }: SharedBytes): number {
  return Atomics.load(new Int32Array(buffer, useOffset, 1), 0);
}

function mediaOf(...pieces: Piece[]): MediaBytes {
  return { pieces, sizeBytes: pieces.reduce((sum, piece) => sum + sizeOfPiece(piece), 0) };
}

const file = (bytes: Uint8Array): MediaFile => ({
  read: (offset, sizeBytes) => Promise.resolve(bytes.subarray(offset, offset + sizeBytes)),
});
const inMemory = (...bytes: readonly number[]): Piece => ({ bytes: Uint8Array.from(bytes) });

describe('MediaBytes', () => {
  it('are read piece by piece, from memory and from files', async () => {
    const recorded = file(Uint8Array.of(10, 11, 12, 13));
    const media = mediaOf(inMemory(1, 2), { file: recorded, offset: 1, sizeBytes: 2 }, inMemory(3));
    expect(media.sizeBytes).toBe(5);
    expect(bytesInMemory(media)).toBeUndefined();
    expect([...(await readMedia(media))]).toEqual([1, 2, 11, 12, 3]);
  });

  it('are not copied if they are one piece in memory', async () => {
    const bytes = Uint8Array.of(1, 2, 3);
    expect(bytesInMemory(mediaOf({ bytes }))).toBe(bytes);
    expect(await readMedia(mediaOf({ bytes }))).toBe(bytes);
    expect(bytesInMemory(mediaOf())).toHaveLength(0);
  });

  it('retain their memory while a file is read, and release it after a failure', async () => {
    const memory = counted();
    const piece: Piece = { bytes: new Uint8Array(8), memory };
    const during: number[] = [];
    const failing: MediaFile = {
      read: () => {
        during.push(uses(memory));
        return Promise.reject(new Error('EIO'));
      },
    };
    await expect(readMedia(mediaOf(piece, { file: failing, offset: 0, sizeBytes: 1 }))).rejects.toThrow('EIO');
    const working: MediaFile = { read: () => (during.push(uses(memory)), Promise.resolve(Uint8Array.of(1))) };
    expect(await readMedia(mediaOf(piece, { file: working, offset: 0, sizeBytes: 1 }))).toHaveLength(9);
    expect([during, uses(memory)]).toEqual([[2, 2], 1]);
  });

  it('are released only once, however often the end is reported', () => {
    const memory = counted();
    const media = mediaOf({ bytes: new Uint8Array(8), memory }, inMemory(1));
    const [first, second] = [retainMedia([media]), retainMedia([media, media])];
    expect(uses(memory)).toBe(4);
    first();
    first();
    expect(uses(memory)).toBe(3);
    second();
    second();
    expect([uses(memory), !isUsed(new Int32Array(memory.buffer, memory.useOffset, 1), 0)]).toEqual([1, false]);
  });
});

/** A file with the given bytes. */
function fileOf(bytes: Uint8Array): MediaFile {
  return { read: (offset, sizeBytes) => Promise.resolve(bytes.subarray(offset, offset + sizeBytes)) };
}

describe('cutPieces', () => {
  it('returns the same bytes as cutting the joined body', () => {
    const body = fc.array(fc.record({ bytes: fc.uint8Array({ maxLength: 20 }), isFile: fc.boolean() }), {
      minLength: 1,
      maxLength: 8,
    });
    return fc.assert(
      fc.asyncProperty(body, fc.nat(200), fc.nat(200), async (list, a, b) => {
        const joined = Buffer.concat(list.map(({ bytes }) => bytes));
        const pieces = list.map(({ bytes, isFile }): Piece =>
          isFile ? { file: fileOf(bytes), offset: 0, sizeBytes: bytes.length } : { bytes },
        );
        const first = Math.min(a, b);
        const end = Math.max(a, b) + 1;
        const cut = await Promise.all(
          cutPieces(pieces, first, end).map((piece) => readMedia({ sizeBytes: sizeOfPiece(piece), pieces: [piece] })),
        );
        expect(Buffer.concat(cut).equals(joined.subarray(first, end))).toBe(true);
      }),
    );
  });
});
