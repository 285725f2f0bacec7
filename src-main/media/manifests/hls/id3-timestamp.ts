const HEADER_BYTES = 10;
const OWNER = 'com.apple.streaming.transportStreamTimestamp';
const TIME_BYTES = 8;

/** Start of a packed audio segment by its ID3 tags (RFC 8216bis 3.1.4). */
export interface PackedAudioStart {
  /** Index of the first byte after the tags. */
  readonly audioStart: number;
  /** Time of the first sample in 90 kHz ticks, 33 bits; absent if no tag states it. */
  readonly ptsTicks?: number;
}

/** Reads the ID3 tags (version 2.3 and 2.4) before packed audio. Without tags, audio starts at 0. */
export function readPackedAudioStart(bytes: Uint8Array): PackedAudioStart {
  let audioStart = 0;
  let ptsTicks: number | undefined;
  while (isTag(bytes, audioStart)) {
    const bodyStart = audioStart + HEADER_BYTES;
    const end = bodyStart + synchsafe(bytes, audioStart + 6);
    if (end > bytes.length) break;
    ptsTicks ??= findTimestamp(bytes, bodyStart, end, bytes[audioStart + 3] === 4);
    audioStart = end;
  }
  return { audioStart, ...(ptsTicks === undefined ? {} : { ptsTicks }) };
}

function isTag(bytes: Uint8Array, at: number): boolean {
  return at + HEADER_BYTES <= bytes.length && bytes[at] === 0x49 && bytes[at + 1] === 0x44 && bytes[at + 2] === 0x33;
}

function findTimestamp(bytes: Uint8Array, from: number, end: number, isSynchsafe: boolean): number | undefined {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  for (let at = from; at + HEADER_BYTES <= end;) {
    const size = isSynchsafe ? synchsafe(bytes, at + 4) : view.getUint32(at + 4);
    const bodyStart = at + HEADER_BYTES;
    const bodyEnd = bodyStart + size;
    if (size === 0 || bodyEnd > end) return undefined;
    if (isPrivFrame(bytes, at) && size >= OWNER.length + 1 + TIME_BYTES && isOwner(bytes, bodyStart)) {
      const timeStart = bodyStart + OWNER.length + 1;
      return (view.getUint32(timeStart) & 1) * 0x1_0000_0000 + view.getUint32(timeStart + 4);
    }
    at = bodyEnd;
  }
  return undefined;
}

/** Whether a `PRIV` frame starts at `at`. */
function isPrivFrame(bytes: Uint8Array, at: number): boolean {
  return bytes[at] === 0x50 && bytes[at + 1] === 0x52 && bytes[at + 2] === 0x49 && bytes[at + 3] === 0x56;
}

function isOwner(bytes: Uint8Array, at: number): boolean {
  for (let index = 0; index < OWNER.length; index++) {
    if (bytes[at + index] !== OWNER.charCodeAt(index)) return false;
  }
  return bytes[at + OWNER.length] === 0;
}

/** Four bytes of seven bits (ID3v2 6.2). */
function synchsafe(bytes: Uint8Array, at: number): number {
  return (
    (bytes[at]! & 0x7f) * 0x20_0000 +
    (bytes[at + 1]! & 0x7f) * 0x4000 +
    (bytes[at + 2]! & 0x7f) * 0x80 +
    (bytes[at + 3]! & 0x7f)
  );
}
