import { readBoxStart } from '../../../media/containers/isobmff/box.ts';

/** Container of a segment by its first bytes: name and type are not reliable. */
export type SegmentKind = 'mpegts' | 'fmp4' | 'packed-audio';

const PACKET_BYTES = 188;
const SYNC = 0x47;

/** Boxes at the start of a segment of fragmented MP4. */
const FIRST_BOXES: ReadonlySet<string> = new Set([
  'styp',
  'ftyp',
  'moof',
  'moov',
  'sidx',
  'ssix',
  'prft',
  'emsg',
  'mdat',
  'free',
  'skip',
  'uuid',
]);

/** Container of a segment; undefined if HLS does not define it. */
export function segmentKindOf(bytes: Uint8Array): SegmentKind | undefined {
  if (bytes[0] === SYNC && (bytes.length < 2 * PACKET_BYTES || bytes[PACKET_BYTES] === SYNC)) return 'mpegts';
  const box = readBoxStart(bytes, 0);
  if (box && FIRST_BOXES.has(box.type)) return 'fmp4';
  if (isPackedAudio(bytes)) return 'packed-audio';
  return hasGrid(bytes) ? 'mpegts' : undefined;
}

/** Whether the bytes start with an ID3 tag, or with the sync word of ADTS, MPEG audio or AC-3. */
function isPackedAudio(bytes: Uint8Array): boolean {
  const [first, second, third] = bytes;
  if (first === 0x49 && second === 0x44 && third === 0x33) return true;
  return (first === 0xff && ((second ?? 0) & 0xe0) === 0xe0) || (first === 0x0b && second === 0x77);
}

/** Whether the bytes are a transport stream with bytes before its first complete packet. */
function hasGrid(bytes: Uint8Array): boolean {
  for (let at = 0; at < 2 * PACKET_BYTES; at++) {
    if (bytes[at] === SYNC && bytes[at + PACKET_BYTES] === SYNC && bytes[at + 2 * PACKET_BYTES] === SYNC) return true;
  }
  return false;
}
