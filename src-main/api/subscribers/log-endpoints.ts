import { logReportSchema } from '../../../src-preload/contract/api/subscribers/log-report.ts';
import type { LogProofService } from '../../control/subscribers/log-proof-service.ts';
import type { PortalService } from '../../control/subscribers/portal-service.ts';
import { TextBody, type Endpoint } from '../endpoints/endpoint.ts';
import { portalEndpoint } from './portal-request.ts';
import { exportAnswer, exportReply, FORMAT, formatOf } from '../endpoints/text-export.ts';

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
      parameters: [FORMAT],
      replies: { 200: exportReply('The log') },
      handle: (caller, request) => {
        const format = formatOf(request);
        return exportAnswer(format, format === 'csv' ? proof.exportCsv(caller) : proof.exportLines(caller));
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
