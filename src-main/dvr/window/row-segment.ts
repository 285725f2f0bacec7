import { convertTicks, msToTicks } from '../../media/timing/ticks.ts';
import type { Part, Segment, WindowSegment } from '../../segment/segment-window.ts';
import { GAP, INDEPENDENT, piecesOf, type TrackRows } from './block-table.ts';
import { discontinuitiesBefore, type PlacedTable } from './placed-table.ts';

/**
 * The segment of a track with a number, as it stands in a window. A track that has nothing there has a gap, as long as the segment of the leading track.
 *
 * @param firstMsn number of the first segment that the window ever had
 * @param gapInitId the init segment that a gap names
 */
export function segmentOf(
  placed: PlacedTable,
  trackId: string,
  msn: number,
  firstMsn: number,
  gapInitId: number,
): WindowSegment {
  const row = placed.from + msn - placed.firstMsn;
  const own = placed.table.tracks.get(trackId);
  const segment = own && row < own.count ? recorded(placed, own, row) : missing(placed, trackId, row, gapInitId, own);
  const isCut = row === placed.from && placed.isCut;
  return {
    segment,
    msn,
    startMs: segment.startMs,
    isDiscontinuity: msn !== firstMsn && (isCut || placed.table.cuts.includes(row)),
    discontinuitySequence: discontinuitiesBefore(placed, row, firstMsn),
    address: String(segment.startMs),
  };
}

function recorded({ table: { file } }: PlacedTable, rows: TrackRows, row: number): Segment {
  const { track, initId } = rows;
  const startTicks = rows.startTicks[row] ?? 0;
  const durationTicks = rows.durationTicks[row] ?? 0;
  const startMs = rows.startMs[row] ?? 0;
  const sizeBytes = rows.sizeBytes[row] ?? 0;
  const flags = rows.flags[row] ?? 0;
  const isGap = (flags & GAP) !== 0;
  const common = { trackId: track.id, startTicks, durationTicks, startMs, sizeBytes, isComplete: true, isGap, initId };
  let parts: readonly Part[] | undefined;
  return {
    ...common,
    // Playlists need no more than whether there is one.
    get parts() {
      return (parts ??= isGap
        ? []
        : [
            {
              index: 0,
              startTicks,
              durationTicks,
              isIndependent: (flags & INDEPENDENT) !== 0,
              hasManyChunks: true,
              sizeBytes,
              pieces: piecesOf(rows, row).map((piece) => ({ file, ...piece })),
              arrivedMs: startMs,
            },
          ]);
    },
  };
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
