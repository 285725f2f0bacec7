import type { CaseExportBody } from '../../../src-preload/contract/api/archive/case-object.ts';
import type { ExportJobBody } from '../../../src-preload/contract/api/export-job-object.ts';
import type { CaseToExport } from './case-export.ts';

/** A file that an export has written. Times in it are milliseconds from its start. */
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

/** An export of archives into files. Times are epoch milliseconds. */
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
  readonly failure: { readonly code: string; readonly detail: string } | null;
  readonly files: readonly ShownExportFile[];
}

/** The exports, and what is done with them. */
export interface ShownExports {
  /** All of them, in the order of their making. */
  list(): readonly ShownExport[];
  get(id: string): ShownExport | undefined;
  /** How far a job that runs has come; undefined before that is known. */
  progress(
    id: string,
  ): { readonly writtenBytes: number; readonly totalBytes: number; readonly doneMs: number } | undefined;
  /** Puts an export into the queue. Raises why it cannot be carried out. */
  create(body: ExportJobBody, by: string): Promise<ShownExport>;
  /** The same for a case, whose files come into a folder of their own. */
  createOfCase(found: CaseToExport, body: CaseExportBody, by: string): Promise<ShownExport>;
  /**
   * Lets a file of a job that is done be loaded, counted from 0, or all of them as one archive (tar). Raises `job_not_found`, `export_not_done`, `not_found`.
   *
   * @returns the ticket of its address
   */
  announce(id: string, number: number | 'all'): string;
  /** Removes a job, and cancels it where it is not over. Raises `job_not_found`. */
  remove(id: string): Promise<void>;
}
