import { basename } from 'node:path';
import { isoTime } from '../../lib/clock.ts';
import type { ExportedFile } from './export-request.ts';

/** Clip, still or mark of a case. */
interface ManifestItem {
  readonly id: string;
  readonly kind: 'clip' | 'still' | 'mark';
  readonly stream: string;
  /** Epoch milliseconds; the end is absent for stills and marks. */
  readonly fromMs: number;
  readonly toMs: number | null;
  readonly text: string;
  readonly by: string;
  readonly atMs: number;
}

/** Properties of a case manifest besides its files. */
export interface ManifestHead {
  readonly id: string;
  readonly title: string;
  readonly note: string;
  readonly by: string;
  /** Time of the export request, in epoch milliseconds. */
  readonly atMs: number;
  readonly items: readonly ManifestItem[];
}

/** File that belongs to an item. */
export type ItemFile = ExportedFile & { readonly item: string | undefined };

/** Name of the file that lists the items that could not be exported. Absent from complete exports. */
export const MISSING_FILE = 'MISSING.txt';

/**
 * Prints the manifest of a case as JSON: the items in order, each with its files and their SHA-256.
 *
 * @param missing reason for each item without files, by id
 */
export function printManifest(
  { items, atMs, by, ...about }: ManifestHead,
  files: readonly ItemFile[],
  missing: ReadonlyMap<string, string>,
): string {
  const manifest = {
    case: about,
    exported_at: isoTime(atMs),
    exported_by: by,
    items: items.map((item) => ({
      id: item.id,
      kind: item.kind,
      stream: item.stream,
      from: isoTime(item.fromMs),
      to: item.toMs === null ? null : isoTime(item.toMs),
      text: item.text,
      added_by: item.by,
      added_at: isoTime(item.atMs),
      missing: missing.get(item.id) ?? null,
      files: files.filter((file) => file.item === item.id).map(fileOf),
    })),
  };
  return `${JSON.stringify(manifest, null, 2)}\n`;
}

/** Prints one line per missing item: position in the case, kind, and reason. */
export function printMissing({ items }: ManifestHead, missing: ReadonlyMap<string, string>): string {
  const lines = items.flatMap(({ id, kind, stream, fromMs, text }, index) => {
    const reason = missing.get(id);
    const what = [String(index + 1).padStart(3, '0'), kind, stream, isoTime(fromMs), text].filter((one) => one !== '');
    return reason === undefined ? [] : [`${what.join(' ')}: ${reason}\n`];
  });
  return lines.join('');
}

/** Prints file hashes in the format of `sha256sum -c`. */
export function printSums(files: readonly Pick<ExportedFile, 'path' | 'sha256'>[]): string {
  return files.map(({ path, sha256 }) => `${sha256}  ${basename(path)}\n`).join('');
}

function fileOf({ path, sizeBytes, sha256, fromMs, durationMs, gaps, gapCount }: ExportedFile): object {
  return {
    name: basename(path),
    bytes: sizeBytes,
    sha256,
    from: isoTime(fromMs),
    duration_ms: Math.round(durationMs),
    gap_count: gapCount,
    gaps: gaps.map((gap) => ({ at_ms: Math.round(gap.atMs), duration_ms: Math.round(gap.durationMs) })),
  };
}
