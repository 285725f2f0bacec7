import type { WindowSplice } from '../../segment/segment-window.ts';
import type { BlockHead } from './block-head.ts';
import type { BlockIndex, BlockPiece, BlockSegment } from './block-index.ts';
import type { BlockRun, RunChunk } from './block-run.ts';

type Growing = { -readonly [K in keyof BlockSegment]: BlockSegment[K] } & { readonly pieces: BlockPiece[] };

/** The index of a block as it grows, run by run: the same for who writes the block and for who reads it again. */
export class IndexBuilder {
  readonly #segments: Growing[] = [];
  readonly #splices: WindowSplice[] = [];
  /** The newest segment of each track. */
  readonly #open = new Map<number, Growing>();

  /** A run of a track begins. */
  run(run: BlockRun): void {
    const { trackNumber, segmentStartTicks: startTicks, isDiscontinuity, isGap } = run;
    const open = this.#open.get(trackNumber);
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
    this.#open.set(trackNumber, segment);
  }

  /** A chunk of the run lies at this offset. */
  chunk(trackNumber: number, chunk: RunChunk, offset: number): void {
    const segment = this.#open.get(trackNumber);
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

  /** All chunks of the run are there. */
  runEnd({ trackNumber, endDurationTicks }: BlockRun): void {
    const segment = this.#open.get(trackNumber);
    if (!segment || endDurationTicks === undefined) return;
    segment.durationTicks = endDurationTicks;
    segment.isComplete = true;
  }

  splice(splice: WindowSplice): void {
    this.#splices.push(splice);
  }

  /** What is there so far of a block that begins so. */
  indexOf({ numbers }: Pick<BlockHead, 'numbers'>): BlockIndex {
    return {
      ...(numbers ? { numbers } : {}),
      segments: this.#segments.map((segment) => ({ ...segment, pieces: [...segment.pieces] })),
      splices: [...this.#splices],
    };
  }
}
