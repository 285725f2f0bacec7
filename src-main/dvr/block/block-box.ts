import { crc32 } from 'node:zlib';

/** What a box of Airdesk in a block says: what the file is, what bytes follow, or where everything lies. */
export type BlockBoxKind = 'head' | 'run ' | 'indx';

/** Names the boxes of Airdesk among all `uuid` boxes (ISO/IEC 14496-12, 11.1): 2c6f9d0b-8a3e-5d41-9b7c-61697264736b. */
const USER_TYPE = Buffer.from('2c6f9d0b8a3e5d419b7c61697264736b', 'hex');
const UUID = 0x75756964;

/** Bytes of a box before its body: size, `uuid`, the name, the kind. */
export const BLOCK_BOX_START_BYTES = 28;
/** Bytes of a box behind its body: the checksum. */
const CHECKSUM_BYTES = 4;
/** Everything of a box but its body. */
const BLOCK_BOX_BYTES = BLOCK_BOX_START_BYTES + CHECKSUM_BYTES;
/** Longest box that is read: what is longer is damage. */
export const MAX_BOX_BYTES = 16 << 20;

/**
 * Writes a box. Every other program passes over it, as over any `uuid` box that it does not know.
 *
 * @param before bytes in front of the box that its checksum (CRC-32 of zlib) covers, too
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

/** The kind and the whole length of the box that begins with these bytes; undefined where no box of Airdesk does, or one that cannot be. */
export function readBlockBoxStart(bytes: Buffer): { readonly kind: string; readonly sizeBytes: number } | undefined {
  if (bytes.length < BLOCK_BOX_START_BYTES) return undefined;
  if (bytes.readUInt32BE(4) !== UUID || !bytes.subarray(8, 24).equals(USER_TYPE)) return undefined;
  const sizeBytes = bytes.readUInt32BE(0);
  if (sizeBytes < BLOCK_BOX_BYTES || sizeBytes > MAX_BOX_BYTES) return undefined;
  return { kind: bytes.toString('latin1', 24, 28), sizeBytes };
}

/** The body of a whole box of this kind; undefined where it is another one, or its checksum does not fit. */
export function readBlockBox(kind: BlockBoxKind, box: Buffer, before?: Uint8Array): Buffer | undefined {
  const start = readBlockBoxStart(box);
  if (start?.kind !== kind || start.sizeBytes !== box.length) return undefined;
  const end = box.length - CHECKSUM_BYTES;
  return box.readUInt32BE(end) === checksumOf(box, before) ? box.subarray(BLOCK_BOX_START_BYTES, end) : undefined;
}

function checksumOf(box: Buffer, before: Uint8Array | undefined): number {
  return crc32(box.subarray(0, box.length - CHECKSUM_BYTES), before ? crc32(before) : 0);
}
