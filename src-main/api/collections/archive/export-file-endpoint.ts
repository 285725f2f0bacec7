import { AirdeskError } from '../../../../src-preload/contract/errors.ts';
import { requireInScope } from '../../../operators/require.ts';
import type { Endpoint } from '../../endpoints/endpoint.ts';
import { requireExports } from '../../objects/export-objects.ts';
import { DOWNLOAD_PREFIX } from '../../prefixes.ts';
import type { CollectionContext } from '../collection-context.ts';

/** Leads to a file of an export that is done. */
export function exportFileEndpoint(context: CollectionContext): Endpoint {
  return {
    ...{
      id: 'dvr_export_job_file',
      tag: 'dvr_export_jobs',
      method: 'GET',
      path: '/dvr_export_jobs/{id}/files/{number}',
    },
    ...{ access: 'operate', isScoped: true, errors: [403, 404, 409, 503] },
    summary: 'Leads to a file of an export that is done',
    description:
      'The address in Location is good for an hour and needs no login; it takes ranges of bytes, so that a download that breaks off can go on.',
    parameters: [
      {
        ...{ name: 'number', in: 'path', description: 'which of `files`, counted from 0' },
        schema: { type: 'integer', minimum: 0 },
      },
    ],
    replies: { 307: { description: 'The file is at the address in Location' } },
    handle: ({ caller, params: { id = '', number = '' } }) => {
      const exports = requireExports(context);
      for (const stream of exports.get(id)?.request.streams ?? []) requireInScope(caller, stream);
      if (!/^[0-9]{1,5}$/.test(number)) throw new AirdeskError('not_found', 'Files are counted from 0');
      return { status: 307, headers: { location: DOWNLOAD_PREFIX + exports.announce(id, Number(number)) } };
    },
  };
}
