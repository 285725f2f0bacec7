import { runInTurns } from '../../lib/turns.ts';
import type { FileBytes } from '../../media/containers/file-bytes.ts';
import {
  isLaced,
  MAX_BLOCK_HEAD_BYTES,
  MAX_LACING_BYTES,
  PlainBlock,
  readBlockHead,
  type BlockHead,
} from '../../media/containers/matroska/block.ts';
import { readSeeks } from '../../media/containers/matroska/cues.ts';
import {
  elementsIn,
  ID,
  MAX_ELEMENT_START_BYTES,
  readElementStart,
  readUint,
} from '../../media/containers/matroska/element.ts';
import { readTracks, readUnitNs, type MatroskaHead, type MatroskaTrack } from '../../media/containers/matroska/head.ts';
import { ReadAhead } from './read-ahead.ts';

/** Frames of a track in file order. */
export interface FrameList {
  readonly offsets: Float64Array;
  /** Sizes in bytes, clamped to 32 bits. */
  readonly sizes: Uint32Array;
  /** Presentation times in nanoseconds; NaN for laced frames whose duration is unknown. */
  readonly times: Float64Array;
  /** 1 for random access points. */
  readonly keys: Uint8Array;
  readonly count: number;
  /** Rounding unit of the times in nanoseconds. */
  readonly unitNs: number;
  /** Nanoseconds that the decoder discards at the end of the last frame (`DiscardPadding`; RFC 9559, 5.1.3.5.7). */
  readonly discardNs: number;
}

export interface FoundFrames {
  readonly head: MatroskaHead;
  readonly lists: ReadonlyMap<MatroskaTrack, FrameList>;
}

/** Maximum number of frames listed in all tracks. */
const MAX_LISTED = 1 << 22;
/** Maximum size of `Tracks` (with all codec configurations) and of `Info`. */
const MAX_HEAD_BYTES = 4 << 20;
/** Bytes needed to read an element header and a block header. */
const START_BYTES = MAX_ELEMENT_START_BYTES + MAX_BLOCK_HEAD_BYTES;
/** Maximum size of a block group. */
const MAX_GROUP_BYTES = 16 << 20;
/** Elements processed in one step. */
const ELEMENTS_PER_STEP = 2048;
/** Maximum number of top-level elements skipped in the search for late `Tracks`. */
const MAX_PASSED_ELEMENTS = 200_000;
/** Bytes searched for a cluster in one step after damage. */
const SEARCHED_BYTES = 64 * 1024;
const CLUSTER_START = Uint8Array.of(0x1f, 0x43, 0xb6, 0x75);
/** Result of a walk that stopped because of damage before the end of the file. */
const DAMAGED = -1;
const WITHOUT_TRACKS = -2;
const FIRST_FRAMES = 1024;

class GrowingList implements FrameList {
  offsets = new Float64Array(FIRST_FRAMES);
  sizes = new Uint32Array(FIRST_FRAMES);
  times = new Float64Array(FIRST_FRAMES);
  keys = new Uint8Array(FIRST_FRAMES);
  count = 0;
  discardNs = 0;
  readonly unitNs: number;

  constructor(unitNs: number) {
    this.unitNs = unitNs;
  }

  add(offset: number, sizeBytes: number, timeNs: number, isKey: boolean): void {
    if (this.count === this.keys.length) this.#grow();
    const index = this.count++;
    this.discardNs = 0;
    this.offsets[index] = offset;
    this.sizes[index] = Math.min(sizeBytes, 0xffff_ffff);
    this.times[index] = timeNs;
    this.keys[index] = isKey ? 1 : 0;
  }

  #grow(): void {
    const length = this.count * 2;
    const { offsets, sizes, times, keys } = this;
    (this.offsets = new Float64Array(length)).set(offsets);
    (this.sizes = new Uint32Array(length)).set(sizes);
    (this.times = new Float64Array(length)).set(times);
    (this.keys = new Uint8Array(length)).set(keys);
  }
}

