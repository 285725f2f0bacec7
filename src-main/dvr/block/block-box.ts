import { crc32 } from 'node:zlib';

/** Kind of an Airdesk box in a block: file header, announcement of the bytes that follow, or index. */
export type BlockBoxKind = 'head' | 'run ' | 'indx';

/** Extended type of all Airdesk boxes (`uuid`, ISO/IEC 14496-12, 11.1): 2c6f9d0b-8a3e-5d41-9b7c-61697264736b. */
const USER_TYPE = Buffer.from('2c6f9d0b8a3e5d419b7c61697264736b', 'hex');
const UUID = 0x75756964;

/** Bytes before the body: size, `uuid`, extended type, kind. */
export const BLOCK_BOX_START_BYTES = 28;
/** Bytes after the body: the checksum. */
const CHECKSUM_BYTES = 4;
/** Size of a box without its body. */
const BLOCK_BOX_BYTES = BLOCK_BOX_START_BYTES + CHECKSUM_BYTES;
/** Maximum size of a box; a larger size means damage. */
export const MAX_BOX_BYTES = 16 << 20;

/**
 * Writes a box. Other programs skip it like any unknown `uuid` box.
 *
 * @param before bytes before the box that its checksum (CRC-32 of zlib) also covers
 */
export function writeBlockBox(kind: BlockBoxKind, body: Uint8Array, before?: Uint8Array): Buffer {
  const box = Buffer.alloc(BLOCK_BOX_BYTES + body.length);
  box.writeUInt32BE(box.length, 0);
  box.writeUInt32BE(UUID, 4);
  USER_TYPE.copy(box, 8);
  box.write(kind, 24, 'latin1');
  box.set(body, BLOCK_BOX_START_BYTES);
  box.writeUInt32BE(checksumOf(box, before), box.length - CHECKSUM_BYTES);
  return box;
}

/** Kind and total size of the box that starts with these bytes; undefined unless it is a valid Airdesk box. */
export function readBlockBoxStart(bytes: Buffer): { readonly kind: string; readonly sizeBytes: number } | undefined {
  if (bytes.length < BLOCK_BOX_START_BYTES) return undefined;
  if (bytes.readUInt32BE(4) !== UUID || !bytes.subarray(8, 24).equals(USER_TYPE)) return undefined;
  const sizeBytes = bytes.readUInt32BE(0);
  if (sizeBytes < BLOCK_BOX_BYTES || sizeBytes > MAX_BOX_BYTES) return undefined;
  return { kind: bytes.toString('latin1', 24, 28), sizeBytes };
}

/** Body of a complete box of this kind; undefined if the kind or the checksum does not match. */
export function readBlockBox(kind: BlockBoxKind, box: Buffer, before?: Uint8Array): Buffer | undefined {
  const start = readBlockBoxStart(box);
  if (start?.kind !== kind || start.sizeBytes !== box.length) return undefined;
  const end = box.length - CHECKSUM_BYTES;
  return box.readUInt32BE(end) === checksumOf(box, before) ? box.subarray(BLOCK_BOX_START_BYTES, end) : undefined;
}

function checksumOf(box: Buffer, before: Uint8Array | undefined): number {
  return crc32(box.subarray(0, box.length - CHECKSUM_BYTES), before ? crc32(before) : 0);
}
