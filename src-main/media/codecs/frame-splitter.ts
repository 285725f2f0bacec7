import { because } from '../../../src-preload/contract/explanations/explanations.ts';
import type { FormatProblem } from '../access-unit.ts';
import type { AudioTrack } from '../track.ts';
import type { AssemblerOptions, AudioSplitter } from './assembler.ts';

/** Detection of frames in a self-framing audio format. */
export interface FrameFormat {
  /** Name for messages to the operator. */
  readonly name: string;
  /** First byte of every frame. */
  readonly syncByte: number;
  /** Bytes that `frameBytesAt` reads. */
  readonly headerBytes: number;
  /** Maximum size of a frame. */
  readonly maxFrameBytes: number;
  /** Length of the frame that starts at `offset`, or 0 if there is no header. */
  frameBytesAt(bytes: Uint8Array, offset: number): number;
}

/** Receives the frames: `bytes` from `start` to `end`, borrowed. */
type FrameReceiver = (bytes: Uint8Array, start: number, end: number, startsInThisCall: boolean) => void;

/** Splits audio in a self-framing format into raw frames; each format reads the track from its frames. */
export abstract class FrameSplitter implements AudioSplitter {
  protected readonly options: AssemblerOptions;
  /** Current format; undefined until the first complete frame header. */
  protected current: AudioTrack | undefined;
  readonly #sync: FrameSync;
  #frame: (data: Uint8Array, startsInThisCall: boolean) => void = ignoreFrame;

  constructor(format: FrameFormat, options: AssemblerOptions) {
    this.options = options;
    this.#sync = new FrameSync(format, options.problem);
  }

  /**
   * Processes a complete frame, `bytes` from `start` to `end`: learns the track from it, and emits the part that belongs in a
   * sample.
   */
  protected abstract receive(bytes: Uint8Array, start: number, end: number, startsInThisCall: boolean): void;

  get track(): AudioTrack | undefined {
    return this.current;
  }

  split(bytes: Uint8Array, frame: (data: Uint8Array, startsInThisCall: boolean) => void): void {
    this.#frame = frame;
    this.#sync.push(bytes, this.#receive);
    this.endCall();
    this.#frame = ignoreFrame;
  }

  reset(): void {
    this.#sync.reset();
  }

  /** Called at the end of a `split` call, after its frames. */
  protected endCall(): void {}

  protected give(data: Uint8Array, startsInThisCall: boolean): void {
    this.#frame(data, startsInThisCall);
  }

  readonly #receive: FrameReceiver = (bytes, start, end, startsInThisCall) => {
    this.receive(bytes, start, end, startsInThisCall);
  };
}

function ignoreFrame(): void {}

/**
 * Splits a byte stream into frames by their headers. The first frame is accepted only if another header follows it, or no more
 * bytes. If a later header is missing, the position is lost: this is reported once, and the search restarts. Keeps at most one
 * frame.
 */
class FrameSync {
  readonly #format: FrameFormat;
  readonly #problem: (problem: FormatProblem) => void;
  readonly #carry: Buffer;
  #carryBytes = 0;
  /** Number of collected bytes that the next search waits for. */
  #enoughBytes = 0;
  #joined = Buffer.alloc(0);
  #isLocked = false;

  constructor(format: FrameFormat, problem: (problem: FormatProblem) => void) {
    this.#format = format;
    this.#problem = problem;
    this.#carry = Buffer.alloc(format.maxFrameBytes);
  }

  /** Finds the complete frames in the collected bytes and `bytes`. */
  push(bytes: Uint8Array, receive: FrameReceiver): void {
    const carried = this.#carryBytes;
    if (carried === 0) {
      this.#scan(bytes, bytes.length, 0, receive);
      return;
    }
    const length = carried + bytes.length;
    if (length < this.#enoughBytes) {
      this.#carry.set(bytes, carried);
      this.#carryBytes = length;
      return;
    }
    if (this.#joined.length < length) this.#joined = Buffer.allocUnsafeSlow(Math.max(length, 4096));
    this.#carry.copy(this.#joined, 0, 0, carried);
    this.#joined.set(bytes, carried);
    this.#carryBytes = 0;
    this.#scan(this.#joined, length, carried, receive);
  }

  /** Drops the partial frame and the lock. */
  reset(): void {
    this.#carryBytes = 0;
    this.#enoughBytes = 0;
    this.#isLocked = false;
  }

  #scan(bytes: Uint8Array, end: number, freshFrom: number, receive: FrameReceiver): void {
    const format = this.#format;
    const { headerBytes } = format;
    let at = 0;
    while (at + headerBytes <= end) {
      const length = format.frameBytesAt(bytes, at);
      if (length === 0 || (!this.#isLocked && !this.#isFollowedByFrame(bytes, at + length, end))) {
        this.#lose();
        at = this.#nextSyncByte(bytes, at + 1, end);
        continue;
      }
      if (at + length > end) {
        const better = this.#isLocked ? -1 : this.#findPair(bytes, at + 1, end);
        if (better < 0) break;
        at = better;
        continue;
      }
      this.#isLocked = true;
      receive(bytes, at, at + length, at >= freshFrom);
      at += length;
    }
    if (at < end && bytes[at] !== format.syncByte) {
      this.#lose();
      at = this.#nextSyncByte(bytes, at, end);
    }
    this.#store(bytes, at, end);
  }

  /** Whether the bytes after a frame are consistent with another frame. */
  #isFollowedByFrame(bytes: Uint8Array, at: number, end: number): boolean {
    if (at >= end) return true;
    if (at + this.#format.headerBytes > end) return bytes[at] === this.#format.syncByte;
    return this.#format.frameBytesAt(bytes, at) > 0;
  }

  /**
   * Position of the first complete frame followed by another header, or -1. A false header before the sync word may state a large
   * length; it must not delay valid frames that have arrived.
   */
  #findPair(bytes: Uint8Array, from: number, end: number): number {
    const { headerBytes } = this.#format;
    let at = this.#nextSyncByte(bytes, from, end);
    while (at + headerBytes <= end) {
      const length = this.#format.frameBytesAt(bytes, at);
      if (length > 0 && at + length + headerBytes <= end && this.#format.frameBytesAt(bytes, at + length) > 0)
        return at;
      at = this.#nextSyncByte(bytes, at + 1, end);
    }
    return -1;
  }

  #nextSyncByte(bytes: Uint8Array, from: number, end: number): number {
    // The bytes after `end` in a reused buffer are from earlier calls.
    const at = bytes.subarray(from, end).indexOf(this.#format.syncByte);
    return at < 0 ? end : from + at;
  }

  #lose(): void {
    if (!this.#isLocked) return;
    this.#isLocked = false;
    this.#problem({ code: 'codec_bad_frame', ...because('data_between_frames', { codec: this.#format.name }) });
  }

  #store(bytes: Uint8Array, from: number, end: number): void {
    const length = end - from;
    if (length > 0) this.#carry.set(bytes.subarray(from, end), 0);
    this.#carryBytes = length;
    // Without a lock, all collected bytes are searched again. To bound the cost, the search waits until they have grown by a
    // share, or the frame is complete.
    this.#enoughBytes = this.#isLocked ? 0 : Math.min(this.#format.maxFrameBytes, length + (length >> 2));
    if (length >= this.#format.headerBytes)
      this.#enoughBytes = Math.min(this.#enoughBytes, this.#format.frameBytesAt(this.#carry, 0));
  }
}
