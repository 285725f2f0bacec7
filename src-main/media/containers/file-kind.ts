/** Supported kinds of files. */
export type FileKind = 'mpegts' | 'mp4' | 'matroska';

/** Bytes from the start of a file needed to detect its kind. */
export const KIND_BYTES = 4096;

/**
 * Distances from one sync byte to the next: packets alone, packets with a time stamp of 4 bytes, packets with 16 Reed-Solomon
 * bytes.
 */
const STRIDES = [188, 192, 204] as const;
const SYNC_BYTE = 0x47;
/** Maximum number of consecutive packets that are checked for the sync byte; two are enough in a short file. */
const MAX_CHECKED_PACKETS = 5;

/** Boxes at the start of an MP4 or QuickTime file. */
const FIRST_BOXES = new Set(['ftyp', 'styp', 'moov', 'moof', 'mdat', 'free', 'skip', 'wide', 'pnot', 'prft', 'sidx']);

/** Id of an EBML header (RFC 8794, 11.2.1), at the start of MKV and WebM files. */
const EBML = [0x1a, 0x45, 0xdf, 0xa3] as const;

/** Detects the kind of a file by its first bytes; its name is ignored. */
export function fileKindOf(head: Uint8Array): FileKind | undefined {
  if (head.length >= 8 && FIRST_BOXES.has(String.fromCharCode(...head.subarray(4, 8)))) return 'mp4';
  if (EBML.every((byte, index) => head[index] === byte)) return 'matroska';
  for (const stride of STRIDES) {
    for (let start = 0; start < stride && start + 2 * stride <= head.length; start++) {
      if (isPacketGrid(head, start, stride)) return 'mpegts';
    }
  }
  return undefined;
}

function isPacketGrid(head: Uint8Array, start: number, stride: number): boolean {
  const packets = Math.min(MAX_CHECKED_PACKETS, Math.floor((head.length - start) / stride));
  for (let i = 0; i < packets; i++) {
    if (head[start + i * stride] !== SYNC_BYTE) return false;
  }
  return true;
}
