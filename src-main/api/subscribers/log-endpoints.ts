import { logReportSchema } from '../../../src-preload/contract/api/subscribers/log-report.ts';
import type { LogProofService } from '../../control/subscribers/log-proof-service.ts';
import type { PortalService } from '../../control/subscribers/portal-service.ts';
import { AirdeskError } from '../../../src-preload/contract/index.ts';
import { PiecesBody, TextBody, type Endpoint } from '../endpoints/endpoint.ts';
import { parameter } from '../endpoints/query-flag.ts';
import { portalEndpoint } from './portal-request.ts';

const TEXT = { type: 'string' };

/** Operations log with proofs of its integrity. */
export function logEndpoints(service: PortalService, proof: LogProofService): Endpoint[] {
  return [
    portalEndpoint(service, {
      method: 'GET',
      path: '/log/verify',
      id: 'log_verify',
      scope: 'operations',
      summary: 'Verifies the complete log of the portal against its signed digests',
      description:
        'Reports changed, removed, inserted and reordered records. Records after the last digest are only verified by the hash chain.',
      errors: [409],
      replies: { 200: { description: 'The result', schema: logReportSchema } },
      handle: async (caller) => {
        const { faults, ...report } = await proof.verify(caller);
        return { status: 200, body: { ...report, faults: faults.map((fault) => ({ ...fault })) } };
      },
    }),
    portalEndpoint(service, {
      method: 'GET',
      path: '/log/export',
      id: 'log_export',
      scope: 'operations',
      summary: 'The complete log of the portal, sent while it is read',
      description:
        'JSON Lines: the end of the log, the digests, then the records with their sequence and hash, as `npm run verify-log` reads them. CSV: the records.',
      parameters: [
        {
          name: 'format',
          in: 'query',
          description: 'jsonl or csv; default jsonl',
          schema: { ...TEXT, enum: ['jsonl', 'csv'] },
        },
      ],
      replies: {
        200: { description: 'The log', type: 'application/x-ndjson', schema: TEXT, otherTypes: ['text/csv'] },
      },
      handle: async (caller, request) => {
        const format = parameter(request, 'format') ?? 'jsonl';
        if (format !== 'jsonl' && format !== 'csv')
          throw new AirdeskError('bad_query', 'format must be jsonl or csv', { parameter: 'format' });
        const body =
          format === 'csv'
            ? new PiecesBody(proof.exportCsv(caller), 'text/csv; charset=utf-8')
            : new PiecesBody(proof.exportLines(caller), 'application/x-ndjson');
        return Promise.resolve({ status: 200, body });
      },
    }),
    portalEndpoint(service, {
      method: 'GET',
      path: '/log/public-key',
      id: 'log_public_key',
      scope: 'operations',
      summary: 'The key that verifies digests: Ed25519, PEM',
      replies: { 200: { description: 'The key', type: 'application/x-pem-file', schema: TEXT } },
      handle: async () => ({
        status: 200,
        body: new TextBody(await proof.publicKey(), 'application/x-pem-file'),
      }),
    }),
  ];
}
