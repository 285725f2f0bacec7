import type { ExportJobBody } from '../../../../src-preload/contract/api/export-job-object.ts';
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
  /** Path below the location without extension; the folder for several streams. */
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
    ...(folder === undefined ? {} : { path: `${folder}/${path.trim().replace(/^\/+/, '')}` }),
  };
}

/** Name of a stream file with a range, for a download by the browser: whole segments, in whole seconds. */
export function downloadFile({ from, to }: Range, packing: 'mp4' | 'ts'): string {
  const start = Math.floor(from / 1000);
  return `archive-${start}-${Math.max(1, Math.ceil(to / 1000) - start)}.${packing}?download=true`;
}

/** Suggested name of an export: stream and start time, in UTC. */
export function suggestedPath(names: readonly string[], fromMs: number): string {
  const stem = names.length === 1 ? (names[0] ?? '').replaceAll('/', '-') : 'export';
  return `${stem}-${new Date(fromMs).toISOString().slice(0, 19).replaceAll(':', '-')}Z`;
}
