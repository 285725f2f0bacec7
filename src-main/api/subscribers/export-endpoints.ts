import {
  operationExportCreateSchema,
  operationExportListSchema,
  operationExportSchema,
  type OperationExport,
} from '../../../src-preload/contract/api/subscribers/operation-export-objects.ts';
import type { ExportedText, OperationExportService } from '../../control/subscribers/operation-export-service.ts';
import type { PortalService } from '../../control/subscribers/portal-service.ts';
import { PiecesBody, type Answer, type Endpoint, type ParameterDoc } from '../endpoints/endpoint.ts';
import { type Json } from '../endpoints/json-schema.ts';
import { parameter } from '../endpoints/query-flag.ts';
import { bodyOf } from '../endpoints/checked.ts';
import { portalEndpoint } from './portal-request.ts';
import { writeBody } from './write-request.ts';

const SCOPE = { scope: 'operations', isCommand: false } as const;
const TEXT = { type: 'string' };
const EXPORT_ID: ParameterDoc = { name: 'exportId', in: 'path', description: 'id of the export', schema: TEXT };
const EXPORT = { description: 'The export', schema: operationExportSchema };

/** Exports of the operations log into files. */
export function exportEndpoints(service: PortalService, exports: OperationExportService): Endpoint[] {
  const file = portalEndpoint(service, {
    ...SCOPE,
    method: 'GET',
    path: '/exports/{exportId}/file',
    id: 'operation_export_file',
    summary: 'The file of a finished export',
    description: 'Needs no key of the portal if `key` is that of the export, as in its field `file`.',
    parameters: [EXPORT_ID, { name: 'key', in: 'query', description: 'key of the export', schema: TEXT }],
    errors: [404, 409],
    replies: { 200: { description: 'The file', type: 'text/csv', schema: TEXT, otherTypes: ['application/x-ndjson'] } },
    handle: (caller, { params }) => Promise.resolve(answerOf(exports.file(caller, params['exportId'] ?? ''))),
  });
  return [
    portalEndpoint(service, {
      ...SCOPE,
      method: 'POST',
      path: '/exports',
      id: 'operation_export_create',
      summary: 'Starts an export of operations into a file',
      description:
        'The file contains the current log with its archived operations, in order. It is removed a day after it is finished. A portal has at most 20 exports.',
      body: writeBody(operationExportCreateSchema),
      errors: [503],
      replies: { 202: { ...EXPORT, description: 'The export, waiting or running' } },
      handle: (caller, { body }) =>
        Promise.resolve({
          status: 202,
          body: bodyFor(exports.create(caller, bodyOf(operationExportCreateSchema, body))),
        }),
    }),
    portalEndpoint(service, {
      ...SCOPE,
      method: 'GET',
      path: '/exports',
      id: 'operation_exports_list',
      summary: 'The exports of the operations log of the portal',
      replies: { 200: { description: 'The exports', schema: operationExportListSchema } },
      handle: (caller) => Promise.resolve({ status: 200, body: { exports: exports.list(caller).map(bodyFor) } }),
    }),
    portalEndpoint(service, {
      ...SCOPE,
      method: 'GET',
      path: '/exports/{exportId}',
      id: 'operation_export_get',
      summary: 'One export with its progress',
      parameters: [EXPORT_ID],
      replies: { 200: EXPORT },
      handle: (caller, { params }) =>
        Promise.resolve({ status: 200, body: bodyFor(exports.get(caller, params['exportId'] ?? '')) }),
    }),
    portalEndpoint(service, {
      ...SCOPE,
      method: 'DELETE',
      path: '/exports/{exportId}',
      id: 'operation_export_remove',
      summary: 'Cancels an export, or removes its file',
      parameters: [EXPORT_ID],
      replies: { 204: { description: 'The export is removed' } },
      handle: async (caller, { params }) => {
        await exports.remove(caller, params['exportId'] ?? '');
        return { status: 204 };
      },
    }),
    {
      ...file,
      handle: (request) => {
        const key = parameter(request, 'key');
        const found = key === undefined ? undefined : exports.fileOfKey(request.params['exportId'] ?? '', key);
        return found ? answerOf(found) : file.handle(request);
      },
    },
  ];
}

/** Fields that the request did not ask for are absent. */
function bodyFor({ request, ...rest }: OperationExport): Record<string, Json> {
  const named = Object.entries(request).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, value] as const],
  );
  return { ...rest, request: Object.fromEntries(named) };
}

function answerOf({ name, format, pieces }: ExportedText): Answer {
  const body = new PiecesBody(pieces, format === 'csv' ? 'text/csv; charset=utf-8' : 'application/x-ndjson');
  return { status: 200, body, headers: { 'content-disposition': `attachment; filename="${name}"` } };
}
