import { join } from 'node:path';
import type { CaseExportBody } from '../../../src-preload/contract/api/archive/case-object.ts';
import { AirdeskError } from '../../../src-preload/contract/errors.ts';
import { fileNameOf } from '../../export/export-paths.ts';
import type { ExportRequest } from '../../export/thread/export-request.ts';
import type { ManifestHead } from '../../export/thread/case-manifest.ts';
import type { ExportMark, FolderTask, StreamTask } from '../../export/thread/export-task.ts';
import type { TimeRange } from '../../dvr/catalog/catalog-store.ts';
import { timeInFileName } from '../../lib/clock.ts';

/** Case with its items, in order. */
export type CaseToExport = Pick<ManifestHead, 'id' | 'title' | 'note' | 'items'>;

/** Request of a case's export. Raises `bad_value` for an empty case. */
export function caseRequest(
  { id, title, items }: CaseToExport,
  { path, packing, exact }: CaseExportBody,
): ExportRequest & { readonly case: object } {
  if (items.length === 0) throw new AirdeskError('bad_value', 'This case is empty');
  const fromMs = Math.min(...items.map((item) => item.fromMs));
  const ends = items.map((item) => item.toMs ?? item.fromMs + 1);
  const lengthMs = items.reduce((sum, item) => sum + (item.toMs === null ? 0 : item.toMs - item.fromMs), 0);
  return {
    streams: [...new Set(items.map(({ stream }) => stream))],
    fromMs,
    toMs: Math.max(...ends),
    packing,
    isExact: exact,
    path,
    case: { id, title, lengthMs },
  };
}

/**
 * Files of a case. Clips are named by their position in it, their stream and their start.
 *
 * @param marks finds the marks of a stream in a time range
 */
export function caseTask(
  { items, ...about }: CaseToExport,
  folder: string,
  author: { readonly by: string; readonly atMs: number },
  marks: (stream: string, time: TimeRange) => readonly ExportMark[],
): { readonly streams: readonly StreamTask[]; readonly folder: FolderTask } {
  const streams: StreamTask[] = [];
  const stills: FolderTask['stills'][number][] = [];
  for (const [index, { id: item, kind, stream, fromMs, toMs }] of items.entries()) {
    const number = String(index + 1).padStart(3, '0');
    const stem = join(folder, `${number}-${fileNameOf(stream)}-${timeInFileName(fromMs)}`);
    if (kind === 'still') stills.push({ item, stream, atMs: fromMs, path: `${stem}.jpg` });
    if (kind === 'clip' && toMs !== null)
      streams.push({
        stream,
        stem,
        item,
        time: { fromMs, toMs },
        marks: marks(stream, { startMs: fromMs, endMs: toMs }),
      });
  }
  return { streams, folder: { path: folder, stills, manifest: { ...about, ...author, items } } };
}
