import { AirdeskError } from '../../../src-preload/contract/errors.ts';
import { EXPORT_CALLS } from '../../../src-preload/contract/operations/archive-calls.ts';
import { exportCalls } from '../../control/archive/archive-calls.ts';
import { requireExports } from '../../control/archive/export-port.ts';
import type { Caller } from '../../operators/caller.ts';
import { requireInScope } from '../../operators/require.ts';
import type { Answer, Endpoint } from '../endpoints/endpoint.ts';
import type { IdempotentAnswers } from '../endpoints/idempotent-answers.ts';
import { endpointsOf } from '../endpoints/operation-endpoints.ts';
import { inPath } from '../endpoints/parameters.ts';
import { DOWNLOAD_PREFIX } from '../http/prefixes.ts';
import type { CollectionContext } from './collection-context.ts';

const PATH = '/dvr_export_jobs';

/** Starts exports, and redirects to their files. */
export function exportEndpoints(context: CollectionContext, idempotent: IdempotentAnswers): readonly Endpoint[] {
  const { exports, clock } = context;
  const downloadPath = (ticket: string): string => DOWNLOAD_PREFIX + ticket;
  const redirect = (caller: Caller, id = '', number: number | 'all' = 'all'): Answer => {
    const found = requireExports(context);
    for (const stream of found.get(id)?.request.streams ?? []) requireInScope(caller, stream);
    return { status: 307, headers: { location: downloadPath(found.announce(id, number)) } };
  };
  const file = {
    tag: 'dvr_export_jobs',
    method: 'GET',
    access: 'operate',
    isScoped: true,
    errors: [403, 404, 409, 503],
  } as const;
  return [
    ...endpointsOf(EXPORT_CALLS, exportCalls({ exports, clock, downloadPath }), { tag: 'dvr_export_jobs', idempotent }),
    {
      ...file,
      id: 'dvr_export_job_file',
      path: `${PATH}/{id}/files/{number}`,
      summary: 'Redirects to a file of a finished export',
      description:
        'The address in Location is valid for an hour and needs no login. It supports byte ranges, so that an interrupted download can continue.',
      parameters: [inPath('number', 'index in `files`, from 0', { type: 'integer', minimum: 0 })],
      replies: { 307: { description: 'The file is at the address in Location' } },
      handle: ({ caller, params: { id, number = '' } }) => {
        if (!/^[0-9]{1,5}$/.test(number))
          throw new AirdeskError('not_found', 'The index of a file must be a number, from 0');
        return redirect(caller, id, Number(number));
      },
    },
    {
      ...file,
      id: 'dvr_export_job_archive',
      path: `${PATH}/{id}/files.tar`,
      summary: 'Redirects to all files of a finished export, as one archive (tar)',
      description:
        'The address in Location is valid for an hour and needs no login. The archive is made while it is sent.',
      replies: { 307: { description: 'The archive is at the address in Location' } },
      handle: ({ caller, params: { id } }) => redirect(caller, id),
    },
  ];
}
