import type { CatalogBlock } from './archive-catalog.ts';
import type { TimeRange } from './catalog-store.ts';
import { ticksToMs } from '../../media/timing/ticks.ts';
import { trackNumber } from '../../media/track.ts';

/** Block of an archive for display. Times are epoch milliseconds. */
export interface ArchiveBlock extends TimeRange {
  /** Path of the file below its disk. */
  readonly path: string;
  readonly sizeBytes: number;
  readonly hasPicture: boolean;
  /** Segments of the first video track, or of the first track, with the bytes of all tracks. */
  readonly segments: readonly (TimeRange & { readonly sizeBytes: number })[];
}

/** Block with the segments of its leading track. Bytes of other tracks are counted in the segment in which they start. */
export function archiveBlock({ path, startMs, endMs, sizeBytes, tracks, segments }: CatalogBlock): ArchiveBlock {
  const timescales = new Map(tracks.map(({ id, timescale }) => [trackNumber(id), timescale]));
  const leading = tracks.find(({ content }) => content === 'video') ?? tracks[0];
  const number = leading ? trackNumber(leading.id) : 0;
  const times = segments.flatMap((segment) => {
    const timescale = timescales.get(segment.trackNumber);
    if (timescale === undefined) return [];
    const bytes = segment.pieces.reduce((sum, piece) => sum + piece.sizeBytes, 0);
    const [start, end] = [segment.startTicks, segment.startTicks + segment.durationTicks];
    return [
      { track: segment.trackNumber, startMs: ticksToMs(start, timescale), endMs: ticksToMs(end, timescale), bytes },
    ];
  });
  const shown = times
    .filter(({ track }) => track === number)
    .map((segment) => ({ startMs: segment.startMs, endMs: segment.endMs, sizeBytes: segment.bytes }))
    .sort((a, b) => a.startMs - b.startMs);
  for (const other of times) {
    if (other.track === number) continue;
    const within = shown.findLast((segment) => segment.startMs <= other.startMs) ?? shown[0];
    if (within) within.sizeBytes += other.bytes;
  }
  return { path, startMs, endMs, sizeBytes, hasPicture: leading?.content === 'video', segments: shown };
}