/**
 * Reads the headers of all blocks of an MKV or WebM file; after damage it resumes at the next cluster. Returns a sentence for the
 * operator if there is nothing to read.
 */
export async function listFrames(file: FileBytes): Promise<FoundFrames | string> {
  const walk = new Walk(file);
  return walk.run();
}

/** Lists the frames in a range of a file whose header is known. @param at start of a cluster */
export async function listFramesFrom(file: FileBytes, head: MatroskaHead, at: number): Promise<FoundFrames['lists']> {
  const walk = new Walk(file, { head, at });
  const found = await walk.run();
  return typeof found === 'string' ? new Map() : found.lists;
}

/** Walk through a file. It descends into clusters: an element that is not a valid child of a cluster belongs to the segment. */
class Walk {
  readonly #file: FileBytes;
  readonly #ahead: ReadAhead;
  readonly #lists = new Map<number, { readonly track: MatroskaTrack; readonly frames: GrowingList }>();
  #unitNs = 1_000_000;
  #head: MatroskaHead | undefined;
  readonly #plain = new PlainBlock();
  #clusterTime = 0;
  /** End of the newest cluster; Infinity if its size is unknown. */
  #clusterEnd = Infinity;
  /** Start of the data of `Segment`. Element positions by id are relative to it. */
  #segmentAt = 0;
  #seeks: ReadonlyMap<number, number> = new Map();
  #at = 0;
  #left = MAX_LISTED;
  /** Maximum end of an element; blocks at the end of a range may end later. */
  readonly #limit: number;

  constructor(file: FileBytes, from?: { readonly head: MatroskaHead; readonly at: number }) {
    this.#file = file;
    this.#ahead = new ReadAhead(file);
    this.#limit = from ? Infinity : file.sizeBytes;
    if (!from) return;
    this.#unitNs = from.head.unitNs;
    this.#start(from.head);
    this.#at = from.at;
  }

