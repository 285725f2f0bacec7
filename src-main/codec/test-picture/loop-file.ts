import { createHash } from 'node:crypto';

/** Number of 32-bit integers per access unit in the index of a loop. */
export const INDEX_FIELDS = 5;

/**
 * A test picture for playback: all access units in shared memory, in decoding order. A plain value for a structured
 * clone; every thread reads the same bytes.
 */
export interface TestPictureLoop {
  readonly video: {
    /** AVC decoder configuration record (ISO/IEC 14496-15, 5.3.3.1). */
    readonly decoderConfig: Uint8Array;
    readonly width: number;
    readonly height: number;
    readonly fpsNumerator: number;
    readonly fpsDenominator: number;
  };
  readonly audio: {
    /** AudioSpecificConfig (ISO/IEC 14496-3, 1.6.2.1). */
    readonly decoderConfig: Uint8Array;
    readonly sampleRate: number;
    readonly channels: number;
    readonly samplesPerFrame: number;
  };
  /** Length of the loop, in 90 kHz ticks. */
  readonly loopTicks: number;
  /** Number of access units in the loop. */
  readonly units: number;
  /**
   * Five 32-bit integers per access unit: offset and length of its bytes, decoding and presentation time in ticks, and
   * flags: 1 for a random access point plus 2 for audio.
   */
  readonly index: SharedArrayBuffer;
  readonly bytes: SharedArrayBuffer;
}

/** Version of the file format, the drawing and the encoder settings: older files are made again. */
export const LOOP_FILE_VERSION = 2;

const MAGIC = 'AIRDLOOP';
const PREFIX_BYTES = 8 + 4 + 4;
const HASH_BYTES = 32;
const MAX_HEAD_BYTES = 64 * 1024;
const MAX_UNITS = 100_000;

/** Head of the file, as JSON. */
interface LoopHead {
  readonly video: Omit<TestPictureLoop['video'], 'decoderConfig'> & { readonly decoderConfig: string };
  readonly audio: Omit<TestPictureLoop['audio'], 'decoderConfig'> & { readonly decoderConfig: string };
  readonly loopTicks: number;
  readonly units: number;
}

/** Writes a loop as the bytes of its cache file: head, index, access units, and a hash of all of it. */
export function writeLoopFile(loop: TestPictureLoop): Buffer {
  const head: LoopHead = {
    video: { ...loop.video, decoderConfig: Buffer.from(loop.video.decoderConfig).toString('base64') },
    audio: { ...loop.audio, decoderConfig: Buffer.from(loop.audio.decoderConfig).toString('base64') },
    loopTicks: loop.loopTicks,
    units: loop.units,
  };
  const json = Buffer.from(JSON.stringify(head));
  const fixed = Buffer.alloc(PREFIX_BYTES);
  fixed.write(MAGIC, 0, 'latin1');
  fixed.writeUInt32LE(LOOP_FILE_VERSION, 8);
  fixed.writeUInt32LE(json.length, 12);
  const body = Buffer.concat([fixed, json, new Uint8Array(loop.index), new Uint8Array(loop.bytes)]);
  return Buffer.concat([body, createHash('sha256').update(body).digest()]);
}

/** Reads a cache file into shared memory. Undefined for anything but a complete, undamaged file of this version. */
export function readLoopFile(file: Buffer): TestPictureLoop | undefined {
  if (
    file.length < PREFIX_BYTES + HASH_BYTES ||
    file.toString('latin1', 0, 8) !== MAGIC ||
    file.readUInt32LE(8) !== LOOP_FILE_VERSION
  )
    return undefined;
  const body = file.subarray(0, file.length - HASH_BYTES);
  if (!createHash('sha256').update(body).digest().equals(file.subarray(body.length))) return undefined;
  const jsonBytes = file.readUInt32LE(12);
  if (jsonBytes > MAX_HEAD_BYTES || PREFIX_BYTES + jsonBytes > body.length) return undefined;
  // The hash matches, so the JSON is undamaged.
  const head = JSON.parse(file.toString('utf8', PREFIX_BYTES, PREFIX_BYTES + jsonBytes)) as LoopHead;
  const indexStart = PREFIX_BYTES + jsonBytes;
  const bytesStart = indexStart + head.units * INDEX_FIELDS * 4;
  if (head.units > MAX_UNITS || bytesStart > body.length) return undefined;
  return {
    video: { ...head.video, decoderConfig: fromBase64(head.video.decoderConfig) },
    audio: { ...head.audio, decoderConfig: fromBase64(head.audio.decoderConfig) },
    loopTicks: head.loopTicks,
    units: head.units,
    index: shared(body.subarray(indexStart, bytesStart)),
    bytes: shared(body.subarray(bytesStart)),
  };
}

function shared(bytes: Uint8Array): SharedArrayBuffer {
  const buffer = new SharedArrayBuffer(bytes.length);
  new Uint8Array(buffer).set(bytes);
  return buffer;
}

function fromBase64(text: string): Uint8Array {
  return new Uint8Array(Buffer.from(text, 'base64'));
}
