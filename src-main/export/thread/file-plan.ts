import { chunkStartTicks, MOVED_HEAD_BYTES } from '../../media/containers/isobmff/move-chunk.ts';
import type { Track } from '../../media/track.ts';
import { needsOtherEntry } from '../../packaging/mp4/file-formats.ts';
import { mergeSplice } from '../../segment/splice-list.ts';
import type { WindowSplice } from '../../segment/segment-window.ts';
import type { ExportedChapter, ExportedGap } from './export-request.ts';
import type { ArchiveRow, RowChunks } from './archive-rows.ts';
import { MAX_CHAPTERS } from './chapter-list.ts';
import { ExportFailure, type ExportMark } from './export-task.ts';
import { isLost } from './row-bytes.ts';
import { Ranges } from './ranges.ts';
import { TrackChoice } from './track-choice.ts';
import { because } from '../../../src-preload/contract/explanations/explanations.ts';

/** Track of a file, and its start on the timeline of its media, in its ticks. */
export interface PlannedTrack {
  readonly track: Track;
  readonly dtsTicks: number;
  readonly ptsTicks: number;
}

/** Plan of a file, before its first byte is written. */
export interface PlannedFile {
  /** Number of its first row, and of the first row after it. */
  readonly firstRow: number;
  readonly endRow: number;
  /** Epoch milliseconds. */
  readonly fromMs: number;
  readonly toMs: number;
  /** By id, the leading track first. */
  readonly tracks: ReadonlyMap<string, PlannedTrack>;
  readonly ranges: Ranges;
  /** Size of its chunks. */
  readonly mediaBytes: number;
  readonly gaps: readonly ExportedGap[];
  readonly gapCount: number;
  /** Numbers of rows left out because a track starts with damaged media in them. */
  readonly lost: ReadonlySet<number>;
  readonly chapters: readonly ExportedChapter[];
}

export interface PlanOptions {
  /** Ids of tracks; default: the first video track and all audio. */
  readonly trackIds?: readonly string[] | undefined;
  /** Whether a file ends at a change of format of a track, because the container allows one format per track. */
  readonly isCutAtFormats: boolean;
  readonly marks: readonly ExportMark[];
  /** Called with each processed time, in epoch milliseconds. */
  readonly progress: (atMs: number) => void;
}

/** Maximum number of files per stream: one per format. */
const MAX_FILES = 100;
/** Maximum number of listed gaps. */
export const MAX_GAPS = 1000;
/** Maximum number of rows left out because tracks start with damaged media in them. */
const MAX_LOST = 10_000;
const MAX_SPLICES = 10_000;
/** Minimum duration of a gap that becomes a chapter, in milliseconds. */
const CHAPTER_GAP_MS = 1000;

/** File being planned. */
interface PlanDraft {
  readonly firstRow: number;
  readonly fromMs: number;
  toMs: number;
  endRow: number;
  readonly tracks: Map<string, PlannedTrack>;
  readonly ranges: Ranges;
  mediaBytes: number;
  readonly gaps: ExportedGap[];
  gapCount: number;
  readonly lost: Set<number>;
}

/**
 * Visits all rows of an export; reads media only where tracks start. Memory is bounded for any duration. Throws `archive_empty`
 * and `track_not_found`.
 */
export async function planFiles(
  rows: AsyncIterable<ArchiveRow>,
  options: PlanOptions,
): Promise<readonly PlannedFile[]> {
  const choice = new TrackChoice(options.trackIds);
  const files: PlanDraft[] = [];
  let splices: readonly WindowSplice[] = [];
  let known: ArchiveRow['splices'] | undefined;
  let isEmpty = true;
  let damage: Error | undefined;
  for await (const row of rows) {
    isEmpty = false;
    const chunks = choice.of(row);
    if (chunks.length === 0) continue;
    if (row.splices !== known && splices.length < MAX_SPLICES)
      for (const splice of row.splices) splices = mergeSplice(splices, splice, row.startMs);
    known = row.splices;
    let file = files.at(-1);
    const isOther = !file || (options.isCutAtFormats && hasOtherFormat(file, chunks));
    const tracks = await plannedTracks(isOther ? undefined : file, chunks).catch((error: unknown) => {
      if (!isLost(error)) throw error;
      damage ??= error instanceof Error ? error : new Error(String(error));
      return undefined;
    });
    if (!tracks) {
      if (damage && file && file.lost.size >= MAX_LOST) throw damage;
      file?.lost.add(row.number);
      continue;
    }
    if (!file || isOther) {
      if (files.length >= MAX_FILES)
        throw new ExportFailure('export_failed', because('format_changes_often', { count: MAX_FILES }));
      file = startFile(row);
      files.push(file);
    }
    for (const track of tracks) file.tracks.set(track.track.id, track);
    addRow(file, row, chunks);
    options.progress(row.endMs);
  }
  if (isEmpty) throw new ExportFailure('archive_empty', because('range_not_recorded'));
  if (files.length === 0 && damage !== undefined) throw damage;
  if (files.length === 0) throw new ExportFailure('track_not_found', because('tracks_not_recorded'));
  return files.map((file) => ({
    ...file,
    tracks: inOrder(file.tracks),
    chapters: chaptersOf(file, splices, options.marks),
  }));
}

