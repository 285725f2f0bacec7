import type { WindowSplice } from '../../segment/segment-window.ts';
import type { BlockHead } from './block-head.ts';
import type { BlockIndex, BlockPiece, BlockSegment } from './block-index.ts';
import type { BlockRun, RunChunk } from './block-run.ts';

/** Segment that is being built. */
type Growing = { -readonly [K in keyof BlockSegment]: BlockSegment[K] } & { readonly pieces: BlockPiece[] };

/** Builds the index of a block run by run, in the same way for the writer and for the reader of the file. */
export class IndexBuilder {
  readonly #segments: Growing[] = [];
  readonly #splices: WindowSplice[] = [];
  /** Newest segment of each track. */
  readonly #newest = new Map<number, Growing>();

  /** Starts a run of a track. */
  run(run: BlockRun): void {
    const { trackNumber, segmentStartTicks: startTicks, isDiscontinuity, isGap } = run;
    const open = this.#newest.get(trackNumber);
    if (open?.startTicks === startTicks && !run.isStart) return;
    const segment: Growing = {
      trackNumber,
      startTicks,
      durationTicks: 0,
      isIndependent: false,
      isDiscontinuity,
      isGap,
      isComplete: false,
      hasCaptions: false,
      pieces: [],
    };
    this.#segments.push(segment);
    this.#newest.set(trackNumber, segment);
  }

  /** Adds a chunk of the run at an offset. */
  chunk(trackNumber: number, chunk: RunChunk, offset: number): void {
    const segment = this.#newest.get(trackNumber);
    if (!segment) return;
    const { pieces } = segment;
    if (pieces.length === 0) segment.isIndependent = chunk.isIndependent;
    segment.hasCaptions ||= chunk.hasCaptions;
    const last = pieces.at(-1);
    if (last && last.offset + last.sizeBytes === offset)
      pieces[pieces.length - 1] = { offset: last.offset, sizeBytes: last.sizeBytes + chunk.sizeBytes };
    else pieces.push({ offset, sizeBytes: chunk.sizeBytes });
    segment.durationTicks += chunk.durationTicks;
  }

  /** Ends the run: all its chunks were added. */
  runEnd({ trackNumber, endDurationTicks }: BlockRun): void {
    const segment = this.#newest.get(trackNumber);
    if (!segment || endDurationTicks === undefined) return;
    segment.durationTicks = endDurationTicks;
    segment.isComplete = true;
  }

  splice(splice: WindowSplice): void {
    this.#splices.push(splice);
  }

  /** Index so far, for a block with this header. */
  indexOf({ numbers }: Pick<BlockHead, 'numbers'>): BlockIndex {
    return {
      ...(numbers ? { numbers } : {}),
      segments: this.#segments.map((segment) => ({ ...segment, pieces: [...segment.pieces] })),
      splices: [...this.#splices],
    };
  }
}
