import { ByteReader } from './byte-reader.ts';

/** Position of a box (ISO/IEC 14496-12, 4.2) in its bytes. */
export interface Box {
  /** Four characters. */
  readonly type: string;
  readonly start: number;
  /** Index of the first byte after size and type. */
  readonly bodyStart: number;
  /** Index after the last byte. */
  readonly end: number;
}

/** Maximum number of boxes per level; more are ignored. Real files have far fewer. */
const MAX_BOXES = 4096;

/** Start of a box: type, total size (0: up to the end of the file) and header size. */
export interface BoxStart {
  readonly type: string;
  readonly sizeBytes: number;
  readonly headerBytes: number;
}

/** Maximum size of a box header. */
export const MAX_BOX_START_BYTES = 16;

/** Reads size and type of the box at `at`; undefined if they are incomplete or invalid. */
export function readBoxStart(bytes: Uint8Array, at: number, end = bytes.length): BoxStart | undefined {
  if (end - at < 8) return undefined;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const size = view.getUint32(at);
  const type = fourCharacters(view.getUint32(at + 4));
  if (size !== 1) return size === 0 || size >= 8 ? { type, sizeBytes: size, headerBytes: 8 } : undefined;
  if (end - at < 16) return undefined;
  const large = view.getUint32(at + 8) * 0x1_0000_0000 + view.getUint32(at + 12);
  return large >= 16 && Number.isSafeInteger(large) ? { type, sizeBytes: large, headerBytes: 16 } : undefined;
}

/** Adjacent complete boxes between two offsets. */
export function readBoxes(bytes: Uint8Array, start = 0, end = bytes.length): Box[] {
  const boxes: Box[] = [];
  let at = start;
  while (boxes.length < MAX_BOXES) {
    const head = readBoxStart(bytes, at, end);
    if (!head) break;
    const boxEnd = head.sizeBytes === 0 ? end : at + head.sizeBytes;
    if (boxEnd > end) break;
    boxes.push({ type: head.type, start: at, bodyStart: at + head.headerBytes, end: boxEnd });
    at = boxEnd;
  }
  return boxes;
}

/** First box on a path of types. */
export function findBox(bytes: Uint8Array, path: readonly string[], start = 0, end = bytes.length): Box | undefined {
  let found: Box | undefined;
  let from = start;
  let to = end;
  for (const type of path) {
    found = readBoxes(bytes, from, to).find((box) => box.type === type);
    if (!found) return undefined;
    from = found.bodyStart;
    to = found.end;
  }
  return found;
}

/** Four characters of a type that was read as a number. */
function fourCharacters(code: number): string {
  return String.fromCharCode(code >>> 24, (code >>> 16) & 0xff, (code >>> 8) & 0xff, code & 0xff);
}

/** Cursor over the body of a box. */
export function bodyOf(bytes: Uint8Array, box: Box): ByteReader {
  return new ByteReader(bytes, box.bodyStart, box.end);
}
