import { convertTicks, msToTicks } from '../../media/timing/ticks.ts';
import type { MediaFile } from '../../segment/media-bytes.ts';
import type { Part, Segment, WindowSegment } from '../../segment/segment-window.ts';
import { GAP, INDEPENDENT, piecesOf, type TrackRows } from './block-table.ts';
import { discontinuitiesBefore, type PlacedTable } from './placed-table.ts';

/**
 * The segment of a track with a number, as it stands in a window. A track that has nothing there has a gap, as long as the segment of the leading track.
 *
 * @param firstMsn number of the first segment that the window ever had
 * @param gapInitId says which init segment a gap names
 */
export function segmentOf(
  placed: PlacedTable,
  trackId: string,
  msn: number,
  firstMsn: number,
  gapInitId: () => number,
): WindowSegment {
  const row = placed.from + msn - placed.firstMsn;
  const own = placed.table.tracks.get(trackId);
  const segment =
    own && row < own.count
      ? new RowSegment(placed.table.file, own, row)
      : missing(placed, trackId, row, gapInitId(), own);
  return new PlacedSegment(placed, segment, msn, firstMsn);
}

/** A segment at its place; what most do not ask for is found when it is asked for. */
class PlacedSegment implements WindowSegment {
  readonly segment: Segment;
  readonly msn: number;
  readonly startMs: number;
  readonly isDiscontinuity: boolean;
  readonly #placed: PlacedTable;
  readonly #firstMsn: number;

  constructor(placed: PlacedTable, segment: Segment, msn: number, firstMsn: number) {
    this.segment = segment;
    this.msn = msn;
    this.startMs = segment.startMs;
    this.#placed = placed;
    this.#firstMsn = firstMsn;
    const { cuts } = placed.table;
    const isCut = msn === placed.firstMsn && placed.isCut;
    this.isDiscontinuity = msn !== firstMsn && (isCut || (cuts.length > 0 && cuts.includes(this.#row)));
  }

  get discontinuitySequence(): number {
    return discontinuitiesBefore(this.#placed, this.#row, this.#firstMsn);
  }

  get address(): string {
    return addressAt(this.startMs);
  }

  get #row(): number {
    return this.#placed.from + this.msn - this.#placed.firstMsn;
  }
}

const MILLION = 1_000_000;

/** Whole milliseconds as text: in two small numbers, because large ones take several times as long, and a playlist of a day has 43 200 of them. */
function addressAt(ms: number): string {
  const millions = Math.floor(ms / MILLION);
  const rest = ms - millions * MILLION;
  return millions > 0 && Number.isInteger(rest) ? `${millions}${String(rest).padStart(6, '0')}` : String(ms);
}

/** A segment that was recorded. Playlists list thousands, and need no more of its part than that there is one. */
class RowSegment implements Segment {
  readonly isComplete = true;
  readonly trackId: string;
  readonly startTicks: number;
  readonly durationTicks: number;
  readonly startMs: number;
  readonly isGap: boolean;
  readonly initId: number;
  readonly #file: MediaFile;
  readonly #rows: TrackRows;
  readonly #row: number;
  #parts: readonly Part[] | undefined;

  constructor(file: MediaFile, rows: TrackRows, row: number) {
    this.#file = file;
    this.#rows = rows;
    this.#row = row;
    this.trackId = rows.track.id;
    this.startTicks = rows.startTicks[row] ?? 0;
    this.durationTicks = rows.durationTicks[row] ?? 0;
    this.startMs = rows.startMs[row] ?? 0;
    this.isGap = ((rows.flags[row] ?? 0) & GAP) !== 0;
    this.initId = rows.initId;
  }

  get sizeBytes(): number {
    return this.#rows.sizeBytes[this.#row] ?? 0;
  }

  get parts(): readonly Part[] {
    return (this.#parts ??= this.isGap ? [] : [this.#part()]);
  }

  #part(): Part {
    const { startTicks, durationTicks, sizeBytes, startMs: arrivedMs } = this;
    const isIndependent = ((this.#rows.flags[this.#row] ?? 0) & INDEPENDENT) !== 0;
    const pieces = piecesOf(this.#rows, this.#row).map((piece) => ({ file: this.#file, ...piece }));
    const times = { startTicks, durationTicks, arrivedMs };
    return { index: 0, ...times, isIndependent, hasManyChunks: true, sizeBytes, pieces };
  }
}

function missing(
  { table: { leader } }: PlacedTable,
  trackId: string,
  row: number,
  initId: number,
  own: TrackRows | undefined,
): Segment {
  const { timescale } = own?.track ?? leader.track;
  const startMs = leader.startMs[row] ?? 0;
  return {
    trackId,
    startTicks: msToTicks(startMs, timescale),
    durationTicks: convertTicks(leader.durationTicks[row] ?? 0, leader.track.timescale, timescale),
    startMs,
    parts: [],
    sizeBytes: 0,
    isComplete: true,
    isGap: true,
    initId,
  };
}
