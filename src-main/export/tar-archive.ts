import { createReadStream } from 'node:fs';

/** File to pack. */
export interface PackedFile {
  /** Path in the archive, with `/`. */
  readonly name: string;
  readonly path: string;
  readonly sizeBytes: number;
  /** Epoch milliseconds. */
  readonly modifiedMs: number;
}

/** Block size of tar archives (POSIX.1-2024, pax). Two blocks of zeros end the archive. */
const BLOCK_BYTES = 512;
/** Maximum values of header fields; larger ones go into an extended header before it. */
const MAX_NAME_BYTES = 100;
const MAX_SIZE = 0o77777777777;

/** Size of an archive of these files. */
export function tarBytes(files: readonly PackedFile[]): number {
  const bytes = files.map((file) => headOf(file).length + padded(file.sizeBytes));
  return bytes.reduce((sum, one) => sum + one, 2 * BLOCK_BYTES);
}

/**
 * Streams a tar archive (pax) of these files, or its bytes from `first` to `last` (inclusive) without reading other files. Throws
 * if a file is missing or shorter than stated.
 */
export async function* tarOf(
  files: readonly PackedFile[],
  first = 0,
  last = Number.MAX_SAFE_INTEGER,
): AsyncGenerator<Uint8Array, void, undefined> {
  let at = 0;
  for (const part of partsOf(files)) {
    const size = part instanceof Uint8Array ? part.length : part.sizeBytes;
    const [from, to] = [Math.max(0, first - at), Math.min(size, last + 1 - at)];
    if (from < to) {
      if (part instanceof Uint8Array) yield part.subarray(from, to);
      else yield* readFile(part, from, to);
    }
    at += size;
    if (at > last) return;
  }
}

/** Parts of the archive in order: bytes and files. */
function* partsOf(files: readonly PackedFile[]): Generator<Uint8Array | PackedFile, void> {
  for (const file of files) {
    yield headOf(file);
    yield file;
    yield new Uint8Array(padded(file.sizeBytes) - file.sizeBytes);
  }
  yield new Uint8Array(2 * BLOCK_BYTES);
}

async function* readFile({ path }: PackedFile, from: number, to: number): AsyncGenerator<Uint8Array, void, undefined> {
  let read = 0;
  const options = { start: from, end: to - 1, highWaterMark: 1 << 20 };
  for await (const chunk of createReadStream(path, options) as AsyncIterable<Buffer>) {
    read += chunk.length;
    yield chunk;
  }
  if (read !== to - from) throw new Error(`${path} is shorter than it was`);
}

const padded = (bytes: number): number => Math.ceil(bytes / BLOCK_BYTES) * BLOCK_BYTES;

/** Header of a file, preceded by an extended header if a field is too small. */
function headOf({ name, sizeBytes, modifiedMs }: PackedFile): Buffer {
  const isPlain = /^[\x20-\x7e]*$/.test(name) && name.length <= MAX_NAME_BYTES;
  const records = [
    ...(isPlain ? [] : [paxRecord('path', name)]),
    ...(sizeBytes <= MAX_SIZE ? [] : [paxRecord('size', String(sizeBytes))]),
  ];
  const plainName = name.replace(/[^\x20-\x7e]/g, '_').slice(-MAX_NAME_BYTES);
  const fileHeader = header(plainName, sizeBytes <= MAX_SIZE ? sizeBytes : 0, modifiedMs, '0');
  if (records.length === 0) return fileHeader;
  const extended = Buffer.from(records.join(''));
  const padding = Buffer.alloc(padded(extended.length) - extended.length);
  return Buffer.concat([header('PaxHeader', extended.length, modifiedMs, 'x'), extended, padding, fileHeader]);
}

/** Record of an extended header: its length including the length itself, then key and value. */
function paxRecord(key: string, value: string): string {
  const rest = Buffer.byteLength(` ${key}=${value}\n`);
  let length = rest + String(rest).length;
  if (rest + String(length).length !== length) length++;
  return `${length} ${key}=${value}\n`;
}

function header(name: string, sizeBytes: number, modifiedMs: number, type: '0' | 'x'): Buffer {
  const block = Buffer.alloc(BLOCK_BYTES);
  const octal = (value: number, at: number, digits: number): void => {
    block.write(`${value.toString(8).padStart(digits, '0')}\0`, at, 'latin1');
  };
  block.write(name, 0, 'latin1');
  octal(0o644, 100, 7);
  octal(0, 108, 7);
  octal(0, 116, 7);
  octal(sizeBytes, 124, 11);
  octal(Math.max(0, Math.floor(modifiedMs / 1000)), 136, 11);
  block.write(' '.repeat(8), 148, 'latin1');
  block.write(type, 156, 'latin1');
  block.write('ustar\u{0}00', 257, 'latin1');
  const sum = block.reduce((total, byte) => total + byte, 0);
  block.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148, 'latin1');
  return block;
}
