import type { LogProofService } from '../../control/subscribers/log-proof-service.ts';
import type { ExportedText, OperationExportService } from '../../control/subscribers/operation-export-service.ts';
import type { PortalService } from '../../control/subscribers/portal-service.ts';
import { type Answer, type Endpoint, type ParameterDoc } from '../endpoints/endpoint.ts';
import { exportAnswer, exportReply, FORMAT, formatOf } from '../endpoints/text-export.ts';
import { parameter } from '../endpoints/query-flag.ts';
import { portalEndpoint } from './portal-request.ts';
import { inPath, inQuery } from '../endpoints/parameters.ts';

const SCOPE = { scope: 'operations', isCommand: false } as const;
const TEXT = { type: 'string' };
const EXPORT_ID: ParameterDoc = inPath('exportId', 'id of the export');

export function exportEndpoints(
  service: PortalService,
  exports: OperationExportService,
  proof: LogProofService,
): Endpoint[] {
  const file = portalEndpoint(service, {
    ...SCOPE,
    method: 'GET',
    path: '/exports/{exportId}/file',
    id: 'operation_export_file',
    summary: 'The file of a finished export',
    description: 'Needs no key of the portal if `key` is that of the export, as in its field `file`.',
    parameters: [EXPORT_ID, inQuery('key', 'key of the export')],
    errors: [404, 409],
    replies: { 200: { description: 'The file', type: 'text/csv', schema: TEXT, otherTypes: ['application/x-ndjson'] } },
    handle: (caller, { params }) => answerOf(exports.file(caller, params['exportId'] ?? '')),
  });
  return [
    portalEndpoint(service, {
      method: 'GET',
      path: '/log/export',
      id: 'log_export',
      scope: 'operations',
      summary: 'The complete log of the portal, sent while it is read',
      description:
        'JSON Lines: the end of the log, the digests, then the records with their sequence and hash, as `npm run verify-log` reads them. CSV: the records.',
      parameters: [FORMAT],
      replies: { 200: exportReply('The log') },
      handle: (caller, request) => {
        const format = formatOf(request);
        return exportAnswer(format, format === 'csv' ? proof.exportCsv(caller) : proof.exportLines(caller));
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

function answerOf({ name, format, pieces }: ExportedText): Answer {
  return exportAnswer(format, pieces, name);
}
