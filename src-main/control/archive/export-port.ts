import type { CaseExportBody } from '../../../src-preload/contract/api/archive/case-object.ts';
import type { ExportJobBody } from '../../../src-preload/contract/api/export-job-object.ts';
import type { CaseToExport } from './case-export.ts';
import { AirdeskError, type Explained } from '../../../src-preload/contract/index.ts';

/** File that an export has written. Its times are milliseconds from its start. */
interface ShownExportFile {
  readonly stream: string;
  readonly path: string;
  readonly sizeBytes: number;
  readonly sha256: string;
  /** Epoch milliseconds. */
  readonly fromMs: number;
  readonly durationMs: number;
  readonly gaps: readonly { readonly atMs: number; readonly durationMs: number }[];
  readonly gapCount: number;
  readonly chapters: readonly { readonly atMs: number; readonly title: string }[];
}

/** Export of archives into files. Times are epoch milliseconds. */
export interface ShownExport {
  readonly id: string;
  readonly request: {
    readonly streams: readonly string[];
    readonly fromMs: number;
    readonly toMs: number;
    readonly packing: 'mp4' | 'ts';
    readonly isExact?: boolean;
    readonly trackIds?: readonly string[] | undefined;
    readonly path?: string | undefined;
    readonly case?: { readonly id: string; readonly title: string; readonly lengthMs: number } | undefined;
  };
  readonly by: string;
  readonly status: 'queued' | 'running' | 'done' | 'failed';
  readonly createdMs: number;
  readonly startedMs: number | null;
  readonly finishedMs: number | null;
  readonly failure: ({ readonly code: string } & Explained) | null;
  readonly files: readonly ShownExportFile[];
}

export interface ShownExports {
  /** All exports, in the order of their creation. */
  list(): readonly ShownExport[];
  get(id: string): ShownExport | undefined;
  /** Progress of a running job; undefined before it is known. */
  progress(
    id: string,
  ): { readonly writtenBytes: number; readonly totalBytes: number; readonly doneMs: number } | undefined;
  /** Queues an export. Raises the reason of a refusal. */
  create(body: ExportJobBody, by: string): Promise<ShownExport>;
  /** Queues the export of a case, whose files get a folder of their own. */
  createOfCase(found: CaseToExport, body: CaseExportBody, by: string): Promise<ShownExport>;
  /**
   * Offers a file of a finished job for download, counted from 0, or all files as one archive file (tar). Raises `job_not_found`,
   * `export_not_done`, `not_found`.
   *
   * @returns ticket of its address
   */
  announce(id: string, number: number | 'all'): string;
  /** Removes a job, and cancels it if it is not finished. Raises `job_not_found`. */
  remove(id: string): Promise<void>;
}

/** Raises `unavailable` if there can be no exports. */
export function requireExports({ exports }: { readonly exports?: ShownExports | undefined }): ShownExports {
  if (!exports) throw new AirdeskError('unavailable', 'The catalog of archives cannot be opened');
  return exports;
}
