import { AirdeskError } from '../../../src-preload/contract/errors.ts';
import type { Caller } from '../../operators/caller.ts';
import { requireInScope } from '../../operators/require.ts';
import type { Endpoint } from '../endpoints/endpoint.ts';
import { requireExports } from '../../control/archive/export-port.ts';
import { DOWNLOAD_PREFIX } from '../http/prefixes.ts';
import type { CollectionContext } from './collection-context.ts';
import { inPath } from '../endpoints/parameters.ts';

/** Redirects to a file of a finished export, and to an archive of all its files. */
export function exportFileEndpoints(context: CollectionContext): readonly Endpoint[] {
  return [exportFileEndpoint(context), exportArchiveEndpoint(context)];
}

const FILE_PLACE =
  'The address in Location is valid for an hour and needs no login. It supports byte ranges, so that an interrupted download can continue.';

function exportArchiveEndpoint(context: CollectionContext): Endpoint {
  return {
    id: 'dvr_export_job_archive',
    tag: 'dvr_export_jobs',
    method: 'GET',
    path: '/dvr_export_jobs/{id}/files.tar',
    access: 'operate',
    isScoped: true,
    errors: [403, 404, 409, 503],
    summary: 'Redirects to all files of a finished export, as one archive (tar)',
    description:
      'The address in Location is valid for an hour and needs no login. The archive is made while it is sent.',
    replies: { 307: { description: 'The archive is at the address in Location' } },
    handle: ({ caller, params: { id = '' } }) => redirectTo(context, caller, id, 'all'),
  };
}

/** Redirects to a download. */
function redirectTo(
  context: CollectionContext,
  caller: Caller,
  id: string,
  number: number | 'all',
): { readonly status: 307; readonly headers: { readonly location: string } } {
  const exports = requireExports(context);
  for (const stream of exports.get(id)?.request.streams ?? []) requireInScope(caller, stream);
  return { status: 307, headers: { location: DOWNLOAD_PREFIX + exports.announce(id, number) } };
}

function exportFileEndpoint(context: CollectionContext): Endpoint {
  return {
    id: 'dvr_export_job_file',
    tag: 'dvr_export_jobs',
    method: 'GET',
    path: '/dvr_export_jobs/{id}/files/{number}',
    access: 'operate',
    isScoped: true,
    errors: [403, 404, 409, 503],
    summary: 'Redirects to a file of a finished export',
    description: FILE_PLACE,
    parameters: [inPath('number', 'index in `files`, from 0', { type: 'integer', minimum: 0 })],
    replies: { 307: { description: 'The file is at the address in Location' } },
    handle: ({ caller, params: { id = '', number = '' } }) => {
      if (!/^[0-9]{1,5}$/.test(number))
        throw new AirdeskError('not_found', 'The index of a file must be a number, from 0');
      return redirectTo(context, caller, id, Number(number));
    },
  };
}
