import { BitReader } from '../nal/bit-reader.ts';

/**
 * Number of bytes, from the sync word on, that state the length and content of a frame, except the channel map of dependent
 * substreams.
 */
export const AC3_HEADER_BYTES = 8;

/** Maximum size of a sync frame: 2048 words of E-AC-3. */
export const MAX_SYNC_FRAME_BYTES = 4096;

/** A sync frame header of AC-3 or E-AC-3 (ETSI TS 102 366 4.3 and E.1.2). */
export interface SyncFrame {
  readonly isEnhanced: boolean;
  readonly frameBytes: number;
  readonly sampleRate: number;
  /** `fscod` as written; 3 for the half rates of E-AC-3. */
  readonly fscod: number;
  readonly bsid: number;
  /** `bsmod`; 0 (complete main) for E-AC-3, which has the field late in the header or not at all. */
  readonly bsmod: number;
  readonly acmod: number;
  readonly hasLfe: boolean;
  /** Audio blocks of 256 samples: 6 in AC-3, 1, 2, 3 or 6 in E-AC-3. */
  readonly blocks: number;
  /** Upper five bits of `frmsizecod`, which count the bit rates of AC-3; 0 in E-AC-3. */
  readonly bitRateCode: number;
  /** `strmtyp`: a dependent substream adds channels to the independent one before it. */
  readonly isDependent: boolean;
  readonly substreamId: number;
  /** `chanmap` of a dependent substream, left channel as the top bit; 0 if it has none. */
  readonly channelMap: number;
}

const RATES = [48000, 44100, 32000];
const KILOBITS = [32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320, 384, 448, 512, 576, 640];
const BLOCKS = [1, 2, 3, 6];
const LAST_AC3_BSID = 10;
const MAX_BSID = 16;
const DEPENDENT = 1;
const RESERVED_TYPE = 3;

/** Length of the sync frame that starts at `offset`, or 0 if there is none. Reads eight bytes from `offset`. */
export function syncFrameBytes(bytes: Uint8Array, offset: number): number {
  if (bytes[offset] !== 0x0b || bytes[offset + 1] !== 0x77) return 0;
  const bsid = (bytes[offset + 5] ?? 0) >>> 3;
  if (bsid > MAX_BSID) return 0;
  const fifth = bytes[offset + 4] ?? 0;
  if (bsid > LAST_AC3_BSID) {
    const third = bytes[offset + 2] ?? 0;
    if (third >>> 6 === RESERVED_TYPE || (fifth & 0xf0) === 0xf0) return 0;
    const length = 2 * ((((third & 7) << 8) | (bytes[offset + 3] ?? 0)) + 1);
    return length > AC3_HEADER_BYTES ? length : 0;
  }
  const kilobits = KILOBITS[(fifth & 0x3f) >>> 1] ?? 0;
  switch (fifth >>> 6) {
    case 0:
      return kilobits * 4;
    case 1:
      // The frame size at 44.1 kHz is not a whole number of words: the lowest bit of the code adds a word.
      return kilobits === 0 ? 0 : 2 * (Math.floor((kilobits * 320) / 147) + (fifth & 1));
    case 2:
      return kilobits * 6;
    default:
      return 0;
  }
}

/** Reads the sync frame header at `offset`; undefined if there is none. */
export function readSyncFrame(bytes: Uint8Array, offset = 0): SyncFrame | undefined {
  if (offset + AC3_HEADER_BYTES > bytes.length) return undefined;
  const frameBytes = syncFrameBytes(bytes, offset);
  if (frameBytes === 0) return undefined;
  return (bytes[offset + 5] ?? 0) >>> 3 > LAST_AC3_BSID
    ? readEnhanced(bytes, offset, frameBytes)
    : readPlain(bytes, offset, frameBytes);
}

/**
 * Samples of an E-AC-3 access unit: the sum over the sync frames of independent substream 0 (ETSI TS 102 366 E.1.3.1.6). 0 if the
 * unit has none.
 */
export function eac3Samples(unit: Uint8Array): number {
  let samples = 0;
  for (let at = 0; at + AC3_HEADER_BYTES <= unit.length;) {
    const frameBytes = syncFrameBytes(unit, at);
    if (frameBytes === 0) break;
    const type = unit[at + 2] ?? 0;
    const rate = unit[at + 4] ?? 0;
    const isMain = type >>> 6 !== DEPENDENT && ((type >>> 3) & 7) === 0;
    if (isMain) samples += 256 * (rate >>> 6 === 3 ? 6 : (BLOCKS[(rate >>> 4) & 3] ?? 6));
    at += frameBytes;
  }
  return samples;
}

/** Channels of an `acmod`, without low frequency effects. */
export function channelsOfMode(acmod: number): number {
  return [2, 1, 2, 3, 3, 4, 4, 5][acmod] ?? 0;
}

function readPlain(bytes: Uint8Array, offset: number, frameBytes: number): SyncFrame {
  const reader = new BitReader(bytes, offset + 4);
  const fscod = reader.bits(2);
  const bitRateCode = reader.bits(6) >>> 1;
  const bsid = reader.bits(5);
  const bsmod = reader.bits(3);
  const acmod = reader.bits(3);
  if (acmod & 1 && acmod !== 1) reader.skip(2); // cmixlev
  if (acmod & 4) reader.skip(2); // surmixlev
  if (acmod === 2) reader.skip(2); // dsurmod
  return {
    isEnhanced: false,
    frameBytes,
    // The sample rate is a half with bsid 9, and a quarter with bsid 10.
    sampleRate: (RATES[fscod] ?? 0) >>> Math.max(0, bsid - 8),
    fscod,
    bsid,
    bsmod,
    acmod,
    hasLfe: reader.flag(),
    blocks: 6,
    bitRateCode,
    isDependent: false,
    substreamId: 0,
    channelMap: 0,
  };
}

function readEnhanced(bytes: Uint8Array, offset: number, frameBytes: number): SyncFrame {
  const reader = new BitReader(bytes, offset + 2, Math.min(bytes.length, offset + frameBytes));
  const isDependent = reader.bits(2) === DEPENDENT;
  const substreamId = reader.bits(3);
  reader.skip(11); // frmsiz
  const fscod = reader.bits(2);
  const second = reader.bits(2); // fscod2 or numblkscod
  const acmod = reader.bits(3);
  const hasLfe = reader.flag();
  const bsid = reader.bits(5);
  return {
    isEnhanced: true,
    frameBytes,
    sampleRate: fscod === 3 ? (RATES[second] ?? 0) / 2 : (RATES[fscod] ?? 0),
    fscod,
    bsid,
    bsmod: 0,
    acmod,
    hasLfe,
    blocks: fscod === 3 ? 6 : (BLOCKS[second] ?? 6),
    bitRateCode: 0,
    isDependent,
    substreamId,
    channelMap: isDependent ? readChannelMap(reader, acmod) : 0,
  };
}

function readChannelMap(reader: BitReader, acmod: number): number {
  const programs = acmod === 0 ? 2 : 1;
  for (let i = 0; i < programs; i++) {
    reader.skip(5); // dialnorm
    if (reader.flag()) reader.skip(8); // compr
  }
  return reader.flag() ? reader.bits(16) : 0;
}
