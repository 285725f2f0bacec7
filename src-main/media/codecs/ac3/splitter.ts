import type { AssemblerOptions } from '../assembler.ts';
import { FrameSplitter, type FrameFormat } from '../frame-splitter.ts';
import { AC3_HEADER_BYTES, MAX_SYNC_FRAME_BYTES, readSyncFrame, syncFrameBytes } from './sync-frame.ts';
import type { SyncFrame } from './sync-frame.ts';
import { ac3Track, eac3Track } from './track.ts';

const FORMAT: FrameFormat = {
  name: 'AC-3',
  syncByte: 0x0b,
  headerBytes: AC3_HEADER_BYTES,
  maxFrameBytes: MAX_SYNC_FRAME_BYTES,
  frameBytesAt: syncFrameBytes,
};

const BLOCKS_PER_UNIT = 6;
/**
 * Maximum number of sync frames in an E-AC-3 access unit: eight independent substreams with eight dependent ones, each in at most
 * six frames. Real streams have far fewer.
 */
const MAX_FRAMES_PER_UNIT = 64;

/**
 * Splits AC-3 and E-AC-3 into access units of 1536 samples. An AC-3 unit is a sync frame. An E-AC-3 unit ends before the next
 * independent frame of substream 0 once it has six blocks; at the end of a call, a unit with as many frames as the previous
 * unit is emitted at once.
 */
export class Ac3Splitter extends FrameSplitter {
  #key = '';

  // E-AC-3 access unit in progress.
  #unit = Buffer.alloc(0);
  #unitBytes = 0;
  #unitFrames: SyncFrame[] = [];
  #unitBlocks = 0;
  /** Whether the unit started in the current call. */
  #unitIsFresh = false;
  /** Number of sync frames of the previous unit. */
  #lastFrameCount = 0;

  constructor(options: AssemblerOptions) {
    super(FORMAT, options);
  }

  override split(bytes: Uint8Array, frame: (data: Uint8Array, startsInThisCall: boolean) => void): void {
    this.#unitIsFresh = false;
    super.split(bytes, frame);
  }

  override reset(): void {
    super.reset();
    this.#dropUnit();
  }

  protected override endCall(): void {
    if (this.#unitBlocks >= BLOCKS_PER_UNIT && this.#unitFrames.length === this.#lastFrameCount) this.#endUnit();
  }

  protected override receive(bytes: Uint8Array, start: number, end: number, startsInThisCall: boolean): void {
    const header = readSyncFrame(bytes, start);
    if (!header) return;
    if (header.isEnhanced) {
      this.#addToUnit(header, bytes, start, end, startsInThisCall);
      return;
    }
    const key = `${header.fscod} ${header.bsid} ${header.bsmod} ${header.acmod} ${header.hasLfe}`;
    if (key !== this.#key) {
      this.#key = key;
      this.current = ac3Track(header, this.options);
    }
    this.give(bytes.subarray(start, end), startsInThisCall);
  }

  #addToUnit(header: SyncFrame, bytes: Uint8Array, start: number, end: number, startsInThisCall: boolean): void {
    const isFirst = !header.isDependent && header.substreamId === 0;
    if (isFirst && this.#unitBlocks >= BLOCKS_PER_UNIT) this.#endUnit();
    if (this.#unitFrames.length >= MAX_FRAMES_PER_UNIT) this.#dropUnit();
    if (this.#unitFrames.length === 0) {
      if (!isFirst) return;
      this.#unitIsFresh = startsInThisCall;
    }
    const needed = this.#unitBytes + end - start;
    if (this.#unit.length < needed) {
      const larger = Buffer.alloc(Math.max(needed, this.#unit.length * 2, MAX_SYNC_FRAME_BYTES));
      this.#unit.copy(larger, 0, 0, this.#unitBytes);
      this.#unit = larger;
    }
    this.#unit.set(bytes.subarray(start, end), this.#unitBytes);
    this.#unitBytes = needed;
    this.#unitFrames.push(header);
    if (isFirst) this.#unitBlocks += header.blocks;
  }

  #endUnit(): void {
    const key = this.#unitFrames.map(keyOf).join();
    if (key !== this.#key) {
      this.#key = key;
      this.current = eac3Track(this.#unitFrames, this.options);
    }
    this.#lastFrameCount = this.#unitFrames.length;
    const data = this.#unit.subarray(0, this.#unitBytes);
    const isFresh = this.#unitIsFresh;
    this.#dropUnit();
    this.give(data, isFresh);
  }

  #dropUnit(): void {
    this.#unitBytes = 0;
    this.#unitFrames = [];
    this.#unitBlocks = 0;
    this.#unitIsFresh = false;
  }
}

function keyOf(frame: SyncFrame): string {
  return `${frame.isDependent} ${frame.substreamId} ${frame.sampleRate} ${frame.bsid} ${frame.acmod} ${frame.hasLfe} ${frame.channelMap}`;
}
