import { convertTicks, msToTicks } from '../../media/timing/ticks.ts';
import type { Part, Segment, WindowSegment } from '../../segment/segment-window.ts';
import { DAMAGED, GAP, INDEPENDENT, piecesOf, type TrackRows } from './block-table.ts';
import { discontinuitiesBefore, type WindowTable } from './window-table.ts';
import { checkRow } from './row-check.ts';

/**
 * Segment of a track by its number in a window. A track without this row has a gap with the duration of the row of the
 * leading track.
 *
 * @param gapInitId init segment that a gap refers to
 * @param showsDamage true to show a damaged segment as a gap; false if a playlist with this segment was already sent (RFC 8216bis, 6.2.1)
 */
export function segmentOf(
  placed: WindowTable,
  trackId: string,
  msn: number,
  gapInitId: () => number,
  showsDamage = false,
): WindowSegment {
  const row = placed.from + msn - placed.firstMsn;
  const trackRows = placed.table.tracks.get(trackId);
  if (trackRows && row < trackRows.count) return new RowSegment(placed, trackRows, msn, showsDamage);
  const { isDiscontinuity, discontinuitySequence } = new RowSegment(placed, placed.table.leader, msn, showsDamage);
  const segment = gapSegment(placed, trackId, row, gapInitId(), trackRows);
  const { startMs } = segment;
  return { segment, msn, startMs, isDiscontinuity, discontinuitySequence, address: addressAt(startMs) };
}

const MILLION = 1_000_000;

/**
 * Address of a segment: whole milliseconds as text. It is formatted as two small numbers, which is several times faster
 * than one large number: a playlist of a day has 43 200 addresses.
 */
function addressAt(ms: number): string {
  const millions = Math.floor(ms / MILLION);
  const rest = ms - millions * MILLION;
  return millions > 0 && Number.isInteger(rest) ? `${millions}${String(rest).padStart(6, '0')}` : String(ms);
}

/**
 * Recorded segment at its position in a window. A playlist of a day lists 43 200 of them, so it is one small object
 * that computes its properties on request, and serves as both the segment and its position.
 */
class RowSegment implements WindowSegment, Segment {
  readonly msn: number;
  readonly #placed: WindowTable;
  readonly #rows: TrackRows;
  readonly #gapFlags: number;
  #parts: readonly Part[] | undefined;

  constructor(placed: WindowTable, rows: TrackRows, msn: number, showsDamage: boolean) {
    this.msn = msn;
    this.#placed = placed;
    this.#rows = rows;
    this.#gapFlags = showsDamage ? GAP | DAMAGED : GAP;
  }

  get segment(): Segment {
    return this;
  }

  get trackId(): string {
    return this.#rows.track.id;
  }

  get startTicks(): number {
    return this.#rows.startTicks[this.#row] ?? 0;
  }

  get durationTicks(): number {
    return this.#rows.durationTicks[this.#row] ?? 0;
  }

  get startMs(): number {
    return this.#rows.startMs[this.#row] ?? 0;
  }

  get sizeBytes(): number {
    return this.#rows.sizeBytes[this.#row] ?? 0;
  }

  get isComplete(): boolean {
    return true;
  }

  get isGap(): boolean {
    return (this.#flags & this.#gapFlags) !== 0;
  }

  get initId(): number {
    return this.#rows.initId;
  }

  get parts(): readonly Part[] {
    return (this.#parts ??= (this.#flags & GAP) === 0 ? [this.#part()] : []);
  }

  get isDiscontinuity(): boolean {
    const { cuts } = this.#placed;
    return cuts.length > 0 && cuts.includes(this.#row);
  }

  get discontinuitySequence(): number {
    return discontinuitiesBefore(this.#placed, this.#row);
  }

  get address(): string {
    return addressAt(this.startMs);
  }

  get #row(): number {
    return this.#placed.from + this.msn - this.#placed.firstMsn;
  }

  get #flags(): number {
    return this.#rows.flags[this.#row] ?? 0;
  }

  #part(): Part {
    const { startTicks, durationTicks, sizeBytes, startMs: arrivedMs } = this;
    const isIndependent = (this.#flags & INDEPENDENT) !== 0;
    const { table } = this.#placed;
    const { file } = table;
    const check = async (): Promise<void> => checkRow(table, this.#rows, this.#row);
    const pieces = piecesOf(this.#rows, this.#row).map((piece) => ({ file, ...piece }));
    const times = { startTicks, durationTicks, arrivedMs };
    return { index: 0, ...times, isIndependent, hasManyChunks: true, sizeBytes, pieces, check };
  }
}

function gapSegment(
  { table: { leader } }: WindowTable,
  trackId: string,
  row: number,
  initId: number,
  trackRows: TrackRows | undefined,
): Segment {
  const { timescale } = trackRows?.track ?? leader.track;
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
