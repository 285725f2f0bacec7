import { FragmentSegments } from './segments/fragment-segments.ts';
import type { LoadedItem } from './item-loader.ts';
import type { RenditionQueue } from './rendition-queue.ts';
import { PackedAudioSegments } from './segments/packed-audio.ts';
import { segmentKindOf } from './segments/segment-kind.ts';
import type { SegmentKind } from './segments/segment-kind.ts';
import type { SegmentReader } from './segments/segment-reader.ts';
import { TsSegments } from './segments/ts-segments.ts';

/** Reads the items of one rendition in order, whatever the container of its segments. */
export class RenditionUnits {
  readonly #queue: RenditionQueue;
  #reader: SegmentReader | undefined;
  #kind: SegmentKind | undefined;
  #era: number | undefined;
  #msn = -1;
  #isOpen = false;

  constructor(queue: RenditionQueue) {
    this.#queue = queue;
  }

  /** Whether times have 33 bits and wrap. */
  get isWrapping(): boolean {
    return this.#reader?.isWrapping ?? false;
  }

  /** Opens the next item. Returns false if its container is unknown. */
  open({ item, bytes, init }: LoadedItem): boolean {
    const isNewEra = item.era !== this.#era;
    const isNext = item.msn === this.#msn + 1;
    // A part may start in the middle of a packet, so the kind of the segment is used.
    const kind =
      item.part === undefined || item.part === 0 || this.#kind === undefined ? segmentKindOf(bytes) : this.#kind;
    const isContinuous = (isNext || item.msn === this.#msn) && !isNewEra && !item.isAfterGap && kind === this.#kind;
    if (!isContinuous) this.finish();
    else if (isNext) this.#reader?.nextSegment();
    this.#msn = item.msn;
    if (!kind) return false;
    if (!this.#reader || kind !== this.#kind || isNewEra) this.#reader = this.#readerOf(kind);
    this.#kind = kind;
    this.#era = item.era;
    this.#queue.startEra(item.era);
    if (item.isAfterGap) this.#queue.addGap();
    this.#queue.startItem(item, isContinuous && this.#reader.isPictureOpen);
    this.#reader.open(bytes, init);
    this.#isOpen = true;
    return true;
  }

  /** Reads a little more. Returns false when the next item is needed. */
  step(): boolean {
    if (!this.#isOpen || !this.#reader) return false;
    if (this.#reader.step()) return true;
    this.#isOpen = false;
    return false;
  }

  /** Ends the stream: no bytes follow. */
  finish(): void {
    this.#reader?.endSegment();
    this.#isOpen = false;
  }

  #readerOf(kind: SegmentKind): SegmentReader {
    switch (kind) {
      case 'mpegts':
        return new TsSegments(this.#queue);
      case 'fmp4':
        return new FragmentSegments(this.#queue);
      case 'packed-audio':
        return new PackedAudioSegments(this.#queue);
    }
  }
}
