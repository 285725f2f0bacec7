import { ARCHIVE_EXPORTS_MAX, type EXPORT_CALLS } from '../../../src-preload/contract/operations/archive-calls.ts';
import type { EXPORT_DOWNLOADS } from '../../../src-preload/contract/operations/archive-operations.ts';
import { AirdeskError } from '../../../src-preload/contract/errors.ts';
import type { Clock } from '../../lib/clock.ts';
import type { Caller } from '../../operators/caller.ts';
import type { Handlers } from '../../operators/handlers.ts';
import { requireExportPlace } from '../../operators/require.ts';
import { exportJobObject } from './export-job-object.ts';
import { requireCatalog } from './archive-operations.ts';
import { isSeen, type ShownExports } from './export-port.ts';

export interface ExportDeps {
  readonly clock: Pick<Clock, 'now'>;
  /** Undefined if there can be no exports. */
  readonly exports: ShownExports | undefined;
  readonly downloadPath: (ticket: string) => string;
}

/** Exports of archives into files. */
export function exportCalls(deps: ExportDeps): Handlers<typeof EXPORT_CALLS> {
  const { exports, clock } = deps;
  return {
    'archive.exports': (_, { caller }) => {
      const seen = (exports?.list() ?? []).filter((job) => isSeen(job, caller));
      const jobs = seen.slice(-ARCHIVE_EXPORTS_MAX).reverse();
      return { jobs: jobs.map((job) => exportJobObject(job, exports, clock.now())) };
    },
    'archive.export': async (body, { caller }) => {
      requireExportPlace(caller, body.path);
      const job = await requireCatalog(exports).create(body, caller.who);
      return exportJobObject(job, exports, clock.now());
    },
    'archive.download_export': ({ id, file }, { caller }) => downloadOf(deps, caller, id, file),
    'archive.cancel_export': async ({ id }, { caller }) => visibleExports(deps, caller, id).remove(id),
  };
}

export function exportDownloads(deps: ExportDeps): Handlers<typeof EXPORT_DOWNLOADS> {
  return {
    'archive.redirect_to_file': ({ id, number }, { caller }) => downloadOf(deps, caller, id, number),
    'archive.redirect_to_archive': ({ id }, { caller }) => downloadOf(deps, caller, id),
  };
}

/** Path of a file of an export, or of all files as one archive. */
function downloadOf(deps: ExportDeps, caller: Caller, id: string, file: number | 'all' = 'all'): { path: string } {
  return { path: deps.downloadPath(visibleExports(deps, caller, id).announce(id, file)) };
}

/** Raises `unavailable`, and `job_not_found` unless the caller may see an export. */
function visibleExports(deps: ExportDeps, caller: Caller, id: string): ShownExports {
  const exports = requireCatalog(deps.exports);
  const job = exports.get(id);
  if (job && isSeen(job, caller)) return exports;
  throw new AirdeskError('job_not_found', `There is no export ${id.slice(0, 200)}`);
}
