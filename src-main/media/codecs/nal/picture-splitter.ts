import { grownBytes } from '../../containers/grown-bytes.ts';
import { findStartCode } from './annexb.ts';
import { copyBytes } from './native-bytes.ts';
import { SLICE_HEADER_BYTES, UnitRole, type PictureSyntax, type Role } from './picture-syntax.ts';

/** NAL units of one access unit: pairs of start and end in `bytes`, at `bounds[from..to)`. Borrowed until the call returns. */
export interface SplitPicture {
  bytes: Uint8Array;
  bounds: readonly number[];
  from: number;
  to: number;
  /** Index in `bounds` of the first slice. */
  firstSlice: number;
  /** Position in the stream of the first start code of the access unit, without the zero byte that may precede it. */
  startPosition: number;
  /** Position in the stream of the first byte after the access unit. */
  endPosition: number;
}

/** Receives the access units of a splitter. */
export interface PictureSplitterSink {
  picture(picture: SplitPicture): void;
  /** An access unit is larger than `MAX_PICTURE_BYTES` or the memory of the input allows; it is dropped. */
  tooLarge(): void;
}

/** Memory budget that the splitters of an input share with its other buffers. */
export interface SplitterMemory {
  bytes: number;
  /** Takes more bytes; false if there is no room. */
  take(bytes: number): boolean;
}

const MAX_PICTURE_BYTES = 8 * 1024 * 1024;
const FIRST_BUFFER_BYTES = 16 * 1024;
/** Maximum number of NAL units of an access unit; the largest levels allow 600 slices (H.264 A.3, H.265 A.4). */
const MAX_UNITS = 8192;
const START_CODE_BYTES = 3;
/** Number of pushes after which the size of the buffer is compared with the largest picture of these pushes. */
const REVIEW_PUSHES = 256;
const EMPTY = Buffer.alloc(0);
const ZERO = Buffer.alloc(1);

/**
 * Splits a byte stream of NAL units (annex B of H.264 and H.265), in pieces of any size, into access units. The newest access
 * unit is held until the first units of the next one prove that it has ended, or until `endPicture`.
 */
