import type { ExportJobBody } from '../../../../src-preload/contract/api/export-job-object.ts';
import type { Range } from '../time/time-scale.ts';

/** Where an export goes. `archive`: the export folder on a disk of the archive; `download`: to this machine; else the prefix of a VOD location. */
export type ExportPlace = 'archive' | 'download' | `vod:${string}`;

/** What an operator chooses for an export. */
export interface ExportChoice {
  readonly names: readonly string[];
  /** Begin of the first picture, and end of the last, in epoch milliseconds. */
  readonly range: Range;
  readonly frameMs: number;
  readonly place: ExportPlace;
  /** Path below the location, without the ending; of several streams the folder. */
  readonly path: string;
  readonly packing: 'mp4' | 'ts';
  readonly isExact: boolean;
}

/** A range in whole milliseconds, which pictures do not begin at: its begin lies a little before the first picture, its end in the last one. */
export function wholeRange({ from, to }: Range, frameMs: number): { readonly from: number; readonly duration: number } {
  const inset = frameMs / 4;
  const begin = Math.max(0, Math.round(from - inset));
  return { from: begin, duration: Math.max(1, Math.round(to - inset) - begin) };
}

/** A job of the server for a choice. */
export function exportBody({ names, range, frameMs, place, path, packing, isExact }: ExportChoice): ExportJobBody {
  const folder = place.startsWith('vod:') ? place.slice('vod:'.length) : undefined;
  return {
    ...(names.length === 1 ? { name: names[0] ?? '' } : { names: [...names] }),
    ...wholeRange(range, frameMs),
    packing,
    exact: isExact,
    ...(folder === undefined ? {} : { path: `${folder}/${path.trim().replace(/^\/+/, '')}` }),
  };
}

/** The file of a stream that has a range, as browsers save it: whole segments, in whole seconds. */
export function downloadFile({ from, to }: Range, packing: 'mp4' | 'ts'): string {
  const start = Math.floor(from / 1000);
  return `archive-${start}-${Math.max(1, Math.ceil(to / 1000) - start)}.${packing}?download=true`;
}

/** A name for an export: the stream and when it begins, in UTC. */
export function suggestedPath(names: readonly string[], fromMs: number): string {
  const stem = names.length === 1 ? (names[0] ?? '').replaceAll('/', '-') : 'export';
  return `${stem}-${new Date(fromMs).toISOString().slice(0, 19).replaceAll(':', '-')}Z`;
}
