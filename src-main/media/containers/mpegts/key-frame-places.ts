import { PACKET_BYTES, SYNC_BYTE } from './packet.ts';
import { PES_PREFIX_BYTES, readPesHeader } from './pes-header.ts';
import { PTS_WRAP_TICKS, Unroller } from '../../timing/unroll.ts';

/** Where a key frame of a transport stream begins. */
export interface KeyFramePlace {
  /** Presentation time, unrolled from the first one. */
  readonly ptsTicks: number;
  /** Where its first packet begins. */
  readonly offset: number;
}

/** What is looked for. */
export interface KeyFrameOptions {
  readonly pid: number;
  readonly codec: 'h264' | 'h265';
  /** Distance of packets in bytes, at least the length of one. */
  readonly strideBytes: number;
}

/** Packets that are looked at in one step. */
const PACKETS_PER_STEP = 8192;
/** Places of one file. */
const MAX_PLACES = 1 << 18;

/**
 * Finds the key frames of a track by the headers of packets, which mark them, and by the first bytes of each picture: parameter sets stand in front of a picture that
 * decoding can start with. Nothing is copied, and no object made for a packet.
 */
export class KeyFramePlaces {
  readonly places: KeyFramePlace[] = [];
  /** Whether the packets are where they should be, the track goes on with the same parameter sets, and times go on. */
  isSteady = true;
  readonly #options: KeyFrameOptions;
  readonly #clock = new Unroller(PTS_WRAP_TICKS);
  #sets: Buffer | undefined;

  /** Raises a RangeError for packets that overlap: `look` would not end. */
  constructor(options: KeyFrameOptions) {
    if (!(options.strideBytes >= PACKET_BYTES)) throw new RangeError(`No stride of packets: ${options.strideBytes}`);
    this.#options = options;
  }

  /**
   * Looks at the packets that begin in a block and are whole. Runs in steps.
   *
   * @param start where the block lies in the file
   * @returns how many bytes were looked at
   */
  *look(bytes: Uint8Array, start: number): Generator<void, number> {
    const { pid, strideBytes } = this.#options;
    const [high, low] = [pid >> 8, pid & 0xff];
    const end = bytes.length - PACKET_BYTES;
    let at = 0;
    for (let left = PACKETS_PER_STEP; at <= end; at += strideBytes) {
      if (bytes[at] !== SYNC_BYTE) {
        this.isSteady = false;
        return at;
      }
      const second = bytes[at + 1]!;
      // The beginning of a packet of the elementary stream.
      if (bytes[at + 2] === low && (second & 0x5f) === (0x40 | high)) this.#begin(bytes, at, start);
      if (--left > 0) continue;
      left = PACKETS_PER_STEP;
      yield;
    }
    return at;
  }

  #begin(bytes: Uint8Array, at: number, start: number): void {
    const flags = bytes[at + 3]!;
    const end = at + PACKET_BYTES;
    const from = at + 4 + ((flags & 0x20) === 0 ? 0 : 1 + bytes[at + 4]!);
    if ((flags & 0x10) === 0 || from >= end) return;
    const setAt = findSet(bytes, from + PES_PREFIX_BYTES, end, this.#options.codec);
    // random_access_indicator (2.4.3.5), for sets behind the first bytes.
    const isMarked = (flags & 0x20) !== 0 && bytes[at + 4]! > 0 && (bytes[at + 5]! & 0x40) !== 0;
    if (setAt < 0 && !isMarked) return;
    const header = readPesHeader(bytes.subarray(from, end), end - from);
    if (header?.ptsTicks === undefined || header.isScrambled || this.places.length >= MAX_PLACES) {
      this.isSteady = false;
      return;
    }
    if (setAt >= 0 && setAt + SET_BYTES <= end && !this.#isSame(bytes.subarray(setAt, setAt + SET_BYTES)))
      this.isSteady = false;
    this.places.push({ ptsTicks: this.#clock.unroll(header.ptsTicks), offset: start + at });
  }

  #isSame(sets: Uint8Array): boolean {
    this.#sets ??= Buffer.from(sets);
    return this.#sets.equals(sets);
  }
}

/** Bytes of parameter sets that are compared: profile, level and size stand in them. */
const SET_BYTES = 12;
/** NAL unit types of a sequence parameter set: H.264 (7.4.1) and H.265 (7.4.2.2). */
const H264_SPS = 7;
const H265_SPS = 33;

/** Where a sequence parameter set begins in `bytes[start..end)`; -1 where there is none. */
function findSet(bytes: Uint8Array, start: number, end: number, codec: KeyFrameOptions['codec']): number {
  for (let at = start; at + 3 < end; at++) {
    // A start code is 0, 0 and 1.
    const third = bytes[at + 2]!;
    if (third > 1) at += 2;
    else if (third === 1 && bytes[at] === 0 && bytes[at + 1] === 0) {
      const head = bytes[at + 3]!;
      if (codec === 'h264' ? (head & 0x1f) === H264_SPS : ((head >> 1) & 0x3f) === H265_SPS) return at + 3;
    }
  }
  return -1;
}
