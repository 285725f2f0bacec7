import type { ExportJobBody } from '../../../../src-preload/contract/api/export-job-object.ts';
import { formatClock, formatDay } from '../../../lib/format.ts';
import type { Range } from '../time-scale.ts';

/**
 * Destination of an export. `archive`: the export folder on a disk of the archive; `download`: this machine; else the prefix of a
 * VOD location.
 */
export type ExportPlace = 'archive' | 'download' | `vod:${string}`;

/** Options of an export. */
export interface ExportChoice {
  readonly names: readonly string[];
  /** Start of the first picture and end of the last, in epoch milliseconds. */
  readonly range: Range;
  readonly frameMs: number;
  readonly place: ExportPlace;
  /**
   * Path below the location without extension, or the folder for several streams. Without a location, the name of the file; not used
   * for several streams.
   */
  readonly path: string;
  readonly packing: 'mp4' | 'ts';
  readonly isExact: boolean;
}

/** Rounds a range to whole milliseconds: the start falls slightly before the first picture, the end into the last one. */
export function wholeMilliseconds(
  { from, to }: Range,
  frameMs: number,
): { readonly from: number; readonly duration: number } {
  const inset = frameMs / 4;
  const start = Math.max(0, Math.round(from - inset));
  return { from: start, duration: Math.max(1, Math.round(to - inset) - start) };
}

/** Builds the job for the server. */
export function exportBody({ names, range, frameMs, place, path, packing, isExact }: ExportChoice): ExportJobBody {
  const folder = place.startsWith('vod:') ? place.slice('vod:'.length) : undefined;
  return {
    ...(names.length === 1 ? { name: names[0] ?? '' } : { names: [...names] }),
    ...wholeMilliseconds(range, frameMs),
    packing,
    exact: isExact,
    ...(folder === undefined && names.length === 1 && path.trim() !== '' ? { file_name: path.trim() } : {}),
    ...(folder === undefined ? {} : { path: `${folder}/${path.trim().replace(/^\/+/, '')}` }),
  };
}

/** Name of a stream file with a range, for a download by the browser: whole segments, in whole seconds. */
export function downloadFile({ from, to }: Range, packing: 'mp4' | 'ts'): string {
  const start = Math.floor(from / 1000);
  return `archive-${start}-${Math.max(1, Math.ceil(to / 1000) - start)}.${packing}?download=true`;
}

/** Maximum length of the stream in a suggested name, in characters. */
const MAX_STEM_CHARS = 60;

/** Suggested name of an export: stream and start time, in the time zone of the page; a `Z` marks UTC. */
export function suggestedPath(names: readonly string[], fromMs: number, zone: 'utc' | 'local'): string {
  const stem = names.length === 1 ? (names[0] ?? '').replaceAll('/', '-').slice(0, MAX_STEM_CHARS) : 'export';
  const time = `${formatDay(fromMs, zone)}T${formatClock(fromMs, zone)}`.replaceAll(':', '-');
  return `${stem}-${time}${zone === 'utc' ? 'Z' : ''}`;
}

/** Archive of a stream, for estimates. */
export interface ArchiveSize {
  /** Finished blocks, in bytes. */
  readonly bytes: number;
  /** Recorded time, oldest first. */
  readonly ranges: readonly Range[];
}

/**
 * Estimated size of a range of several archives in bytes, by the average bit rate of each archive; null without a finished block.
 */
export function estimatedBytes(archives: readonly ArchiveSize[], range: Range): number | null {
  let total = 0;
  for (const { bytes, ranges } of archives) {
    const recordedMs = ranges.reduce((sum, { from, to }) => sum + to - from, 0);
    const exportedMs = ranges.reduce(
      (sum, { from, to }) => sum + Math.max(0, Math.min(to, range.to) - Math.max(from, range.from)),
      0,
    );
    if (recordedMs > 0) total += (bytes * exportedMs) / recordedMs;
  }
  return total > 0 ? total : null;
}