  async run(): Promise<FoundFrames | string> {
    for (;;) {
      const neededBytes = await runInTurns(this.#inBlock());
      if (neededBytes === undefined) break;
      if (neededBytes === WITHOUT_TRACKS) {
        if (!(await this.#findTracks())) break;
      } else if (neededBytes === DAMAGED || !(await this.#ahead.view(this.#at, neededBytes))) {
        if (!this.#head || !(await this.#goToCluster())) break;
      }
    }
    if (!this.#head) return 'The file has no Tracks element.';
    return { head: this.#head, lists: new Map([...this.#lists.values()].map(({ track, frames }) => [track, frames])) };
  }

  /** Reads `Tracks` and `Info` that come after the media, found by `SeekHead` or by scanning. */
  async #findTracks(): Promise<boolean> {
    const from = this.#at;
    const take = async (at: number, expectedId?: number): Promise<number | undefined> => {
      const startBytes = Math.min(MAX_ELEMENT_START_BYTES, this.#file.sizeBytes - at);
      const start = startBytes > 0 ? await this.#ahead.view(at, startBytes) : undefined;
      const found = start && readElementStart(start, 0);
      if (!found || (expectedId !== undefined && found.id !== expectedId)) return undefined;
      const { id, headBytes, dataBytes } = found;
      // In a cluster of unknown size the walk visits each child.
      if (dataBytes === undefined) return id === ID.cluster ? at + headBytes : undefined;
      if ((id === ID.info || id === ID.tracks) && dataBytes <= MAX_HEAD_BYTES) {
        const data = await this.#ahead.view(at + headBytes, dataBytes);
        if (data) this.#takeHead(id, data.slice());
      }
      return at + headBytes + dataBytes;
    };
    for (const id of [ID.info, ID.tracks]) {
      const place = this.#seeks.get(id);
      if (place !== undefined) await take(this.#segmentAt + place, id);
    }
    let next: number | undefined = from;
    for (let step = 0; step < MAX_PASSED_ELEMENTS && next !== undefined && !this.#head; step++) next = await take(next);
    this.#at = from;
    return this.#head !== undefined;
  }

  /** Skips to the next cluster after damage. Returns false if there is none. */
  async #goToCluster(): Promise<boolean> {
    const { sizeBytes } = this.#file;
    for (let at = this.#at + 1; at + CLUSTER_START.length <= sizeBytes;) {
      const bytes = await this.#ahead.view(at, Math.min(SEARCHED_BYTES, sizeBytes - at));
      if (!bytes) return false;
      const found = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).indexOf(CLUSTER_START);
      if (found >= 0) {
        this.#at = at + found;
        return true;
      }
      at += bytes.length - CLUSTER_START.length + 1;
    }
    return false;
  }

  /**
   * Processes the elements of the buffered block. Returns the number of bytes that the next block needs, or the reason why the
   * walk cannot continue; undefined at the end of the file.
   */
  *#inBlock(): Generator<void, number | undefined> {
    const { sizeBytes } = this.#file;
    for (let step = 1; this.#at < sizeBytes && this.#left > 0; step++) {
      const startBytes = Math.min(START_BYTES, sizeBytes - this.#at);
      const neededBytes = this.#ahead.has(this.#at, startBytes) ? this.#element() : startBytes;
      if (neededBytes !== 0) return neededBytes;
      if (step % ELEMENTS_PER_STEP === 0) yield;
    }
    return undefined;
  }

  /**
   * Processes one element and returns 0; otherwise returns the number of bytes that it needs, or the reason why the walk cannot
   * continue.
   */
  #element(): number {
    const { bytes, start } = this.#ahead;
    const from = this.#at - start;
    if (this.#plain.read(bytes, from)) return this.#addPlain();
    const found = readElementStart(bytes, from);
    if (!found) return DAMAGED;
    const { id, headBytes, dataBytes } = found;
    if (id === ID.segment || id === ID.cluster) {
      if (id === ID.cluster && !this.#head) return WITHOUT_TRACKS;
      this.#at += headBytes;
      if (id === ID.segment) this.#segmentAt = this.#at;
      else this.#clusterEnd = this.#at + (dataBytes ?? Infinity);
      return 0;
    }
    if (dataBytes === undefined || this.#isBeyond(this.#at + headBytes + dataBytes)) return DAMAGED;
    const dataAt = from + headBytes;
    const neededBytes = headBytes + neededOf(id, dataBytes, isLaced(bytes, dataAt));
    if (!this.#ahead.has(this.#at, neededBytes)) return neededBytes;
    this.#take(id, dataAt, dataBytes);
    this.#at += headBytes + dataBytes;
    return 0;
  }

  /** Whether an element that starts in the newest cluster ends after the cluster or the file. */
  #isBeyond(end: number): boolean {
    return end > this.#limit || (this.#at < this.#clusterEnd && end > this.#clusterEnd);
  }

  #addPlain(): number {
    const { trackNumber, relativeTime, isKey, frameAt, end } = this.#plain;
    const { start } = this.#ahead;
    if (this.#isBeyond(start + end)) return DAMAGED;
    const frames = this.#lists.get(trackNumber)?.frames;
    if (frames) {
      this.#left--;
      frames.add(start + frameAt, end - frameAt, (this.#clusterTime + relativeTime) * this.#unitNs, isKey);
    }
    this.#at = start + end;
    return 0;
  }

  /** @param at offset of the element data in the buffer */
  #take(id: number, at: number, dataBytes: number): void {
    const { bytes } = this.#ahead;
    if (id === ID.simpleBlock) {
      const head = readBlockHead(bytes, dataBytes, at);
      if (head) this.#add(head, at, { isKey: head.isKey });
    } else if (id === ID.timestamp) this.#clusterTime = dataBytes <= 8 ? readUint(bytes, at, at + dataBytes) : 0;
    else if (id === ID.blockGroup && dataBytes <= MAX_GROUP_BYTES) this.#takeGroup(at, at + dataBytes);
    else if (dataBytes > MAX_HEAD_BYTES) return;
    else if (id === ID.info || id === ID.tracks) this.#takeHead(id, bytes.subarray(at, at + dataBytes));
    else if (id === ID.seekHead)
      this.#seeks = new Map([...readSeeks(bytes.subarray(at, at + dataBytes)), ...this.#seeks]);
  }

  #takeHead(id: number, bytes: Uint8Array): void {
    if (id === ID.info) {
      this.#unitNs = readUnitNs(bytes);
      return;
    }
    if (this.#head) return;
    const { tracks, problems } = readTracks(bytes);
    this.#start({ unitNs: this.#unitNs, tracks, problems });
  }

  #start(head: MatroskaHead): void {
    this.#head = head;
    for (const track of head.tracks) this.#lists.set(track.number, { track, frames: new GrowingList(head.unitNs) });
  }

  #takeGroup(from: number, end: number): void {
    const { bytes } = this.#ahead;
    let head: BlockHead | undefined;
    let blockAt = 0;
    let isKey = true;
    let [durationNs, discardNs]: (number | undefined)[] = [];
    for (const { id, start, end: until } of elementsIn(bytes, from, end)) {
      if (id === ID.block) {
        head = readBlockHead(bytes, until - start, start);
        blockAt = start;
      } else if (id === ID.referenceBlock) isKey = false;
      else if (id === ID.blockDuration) durationNs = readUint(bytes, start, until) * this.#unitNs;
      else if (id === ID.discardPadding && !isNegative(bytes[start])) discardNs = readUint(bytes, start, until);
    }
    if (head) this.#add(head, blockAt, { isKey, durationNs, discardNs });
  }

  /** @param at offset of the block data in the buffer */
  #add(
    { trackNumber, relativeTime, frames }: BlockHead,
    at: number,
    { isKey, durationNs, discardNs }: BlockFacts,
  ): void {
    const list = this.#lists.get(trackNumber);
    if (!list) return;
    const timeNs = (this.#clusterTime + relativeTime) * this.#unitNs;
    // Only the first laced frame has a time; later frames follow from the duration of the block or of a frame.
    const stepNs = durationNs ? durationNs / frames.length : (list.track.frameNs ?? NaN);
    for (let index = 0; index < frames.length && this.#left > 0; index++, this.#left--) {
      const frame = frames[index];
      const afterNs = index === 0 ? 0 : index * stepNs;
      if (frame) list.frames.add(this.#ahead.start + at + frame.offset, frame.sizeBytes, timeNs + afterNs, isKey);
    }
    list.frames.discardNs = discardNs ?? 0;
  }
}

/** Properties of a block that are stored outside of its header. */
interface BlockFacts {
  readonly isKey: boolean;
  readonly durationNs?: number | undefined;
  readonly discardNs?: number | undefined;
}

/** Whether the signed number that starts with a byte is negative (RFC 8794, 7.1). */
function isNegative(first = 0): boolean {
  return first > 0x7f;
}

/** Number of bytes of the element data that must be in the buffer to process the element. */
function neededOf(id: number, dataBytes: number, isLacedBlock: boolean): number {
  if (id === ID.simpleBlock) return Math.min(isLacedBlock ? MAX_LACING_BYTES : MAX_BLOCK_HEAD_BYTES, dataBytes);
  if (id === ID.timestamp) return dataBytes <= 8 ? dataBytes : 0;
  if (id === ID.blockGroup) return dataBytes <= MAX_GROUP_BYTES ? dataBytes : 0;
  if (id === ID.info || id === ID.tracks || id === ID.seekHead) return dataBytes <= MAX_HEAD_BYTES ? dataBytes : 0;
  return 0;
}
