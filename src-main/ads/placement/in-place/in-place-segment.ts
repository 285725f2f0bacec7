import type { MediaBytes, Piece } from '../../../segment/media-bytes.ts';
import type { Part, Segment } from '../../../segment/segment-window.ts';
import { SegmentView } from '../../clips/segment-view.ts';

/** Writes the replacement of a stream part; undefined to send the part unchanged. */
export type PartWriter = (source: Part) => MediaBytes | undefined;

/** A part whose bytes are written on request. */
class InPlacePart implements Part {
  readonly #source: Part;
  readonly #write: PartWriter;
  readonly isIndependent: boolean;
  #media: MediaBytes | undefined;

  constructor(source: Part, isIndependent: boolean, write: PartWriter) {
    this.#source = source;
    this.#write = write;
    this.isIndependent = isIndependent;
  }

  get index(): number {
    return this.#source.index;
  }

  get startTicks(): number {
    return this.#source.startTicks;
  }

  get durationTicks(): number {
    return this.#source.durationTicks;
  }

  get arrivedMs(): number {
    return this.#source.arrivedMs;
  }

  get sizeBytes(): number {
    return this.#loadedMedia.sizeBytes;
  }

  get pieces(): readonly Piece[] {
    return this.#loadedMedia.pieces;
  }

  get #loadedMedia(): MediaBytes {
    return (this.#media ??= this.#write(this.#source) ?? this.#source);
  }
}

/** A segment of the stream with replaced media: the same times, parts and state. */
export class InPlaceSegment extends SegmentView {
  readonly #write: PartWriter;
  readonly #parts: Part[] = [];

  constructor(source: Segment, write: PartWriter) {
    super(source);
    this.#write = write;
  }

  get parts(): readonly Part[] {
    const { parts, trackId } = this.source;
    // Parts leave with the window, and the last one may be withdrawn when the segment ends.
    this.#parts.length = Math.min(this.#parts.length, parts.length);
    for (let index = this.#parts.length; index < parts.length; index++) {
      const part = parts[index] as Part;
      const isIndependent = trackId.startsWith('v') ? index === 0 : part.isIndependent;
      this.#parts.push(new InPlacePart(part, isIndependent, this.#write));
    }
    return this.#parts;
  }
}
