import { basename } from 'node:path';
import { isoTime } from '../../lib/clock.ts';
import type { ExportedFile } from '../export-request.ts';

/** A clip, a still or a mark of a case. */
interface ManifestItem {
  readonly id: string;
  readonly kind: 'clip' | 'still' | 'mark';
  readonly stream: string;
  /** Epoch milliseconds; without an end for a moment. */
  readonly fromMs: number;
  readonly toMs: number | null;
  readonly text: string;
  readonly by: string;
  readonly atMs: number;
}

/** What the manifest of a case says besides its files. */
export interface ManifestHead {
  readonly id: string;
  readonly title: string;
  readonly note: string;
  readonly by: string;
  /** When the export was asked for, in epoch milliseconds. */
  readonly atMs: number;
  readonly items: readonly ManifestItem[];
}

/** A file that belongs to an item. */
export type ItemFile = ExportedFile & { readonly item: string | undefined };

/** The manifest of a case as JSON: the items in their order, each with its files and their SHA-256. */
export function printManifest({ items, atMs, by, ...about }: ManifestHead, files: readonly ItemFile[]): string {
  const manifest = {
    case: about,
    exported_at: isoTime(atMs),
    exported_by: by,
    items: items.map((item) => ({
      ...{ id: item.id, kind: item.kind, stream: item.stream, from: isoTime(item.fromMs) },
      ...{ to: item.toMs === null ? null : isoTime(item.toMs), text: item.text },
      ...{ added_by: item.by, added_at: isoTime(item.atMs) },
      files: files.filter((file) => file.item === item.id).map(fileOf),
    })),
  };
  return `${JSON.stringify(manifest, null, 2)}\n`;
}

/** Files with their hashes, as `sha256sum -c` reads them. */
export function printSums(files: readonly Pick<ExportedFile, 'path' | 'sha256'>[]): string {
  return files.map(({ path, sha256 }) => `${sha256}  ${basename(path)}\n`).join('');
}

function fileOf({ path, sizeBytes, sha256, fromMs, durationMs, gaps, gapCount }: ExportedFile): object {
  return {
    ...{ name: basename(path), bytes: sizeBytes, sha256, from: isoTime(fromMs), duration_ms: Math.round(durationMs) },
    gap_count: gapCount,
    gaps: gaps.map((gap) => ({ at_ms: Math.round(gap.atMs), duration_ms: Math.round(gap.durationMs) })),
  };
}
