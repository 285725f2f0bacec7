/** The kinds of files that Airdesk plays. */
export type FileKind = 'mpegts' | 'mp4' | 'matroska';

/** Bytes from the start of a file that decide about its kind. */
export const KIND_BYTES = 4096;

/** Distances from packet to packet: plain, with a time stamp, with Reed-Solomon bytes. */
const STRIDES = [188, 192, 204] as const;
const SYNC_BYTE = 0x47;
/** Packets in a row that must start with the sync byte, where the file has so many. */
const SURE_PACKETS = 5;

/** Boxes that an MP4 or QuickTime file starts with. */
const FIRST_BOXES = new Set(['ftyp', 'styp', 'moov', 'moof', 'mdat', 'free', 'skip', 'wide', 'pnot', 'prft', 'sidx']);

/** The id of an EBML header (RFC 8794, 11.2.1), with which MKV and WebM files begin. */
const EBML = [0x1a, 0x45, 0xdf, 0xa3] as const;

/** Finds the kind of a file by its first bytes; its name is ignored. */
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
  const packets = Math.min(SURE_PACKETS, Math.floor((head.length - start) / stride));
  for (let i = 0; i < packets; i++) {
    if (head[start + i * stride] !== SYNC_BYTE) return false;
  }
  return true;
}