function startFile({ number, startMs, endMs }: ArchiveRow): PlanDraft {
  return {
    firstRow: number,
    endRow: number,
    fromMs: startMs,
    toMs: endMs,
    tracks: new Map(),
    ranges: new Ranges(),
    mediaBytes: 0,
    gaps: [],
    gapCount: 0,
    lost: new Set(),
  };
}

function addRow(file: PlanDraft, row: ArchiveRow, chunks: readonly RowChunks[]): void {
  const gapMs = row.startMs - file.toMs;
  if ((row.isCut || file.lost.has(row.number - 1)) && row.number > file.firstRow && gapMs > 0) {
    file.gapCount++;
    if (file.gaps.length < MAX_GAPS) file.gaps.push({ atMs: file.toMs - file.fromMs, durationMs: gapMs });
  }
  let bytes = 0;
  for (const { sizeBytes } of chunks) bytes += sizeBytes;
  file.ranges.add(row.startMs, bytes);
  file.mediaBytes += bytes;
  file.toMs = Math.max(file.toMs, row.endMs);
  file.endRow = row.number + 1;
}

/** Tracks of a row that are new in a file. */
async function plannedTracks(
  file: PlanDraft | undefined,
  chunks: readonly RowChunks[],
): Promise<readonly PlannedTrack[]> {
  return Promise.all(chunks.filter(({ track }) => file?.tracks.has(track.id) !== true).map(plannedTrack));
}

/** Pictures may be decoded before they are shown; only the chunk states the decoding time. */
async function plannedTrack({ track, startTicks, file, pieces }: RowChunks): Promise<PlannedTrack> {
  const [first] = pieces;
  const head = first && (await file.read(first.offset, Math.min(first.sizeBytes, MOVED_HEAD_BYTES)));
  const dtsTicks = head && chunkStartTicks(head);
  if (dtsTicks === undefined)
    throw new ExportFailure('media_unreadable', because('track_chunk_damaged', { track: track.id }));
  return { track, dtsTicks, ptsTicks: startTicks };
}

function hasOtherFormat({ tracks }: PlanDraft, chunks: readonly RowChunks[]): boolean {
  return chunks.some(({ track }) => {
    const listed = tracks.get(track.id)?.track;
    return listed !== undefined && needsOtherEntry(listed, track);
  });
}

function inOrder(tracks: ReadonlyMap<string, PlannedTrack>): ReadonlyMap<string, PlannedTrack> {
  const order = (id: string): number => Number(id.slice(1)) + (id.startsWith('v') ? 0 : 10_000);
  return new Map([...tracks].sort(([a], [b]) => order(a) - order(b)));
}

/** Chapters of a file in time order: its start, splice points, locks and long gaps. */
function chaptersOf(
  file: PlanDraft,
  splices: readonly WindowSplice[],
  marks: readonly ExportMark[],
): ExportedChapter[] {
  const { fromMs, toMs, gaps } = file;
  const inFile = ({ atMs }: { readonly atMs: number }): boolean => atMs > fromMs && atMs < toMs;
  const found: ExportedChapter[] = [
    ...splices.filter(inFile).map((splice) => ({ atMs: splice.atMs - fromMs, title: spliceTitle(splice) })),
    ...marks.filter(inFile).map(({ atMs, title }) => ({ atMs: atMs - fromMs, title })),
    ...gaps
      .filter(({ durationMs }) => durationMs >= CHAPTER_GAP_MS)
      .map(({ atMs, durationMs }) => ({ atMs, title: `Gap of ${(durationMs / 1000).toFixed(1)} s` })),
  ];
  if (found.length === 0) return [];
  found.sort((a, b) => a.atMs - b.atMs);
  return [{ atMs: 0, title: 'Start' }, ...found].slice(0, MAX_CHAPTERS);
}

const SPLICE_TITLES = { out: 'Splice out', in: 'Splice in', other: 'Splice point', cancel: 'Splice point' } as const;

function spliceTitle({ kind, eventId }: WindowSplice): string {
  return eventId === null ? SPLICE_TITLES[kind] : `${SPLICE_TITLES[kind]} ${eventId}`;
}
