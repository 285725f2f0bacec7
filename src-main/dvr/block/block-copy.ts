import { crc32 } from 'node:zlib';
import { ticksToMs } from '../../media/timing/ticks.ts';
import { trackNumber } from '../../media/track.ts';
import type { MediaFile } from '../../segment/media-bytes.ts';
import { writeBlockHead, type BlockHead } from './block-head.ts';
import { writeIndexBox, type BlockIndex, type BlockNumbers, type BlockSegment } from './block-index.ts';
import { writeBlockRun, type BlockRun, type RunChunk } from './block-run.ts';
import { readSpliceBox, writeSpliceBox } from './block-splice.ts';
import { IndexBuilder } from './index-builder.ts';

/** Content of a block, or its remaining part. */
export interface BlockContent {
  readonly head: BlockHead;
  readonly index: BlockIndex;
}

/** Destination of a block. */
export interface BlockTarget {
  write(bytes: readonly Uint8Array[], offset: number): Promise<void>;
}

/** Approximate bytes copied per step. */
const STEP_BYTES = 4 << 20;

/**
 * Content of a block without some of its segments. A segment after a removed one becomes a discontinuity.
 *
 * @returns undefined if nothing is left
 */
export function retainedPart(
  { head, index }: BlockContent,
  isKept: (segment: BlockSegment) => boolean,
): BlockContent | undefined {
  const cut = new Set<number>();
  const segments: BlockSegment[] = [];
  for (const segment of index.segments) {
    if (!isKept(segment)) {
      cut.add(segment.trackNumber);
      continue;
    }
    segments.push(cut.delete(segment.trackNumber) ? { ...segment, isDiscontinuity: true } : segment);
  }
  if (segments.length === 0) return undefined;
  const timescales = new Map(head.tracks.map(({ id, timescale }) => [trackNumber(id), timescale]));
  const starts = segments.map((segment) => ticksToMs(segment.startTicks, timescales.get(segment.trackNumber) ?? 1));
  const numbers = numbersOf(index, isKept);
  const { numbers: _, ...named } = head;
  const optionalNumbers = numbers ? { numbers } : {};
  return {
    head: { ...named, ...optionalNumbers, startMs: Math.min(...starts) },
    index: { ...optionalNumbers, segments, splices: index.splices },
  };
}

/** Numbers of the remaining part, if it is one piece and the same in all tracks. */
function numbersOf(
  { numbers, segments }: BlockIndex,
  isKept: (segment: BlockSegment) => boolean,
): BlockNumbers | undefined {
  if (!numbers) return undefined;
  const tracks = new Map<number, { before: number; cuts: number; state: 'before' | 'within' | 'after' }>();
  for (const segment of segments) {
    const track = tracks.get(segment.trackNumber) ?? { before: 0, cuts: 0, state: 'before' };
    tracks.set(segment.trackNumber, track);
    if (isKept(segment)) {
      if (track.state === 'after') return undefined;
      track.state = 'within';
    } else if (track.state === 'before') {
      track.before++;
      if (segment.isDiscontinuity) track.cuts++;
    } else track.state = 'after';
  }
  const left = [...tracks.values()].filter(({ state }) => state !== 'before');
  const before = left[0]?.before ?? 0;
  if (left.some((track) => track.before !== before)) return undefined;
  const cuts = Math.max(...left.map((track) => track.cuts));
  return { msn: numbers.msn + before, discontinuitySequence: numbers.discontinuitySequence + cuts };
}

/**
 * Writes a block from the bytes of another one, a few megabytes per step, with one run per piece of a segment. Throws read and
 * write errors.
 *
 * @returns the index of the new file, and its size
 */
export async function* copyBlock(
  source: MediaFile,
  { head, index }: BlockContent,
  target: BlockTarget,
): AsyncGenerator<void, { readonly index: BlockIndex; readonly sizeBytes: number }> {
  const builder = new IndexBuilder();
  let written = 0;
  let waiting: Uint8Array[] = [writeBlockHead(head)];
  let end = waiting[0]?.length ?? 0;
  const add = (bytes: Uint8Array): void => {
    waiting.push(bytes);
    end += bytes.length;
  };
  const flush = async (): Promise<void> => {
    await target.write(waiting, written);
    waiting = [];
    written = end;
  };
  for (const splice of index.splices) {
    const box = writeSpliceBox(splice);
    const read = readSpliceBox(box);
    if (!read) continue;
    add(
      writeBlockRun({
        ...SPLICES,
        chunks: [{ ...chunkOf(box), durationTicks: 0, isIndependent: false, hasCaptions: false }],
      }),
    );
    add(box);
    builder.splice(read);
  }
  for (const { run, position, isIndependent, hasCaptions, durationTicks } of runsOf(index.segments)) {
    const bytes = position && (await source.read(position.offset, position.sizeBytes));
    const chunks = bytes ? [{ ...chunkOf(bytes), durationTicks, isIndependent, hasCaptions }] : [];
    add(writeBlockRun({ ...run, chunks }));
    builder.run({ ...run, chunks });
    for (const chunk of chunks) builder.chunk(run.trackNumber, chunk, end);
    builder.runEnd({ ...run, chunks });
    if (bytes) add(bytes);
    if (end - written < STEP_BYTES) continue;
    await flush();
    yield;
  }
  const copied = builder.indexOf(head);
  add(writeIndexBox(copied));
  await flush();
  return { index: copied, sizeBytes: end };
}

const SPLICES = { trackNumber: 0, segmentStartTicks: 0, isStart: false, isDiscontinuity: false, isGap: false } as const;

function chunkOf(bytes: Uint8Array): Pick<RunChunk, 'sizeBytes' | 'checksum'> {
  return { sizeBytes: bytes.length, checksum: crc32(bytes) };
}

interface CopiedRun {
  readonly run: Omit<BlockRun, 'chunks'>;
  /** Position of the bytes in the source; undefined for a segment without bytes. */
  readonly position: BlockSegment['pieces'][number] | undefined;
  readonly isIndependent: boolean;
  readonly hasCaptions: boolean;
  readonly durationTicks: number;
}

/** One run per piece, in file order, so that the source is read sequentially. */
function runsOf(segments: readonly BlockSegment[]): readonly CopiedRun[] {
  const runs: (CopiedRun & { readonly at: number })[] = [];
  let at = 0;
  for (const segment of segments) {
    const { trackNumber: number, startTicks, durationTicks, isDiscontinuity, isGap, isComplete, pieces } = segment;
    const places = pieces.length === 0 ? [undefined] : pieces;
    for (const [piece, position] of places.entries()) {
      const isFirst = piece === 0;
      const isEnd = isComplete && piece === places.length - 1;
      at = position?.offset ?? at;
      runs.push({
        run: {
          trackNumber: number,
          segmentStartTicks: startTicks,
          isStart: isFirst,
          isDiscontinuity,
          isGap,
          ...(isEnd ? { endDurationTicks: durationTicks } : {}),
        },
        position,
        at,
        isIndependent: isFirst && segment.isIndependent,
        hasCaptions: segment.hasCaptions,
        durationTicks: isFirst ? durationTicks : 0,
      });
    }
    at = pieces[0]?.offset ?? at;
  }
  return runs.sort((a, b) => a.at - b.at);
}
