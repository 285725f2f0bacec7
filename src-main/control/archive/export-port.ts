import type { CaseExportBody } from '../../../src-preload/contract/api/archive/case-object.ts';
import type { ExportJobBody } from '../../../src-preload/contract/api/export-job-object.ts';
import type { ExportJob } from '../../export/export-jobs.ts';
import type { CaseToExport } from './case-export.ts';
import type { Caller } from '../../operators/caller.ts';
import { isInScope } from '../../operators/require.ts';

/** Export of archives into files, without the data that only its thread needs. */
export type ShownExport = Omit<ExportJob, 'task' | 'attempts'>;

export interface ShownExports {
  /** All exports, in the order of their creation. */
  list(): readonly ShownExport[];
  get(id: string): ShownExport | undefined;
  /** Progress of a running job; undefined before the first report. */
  progress(
    id: string,
  ): { readonly writtenBytes: number; readonly totalBytes: number; readonly doneMs: number } | undefined;
  /** Queues an export. Raises the reason if it is refused. */
  create(body: ExportJobBody, by: string): Promise<ShownExport>;
  /** Queues the export of a case. Its files get their own folder. */
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

/** Whether a caller may see an export: all its streams are in the caller's scope. */
export function isSeen({ request }: ShownExport, caller: Pick<Caller, 'prefixes'>): boolean {
  return request.streams.every((name) => isInScope(caller, name));
}
