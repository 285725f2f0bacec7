/** Start of an EBML element (RFC 8794, 4): its id with the marker bits, and the position of its data. */
export interface ElementStart {
  readonly id: number;
  /** Bytes of id and size. */
  readonly headBytes: number;
  /** Size of the data; undefined if unknown (RFC 8794, 6.2). */
  readonly dataBytes: number | undefined;
}

/** Element whose data is in memory: `bytes[start..end)`. */
export interface Element {
  readonly id: number;
  readonly start: number;
  readonly end: number;
}

/** Maximum size of an element start: 4 bytes of id, 8 of size. */
export const MAX_ELEMENT_START_BYTES = 12;

/** Ids of Matroska elements that Airdesk reads (RFC 9559, 27.1). */
export const ID = {
  ebml: 0x1a45dfa3,
  segment: 0x18538067,
  seekHead: 0x114d9b74,
  seek: 0x4dbb,
  seekId: 0x53ab,
  seekPosition: 0x53ac,
  cues: 0x1c53bb6b,
  cuePoint: 0xbb,
  cueTime: 0xb3,
  cueTrackPositions: 0xb7,
  cueTrack: 0xf7,
  cueClusterPosition: 0xf1,
  cueRelativePosition: 0xf0,
  info: 0x1549a966,
  timestampScale: 0x2ad7b1,
  tracks: 0x1654ae6b,
  trackEntry: 0xae,
  trackNumber: 0xd7,
  trackType: 0x83,
  flagEnabled: 0xb9,
  language: 0x22b59c,
  video: 0xe0,
  displayWidth: 0x54b0,
  displayHeight: 0x54ba,
  displayUnit: 0x54b2,
  pixelCropBottom: 0x54aa,
  pixelCropTop: 0x54bb,
  pixelCropLeft: 0x54cc,
  pixelCropRight: 0x54dd,
  projection: 0x7670,
  projectionPoseRoll: 0x7675,
  codecId: 0x86,
  codecPrivate: 0x63a2,
  codecDelay: 0x56aa,
  defaultDuration: 0x23e383,
  contentEncodings: 0x6d80,
  contentEncodingType: 0x5033,
  cluster: 0x1f43b675,
  timestamp: 0xe7,
  simpleBlock: 0xa3,
  blockGroup: 0xa0,
  block: 0xa1,
  blockDuration: 0x9b,
  referenceBlock: 0xfb,
  discardPadding: 0x75a2,
} as const;

/** Reads the start of the element at `at`; undefined if there is none, or it is incomplete. */
export function readElementStart(bytes: Uint8Array, at: number): ElementStart | undefined {
  const idBytes = lengthOf(bytes[at], 4);
  const sizeBytes = lengthOf(bytes[at + idBytes], 8);
  if (idBytes === 0 || sizeBytes === 0 || at + idBytes + sizeBytes > bytes.length) return undefined;
  const size = readSize(bytes, at + idBytes);
  return { id: readUint(bytes, at, at + idBytes), headBytes: idBytes + sizeBytes, dataBytes: size?.value };
}

/**
 * Variable-length number (RFC 8794, 4) without its marker, and its size in bytes; the value is undefined if all its bits are 1.
 */
export function readSize(
  bytes: Uint8Array,
  at: number,
): { readonly value: number | undefined; readonly length: number } | undefined {
  const length = lengthOf(bytes[at], 8);
  if (length === 0 || at + length > bytes.length) return undefined;
  let value = (bytes[at] ?? 0) & (0xff >> length);
  let isUnknown = value === 0xff >> length;
  for (let index = 1; index < length; index++) {
    const byte = bytes[at + index] ?? 0;
    value = value * 256 + byte;
    isUnknown &&= byte === 0xff;
  }
  return { value: isUnknown ? undefined : value, length };
}

/** Elements of `bytes[start..end)`, up to the first that does not fit. */
export function* elementsIn(bytes: Uint8Array, start: number, end: number): Generator<Element, void, undefined> {
  for (let at = start; at < end;) {
    const found = readElementStart(bytes, at);
    if (found?.dataBytes === undefined) return;
    const from = at + found.headBytes;
    if (from + found.dataBytes > end) return;
    yield { id: found.id, start: from, end: from + found.dataBytes };
    at = from + found.dataBytes;
  }
}

/** Unsigned number (RFC 8794, 7.2); not exact above 53 bits. */
export function readUint(bytes: Uint8Array, start: number, end: number): number {
  let value = 0;
  for (let at = start; at < end; at++) value = value * 256 + (bytes[at] ?? 0);
  return value;
}

/** Size of a variable-length number by its first byte; 0 if it exceeds `max`. */
function lengthOf(first: number | undefined, max: number): number {
  const length = first === undefined ? 0 : Math.clz32(first) - 23;
  return length > max ? 0 : length;
}