export class PictureSplitter {
  readonly #syntax: PictureSyntax;
  readonly #sink: PictureSplitterSink;
  readonly #memory: SplitterMemory;
  /** Copy of the bytes of the open access unit, unless they are borrowed. */
  #pending = EMPTY;
  #pendingEnd = 0;
  /** Bytes that are currently split: the last pushed bytes while they are borrowed, otherwise their copy. */
  #bytes: Uint8Array = EMPTY;
  #isBorrowed = false;
  /** Position in the stream of the first byte of `#bytes`. */
  #base = 0;
  /** Bytes pushed so far. */
  #pushed = 0;
  /** Start and end of each unit of the open access unit whose role is known. */
  readonly #bounds: number[] = [];
  /** Index in `#bounds` of the first unit of the open access unit, while several are found in one push. */
  #from = 0;
  #firstSlice = -1;
  /** Index in `#bounds` of the first unit after the last slice that may start the next access unit; -1 if there is none. */
  #headIndex = -1;
  /** Start of the newest unit, whose end or role is unknown yet; -1 if there is none. */
  #open = -1;
  #hasRole = false;
  /** First byte of the open access unit; -1 before its first unit. */
  #start = -1;
  #isDoubtful = false;
  /** Whether no slice came yet: the stream may start inside a picture. */
  #isNew = true;
  #pushes = 0;
  #largest = 0;
  readonly #picture: SplitPicture = {
    bytes: EMPTY,
    bounds: this.#bounds,
    from: 0,
    to: 0,
    firstSlice: 0,
    startPosition: 0,
    endPosition: 0,
  };

  constructor(syntax: PictureSyntax, memory: SplitterMemory, sink: PictureSplitterSink) {
    this.#syntax = syntax;
    this.#memory = memory;
    this.#sink = sink;
  }

  /** Bytes pushed so far. */
  get position(): number {
    return this.#pushed;
  }

  /** Position of the first byte of the open access unit if it has a slice; undefined if not. */
  get openPosition(): number | undefined {
    return this.#firstSlice < 0 ? undefined : this.#base + this.#start;
  }

  /** Adds the next bytes of the stream. They are borrowed; `copyPending` must be called before they change. */
  push(bytes: Uint8Array, start: number, end: number): void {
    this.copyPending();
    if (++this.#pushes >= REVIEW_PUSHES) this.#review();
    if (this.#pendingEnd > 0) {
      this.#join(bytes, start, end);
      return;
    }
    this.#bytes = bytes.subarray(0, end);
    this.#isBorrowed = true;
    this.#base = this.#pushed - start;
    this.#pushed += end - start;
    this.#scan(start);
  }

  /** Copies the needed part of the last pushed bytes, which are about to change. */
  copyPending(): void {
    if (!this.#isBorrowed) return;
    this.#isBorrowed = false;
    this.#storePending(false);
  }

  #join(bytes: Uint8Array, start: number, end: number): void {
    // A start code may be partly in both.
    const from = Math.max(0, this.#pendingEnd - (START_CODE_BYTES - 1));
    const hasRoom = this.#append(bytes, start, end);
    this.#pushed += end - start;
    if (!hasRoom) return;
    this.#readPending();
    this.#scan(from);
    this.#storePending(true);
  }

  /** Continues with the copied bytes, unless the last pushed bytes are still borrowed. */
  #readPending(): void {
    if (!this.#isBorrowed) this.#bytes = this.#pending.subarray(0, this.#pendingEnd);
  }

  /**
   * Peeks at the next bytes to push, and ends the open access unit if they start another one.
   *
   * @returns false if more bytes are needed for that
   */
  peek(bytes: Uint8Array, start: number, end: number): boolean {
    const syntax = this.#syntax;
    if (this.#firstSlice < 0 || syntax.isFirstField) return true;
    let at = start;
    while (at < end && bytes[at] === 0) at++;
    if (at >= end) return false;
    // These bytes belong to a unit that started earlier.
    if (bytes[at] !== 1 || at - start < START_CODE_BYTES - 1) return true;
    const view = bytes.subarray(0, end);
    for (at++; ;) {
      if (at + syntax.headerBytes > end) return false;
      const role = syntax.roleOf(view, at);
      const next = findStartCode(view, at);
      const isComplete = next >= 0;
      if (role === UnitRole.slice) {
        if (!isComplete && end - at < SLICE_HEADER_BYTES) return false;
        if (syntax.startsPicture(view, at, isComplete ? next : end, this.#isDoubtful)) this.#endAtSlice(view, start);
        return true;
      }
      if (role === UnitRole.delimiter) this.#endAtCode(view, start);
      if (role !== UnitRole.head) return true;
      if (!isComplete) return false;
      at = next + START_CODE_BYTES;
    }
  }

  /** Ends the open access unit before the units that belong to the next slice. */
  #endAtSlice(bytes: Uint8Array, start: number): void {
    this.#readPending();
    this.#closeUnit(this.#bytes.length);
    if (this.#headIndex < 0) {
      this.#endAtCode(bytes, start);
      return;
    }
    this.#emit(this.#headIndex, this.#codeBefore(this.#bounds[this.#headIndex]!));
    if (this.#isBorrowed) this.copyPending();
    else this.#storePending(true);
  }

  /** Ends the open access unit; the next one starts at `start`, or one byte before if that is the zero byte of its start code. */
  #endAtCode(bytes: Uint8Array, start: number): void {
    this.#readPending();
    const end = this.#bytes.length;
    const hasZero = bytes[start + START_CODE_BYTES - 1] === 1 && this.#bytes[end - 1] === 0;
    this.#finish(hasZero ? end - 1 : end);
    if (!hasZero) return;
    this.#base = this.#pushed - 1;
    this.#append(ZERO, 0, 1);
  }

  /** Ends the stream, or starts another access unit: emits the open one. */
  endPicture(): void {
    this.#readPending();
    this.#finish(this.#bytes.length);
  }

  /** Emits the open access unit, whose bytes end at `end`. */
  #finish(end: number): void {
    this.#closeUnit(end);
    if (this.#firstSlice >= 0) this.#emit(this.#bounds.length, end);
    this.#forget();
  }

  /** Reports that bytes were lost after the last pushed bytes: the newest unit ends there. */
  interrupt(): void {
    this.copyPending();
    this.#readPending();
    this.#closeUnit(this.#pendingEnd);
    if (this.#start < 0) this.#forget();
    this.#isDoubtful = true;
  }

  /** Drops the open access unit and releases its memory. */
  close(): void {
    this.#forget();
    this.#memory.bytes -= this.#pending.length;
    this.#pending = EMPTY;
  }

  #scan(from: number): void {
    const bytes = this.#bytes;
    const end = bytes.length;
    for (let at = findStartCode(bytes, from); at >= 0;) {
      this.#closeUnit(at);
      this.#open = at + START_CODE_BYTES;
      this.#hasRole = false;
      at = findStartCode(bytes, this.#open);
    }
    // The newest unit is incomplete, but its first bytes may prove that the picture before it has ended.
    const open = this.#open;
    if (open < 0 || this.#hasRole || open + this.#syntax.headerBytes > end) return;
    const role = this.#syntax.roleOf(bytes, open);
    if (role === UnitRole.head || (role === UnitRole.slice && end - open < SLICE_HEADER_BYTES)) return;
    this.#take(role, open, end);
  }

  /** Ends the newest unit at `limit`: the next start code or the end of the bytes. */
  #closeUnit(limit: number): void {
    const start = this.#open;
    if (start < 0) return;
    const bytes = this.#bytes;
    let end = limit;
    while (end > start && bytes[end - 1] === 0) end--;
    if (this.#hasRole) this.#bounds[this.#bounds.length - 1] = end;
    else if (end - start >= this.#syntax.headerBytes) this.#take(this.#syntax.roleOf(bytes, start), start, end);
    this.#leaveUnit();
  }

  #take(role: Role, start: number, end: number): void {
    const syntax = this.#syntax;
    const bounds = this.#bounds;
    this.#hasRole = true;
    if (role === UnitRole.head) syntax.learn(this.#bytes, start, end);
    if (this.#firstSlice >= 0) {
      if (role === UnitRole.slice) {
        if (syntax.startsPicture(this.#bytes, start, end, this.#isDoubtful)) {
          if (this.#headIndex < 0) this.#emit(bounds.length, this.#codeBefore(start));
          else this.#emit(this.#headIndex, this.#codeBefore(bounds[this.#headIndex]!));
        }
        this.#headIndex = -1;
        this.#isDoubtful = false;
      } else if (role === UnitRole.delimiter && !syntax.isFirstField) {
        this.#emit(bounds.length, this.#codeBefore(start));
      } else if ((role === UnitRole.head || role === UnitRole.delimiter) && this.#headIndex < 0) {
        this.#headIndex = bounds.length;
      }
    }
    const isTail = role === UnitRole.slice && this.#isNew && !syntax.mayStartPicture(this.#bytes, start);
    if (isTail || bounds.length - this.#from >= 2 * MAX_UNITS) {
      this.#leaveUnit();
      return;
    }
    if (this.#start < 0) this.#start = this.#codeBefore(start);
    if (role === UnitRole.slice && this.#firstSlice < 0) {
      this.#firstSlice = bounds.length;
      this.#isDoubtful = false;
      this.#isNew = false;
      syntax.openPicture(this.#bytes, start, end);
    }
    bounds.push(start, end);
    if (role !== UnitRole.end || this.#firstSlice < 0) return;
    this.#emit(bounds.length, start + syntax.headerBytes);
    this.#leaveUnit();
  }

  /** Skips the remaining bytes of the newest unit. */
  #leaveUnit(): void {
    this.#open = -1;
    this.#hasRole = false;
  }

  /** First byte of the start code before a unit, including a preceding zero byte. */
  #codeBefore(start: number): number {
    const at = start - START_CODE_BYTES;
    return at > 0 && at > this.#start + 1 && this.#bytes[at - 1] === 0 ? at - 1 : at;
  }

  /** Emits the units before index `to`; later ones belong to the next access unit, whose first byte is at `end`. */
  #emit(to: number, end: number): void {
    const picture = this.#picture;
    picture.bytes = this.#bytes;
    picture.from = this.#from;
    picture.to = to;
    picture.firstSlice = this.#firstSlice;
    picture.startPosition = this.#base + this.#bounds[this.#from]! - START_CODE_BYTES;
    picture.endPosition = this.#base + end;
    this.#from = to;
    this.#firstSlice = -1;
    this.#headIndex = -1;
    this.#start = to < this.#bounds.length ? end : -1;
    this.#sink.picture(picture);
  }

  #forget(): void {
    this.#bounds.length = 0;
    this.#from = 0;
    this.#firstSlice = -1;
    this.#headIndex = -1;
    this.#leaveUnit();
    this.#start = -1;
    this.#pendingEnd = 0;
    this.#bytes = EMPTY;
    this.#isBorrowed = false;
    this.#base = this.#pushed;
  }

  /** Keeps the bytes of the open access unit, and of an incomplete unit or start code. */
  #storePending(isJoined: boolean): void {
    const source = this.#bytes;
    const end = source.length;
    let first = Math.max(end - START_CODE_BYTES, 0);
    if (this.#start >= 0) first = this.#start;
    else if (this.#open >= 0) first = Math.max(0, this.#open - START_CODE_BYTES - 1);
    if (!isJoined || first > 0) {
      this.#moveBounds(first);
      this.#base += first;
      this.#pendingEnd = 0;
      if (isJoined) {
        this.#pending.copyWithin(0, first, end);
        this.#pendingEnd = end - first;
      } else {
        this.#append(source, first, end);
      }
    }
    this.#largest = Math.max(this.#largest, end);
  }

  /** Releases memory that recent pictures did not need. */
  #review(): void {
    const size = Math.max(FIRST_BUFFER_BYTES, 2 * this.#largest);
    if (this.#pending.length > 2 * size) {
      this.#memory.bytes -= this.#pending.length - size;
      const smaller = Buffer.allocUnsafeSlow(size);
      this.#pending.copy(smaller, 0, 0, this.#pendingEnd);
      this.#pending = smaller;
    }
    this.#pushes = 0;
    this.#largest = 0;
  }

  #moveBounds(by: number): void {
    const bounds = this.#bounds;
    const from = this.#from;
    for (let i = from; i < bounds.length; i++) bounds[i - from] = bounds[i]! - by;
    bounds.length -= from;
    if (this.#firstSlice >= 0) this.#firstSlice -= from;
    if (this.#headIndex >= 0) this.#headIndex -= from;
    this.#from = 0;
    if (this.#open >= 0) this.#open -= by;
    if (this.#start >= 0) this.#start -= by;
  }

  /** Appends to the copied bytes; false if there is no room: then all of them are dropped. */
  #append(bytes: Uint8Array, start: number, end: number): boolean {
    const needed = this.#pendingEnd + end - start;
    const before = this.#pending.length;
    if (needed > before) {
      const size = Math.min(MAX_PICTURE_BYTES, Math.max(needed, before * 2, FIRST_BUFFER_BYTES));
      if (needed > MAX_PICTURE_BYTES || !this.#memory.take(size - before)) {
        this.close();
        this.#isDoubtful = true;
        this.#sink.tooLarge();
        return false;
      }
      this.#pending = grownBytes(this.#pending, this.#pendingEnd, size, MAX_PICTURE_BYTES);
    }
    copyBytes(bytes, this.#pending, this.#pendingEnd, start, end);
    this.#pendingEnd = needed;
    return true;
  }
}
