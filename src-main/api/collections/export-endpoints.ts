import { EXPORT_CALLS } from '../../../src-preload/contract/operations/archive-calls.ts';
import { EXPORT_DOWNLOADS } from '../../../src-preload/contract/operations/archive-operations.ts';
import { exportCalls, exportDownloads } from '../../control/archive/export-operations.ts';
import type { Endpoint } from '../endpoints/endpoint.ts';
import type { IdempotentAnswers } from '../endpoints/idempotent-answers.ts';
import { endpointsOf } from '../endpoints/operation-endpoints.ts';
import { DOWNLOAD_PREFIX } from '../http/prefixes.ts';
import type { CollectionContext } from './collection-context.ts';

/** Starts exports, and redirects to their files. */
export function exportEndpoints(
  { exports, clock }: Pick<CollectionContext, 'exports' | 'clock'>,
  idempotent: IdempotentAnswers,
): readonly Endpoint[] {
  const deps = { exports, clock, downloadPath: (ticket: string): string => DOWNLOAD_PREFIX + ticket };
  const shared = { tag: 'dvr_export_jobs', idempotent };
  return [
    ...endpointsOf(EXPORT_CALLS, exportCalls(deps), shared),
    ...endpointsOf(EXPORT_DOWNLOADS, exportDownloads(deps), shared),
  ];
}
