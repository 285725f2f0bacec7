import { PACKET_BYTES, PAT_PID, SYNC_BYTE } from './packet.ts';
import { TableWatch } from './table-watch.ts';
import { PES_PREFIX_BYTES, readPesHeader } from './pes-header.ts';
import { PTS_WRAP_TICKS, Unroller } from '../../timing/unroll.ts';

/** Position of a key frame in a transport stream. */
export interface KeyFramePosition {
  /** Presentation time, unrolled from the first one. */
  readonly ptsTicks: number;
  /** Offset of its first packet. */
  readonly offset: number;
}

/** Search parameters. */
export interface KeyFrameOptions {
  readonly pid: number;
  readonly codec: 'h264' | 'h265';
  /** Distance of packets in bytes, at least 188. */
  readonly strideBytes: number;
  /** Programme of the track. */
  readonly programNumber: number;
}

/** Packets processed in one step. */
const PACKETS_PER_STEP = 8192;
/** Maximum number of positions of one file. */
const MAX_POSITIONS = 1 << 18;

/**
 * Finds the key frames of a track by packet headers, which mark them, and by the first bytes of each picture: parameter sets
 * precede a random access point. Copies nothing, and creates no object per packet.
 */
export class KeyFrameScan {
  readonly positions: KeyFramePosition[] = [];
  /**
   * Whether the positions are complete and the format stays the same. False as soon as a packet is off the grid, the tables or
   * parameter sets change, a key frame is scrambled or has no time, or there are too many.
   */
  isSteady = true;
  readonly #options: KeyFrameOptions;
  readonly #clock = new Unroller(PTS_WRAP_TICKS);
  readonly #tables: TableWatch;
  #sets: Buffer | undefined;

  /** Throws a RangeError if the distance is less than a packet: the scan would not end. */
  constructor(options: KeyFrameOptions) {
    if (!(options.strideBytes >= PACKET_BYTES)) throw new RangeError(`No stride of packets: ${options.strideBytes}`);
    this.#options = options;
    this.#tables = new TableWatch(options.programNumber);
  }

  /**
   * Processes the complete packets that start in a block. Runs in steps.
   *
   * @param start offset of the block in the file
   * @returns number of bytes processed
   */
  *scan(bytes: Uint8Array, start: number): Generator<void, number> {
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
      // Start of a PES packet.
      if (bytes[at + 2] === low && (second & 0x5f) === (0x40 | high)) this.#startPicture(bytes, at, start);
      else {
        const other = ((second & 0x1f) << 8) | bytes[at + 2]!;
        if (other === PAT_PID || other === this.#tables.mapPid) this.#takeTable(bytes, at, other);
      }
      if (--left > 0) continue;
      left = PACKETS_PER_STEP;
      yield;
    }
    return at;
  }

  #takeTable(bytes: Uint8Array, at: number, pid: number): void {
    this.#tables.packet(bytes, at, pid);
    if (this.#tables.hasChanged) this.isSteady = false;
  }

  #startPicture(bytes: Uint8Array, at: number, start: number): void {
    const flags = bytes[at + 3]!;
    const end = at + PACKET_BYTES;
    const from = at + 4 + ((flags & 0x20) === 0 ? 0 : 1 + bytes[at + 4]!);
    if ((flags & 0x10) === 0 || from >= end) return;
    const setAt = findSet(bytes, from + PES_PREFIX_BYTES, end, this.#options.codec);
    // random_access_indicator (2.4.3.5), for sets after the first bytes.
    const isMarked = (flags & 0x20) !== 0 && bytes[at + 4]! > 0 && (bytes[at + 5]! & 0x40) !== 0;
    if (setAt < 0 && !isMarked) return;
    const header = readPesHeader(bytes.subarray(from, end), end - from);
    if (header?.ptsTicks === undefined || header.isScrambled || this.positions.length >= MAX_POSITIONS) {
      this.isSteady = false;
      return;
    }
    if (setAt >= 0 && setAt + SET_BYTES <= end && !this.#isSame(bytes.subarray(setAt, setAt + SET_BYTES)))
      this.isSteady = false;
    this.positions.push({ ptsTicks: this.#clock.unroll(header.ptsTicks), offset: start + at });
  }

  #isSame(sets: Uint8Array): boolean {
    this.#sets ??= Buffer.from(sets);
    return this.#sets.equals(sets);
  }
}

/** Bytes of parameter sets to compare; they contain profile, level and size. */
const SET_BYTES = 12;
/** NAL unit types of a sequence parameter set: H.264 (7.4.1) and H.265 (7.4.2.2). */
const H264_SPS = 7;
const H265_SPS = 33;

/** Position of a sequence parameter set in `bytes[start..end)`; -1 if there is none. */
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
