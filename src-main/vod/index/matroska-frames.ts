import { FileBlock, type FileBytes } from '../../media/containers/file-bytes.ts';
import {
  isLaced,
  MOST_BLOCK_HEAD_BYTES,
  MOST_LACING_BYTES,
  readBlockHead,
  type BlockHead,
} from '../../media/containers/matroska/block.ts';
import {
  ID,
  MOST_ELEMENT_START_BYTES,
  readElementStart,
  readUint,
  type ElementStart,
} from '../../media/containers/matroska/element.ts';
import { readTracks, readUnitNs, type MatroskaHead, type MatroskaTrack } from '../../media/containers/matroska/head.ts';

/** The frames of a track in the order of the file. */
export interface FrameList {
  readonly offsets: readonly number[];
  readonly sizes: readonly number[];
  /** Presentation times in nanoseconds; not a number where it is not said how long after the one before. */
  readonly times: readonly number[];
  readonly keys: readonly boolean[];
  readonly count: number;
  /** Nanoseconds that times are rounded to. */
  readonly unitNs: number;
}

/** Tracks, and the frames of each. */
export interface FoundFrames {
  readonly head: MatroskaHead;
  readonly lists: ReadonlyMap<MatroskaTrack, FrameList>;
}

/** Frames of all tracks that are listed. */
const MOST_LISTED = 1 << 22;
/** Length of `Tracks`, with the configurations of all codecs, and of `Info`. */
const MOST_HEAD_BYTES = 4 << 20;
/** Heads of blocks lie between their frames: less is read for nothing than with larger blocks. */
const BLOCK_BYTES = 64 * 1024;

class GrowingList implements FrameList {
  readonly offsets: number[] = [];
  readonly sizes: number[] = [];
  readonly times: number[] = [];
  readonly keys: boolean[] = [];
  readonly unitNs: number;

  constructor(unitNs: number) {
    this.unitNs = unitNs;
  }

  get count(): number {
    return this.offsets.length;
  }
}

/** Reads the heads of all blocks of an MKV or WebM file, up to where it is damaged; a sentence for the operator where there is nothing to read. */
export async function listFrames(file: FileBytes): Promise<FoundFrames | string> {
  const walk = new Walk(file);
  return walk.run();
}

/** The way through a file. Clusters are entered and not left: what is not one of their children is one of the segment's. */
class Walk {
  readonly #file: FileBytes;
  readonly #block: FileBlock;
  readonly #lists = new Map<number, { readonly track: MatroskaTrack; readonly frames: GrowingList }>();
  #unitNs = 1_000_000;
  #head: MatroskaHead | undefined;
  #clusterTime = 0;
  #left = MOST_LISTED;

  constructor(file: FileBytes) {
    this.#file = file;
    this.#block = new FileBlock(file, BLOCK_BYTES);
  }

  async run(): Promise<FoundFrames | string> {
    for (let at = 0; at < this.#file.sizeBytes && this.#left > 0;) {
      const start = await this.#startAt(at);
      if (!start) break;
      const next = await this.#element(start, at + start.headBytes);
      if (next === undefined) break;
      at = next;
    }
    if (!this.#head) return 'The file has no Tracks element in front of its media.';
    return { head: this.#head, lists: new Map([...this.#lists.values()].map(({ track, frames }) => [track, frames])) };
  }

  async #startAt(at: number): Promise<ElementStart | undefined> {
    const bytes = await this.#block.view(at, Math.min(MOST_ELEMENT_START_BYTES, this.#file.sizeBytes - at));
    return bytes && readElementStart(bytes, 0);
  }

  /** Takes an element; returns where the next one is, undefined where there is none any more. */
  async #element({ id, dataBytes }: ElementStart, at: number): Promise<number | undefined> {
    if (id === ID.segment || id === ID.cluster) return at;
    if (dataBytes === undefined) return undefined;
    const end = at + dataBytes;
    if (id === ID.timestamp) this.#clusterTime = await this.#uintAt(at, dataBytes);
    else if (id === ID.simpleBlock) {
      const head = await this.#headAt(at, dataBytes);
      if (head) this.#add(head, at, head.isKey);
    } else if (id === ID.blockGroup) await this.#group(at, end);
    else if (id === ID.info || id === ID.tracks) {
      const bytes = dataBytes <= MOST_HEAD_BYTES ? await this.#block.view(at, dataBytes) : undefined;
      if (bytes) this.#takeHead(id, bytes);
    }
    return end;
  }

  #takeHead(id: number, bytes: Uint8Array): void {
    if (id === ID.info) {
      this.#unitNs = readUnitNs(bytes);
      return;
    }
    if (this.#head) return;
    const { tracks, problems } = readTracks(bytes);
    this.#head = { unitNs: this.#unitNs, tracks, problems };
    for (const track of tracks) this.#lists.set(track.number, { track, frames: new GrowingList(this.#unitNs) });
  }

  async #group(from: number, end: number): Promise<void> {
    let head: BlockHead | undefined;
    let blockAt = 0;
    let isKey = true;
    for (let at = from; at < end;) {
      const start = await this.#startAt(at);
      if (start?.dataBytes === undefined) break;
      at += start.headBytes;
      if (start.id === ID.block) {
        head = await this.#headAt(at, start.dataBytes);
        blockAt = at;
      } else if (start.id === ID.referenceBlock) isKey = false;
      at += start.dataBytes;
    }
    if (head) this.#add(head, blockAt, isKey);
  }

  async #headAt(at: number, blockBytes: number): Promise<BlockHead | undefined> {
    const bytes = await this.#block.view(at, Math.min(MOST_BLOCK_HEAD_BYTES, blockBytes));
    if (!bytes || !isLaced(bytes)) return bytes && readBlockHead(bytes, blockBytes);
    const more = await this.#block.view(at, Math.min(MOST_LACING_BYTES, blockBytes));
    return more && readBlockHead(more, blockBytes);
  }

  async #uintAt(at: number, length: number): Promise<number> {
    const bytes = length <= 8 ? await this.#block.view(at, length) : undefined;
    return bytes ? readUint(bytes, 0, bytes.length) : 0;
  }

  #add({ trackNumber, relativeTime, frames }: BlockHead, blockAt: number, isKey: boolean): void {
    const list = this.#lists.get(trackNumber);
    if (!list) return;
    const timeNs = (this.#clusterTime + relativeTime) * this.#unitNs;
    // Of frames in one block only the first has a time; the others follow it.
    const stepNs = list.track.frameNs ?? NaN;
    for (const [index, { offset, sizeBytes }] of frames.entries()) {
      if (this.#left-- <= 0) return;
      list.frames.offsets.push(blockAt + offset);
      list.frames.sizes.push(sizeBytes);
      list.frames.times.push(index === 0 ? timeNs : timeNs + index * stepNs);
      list.frames.keys.push(isKey);
    }
  }
}
