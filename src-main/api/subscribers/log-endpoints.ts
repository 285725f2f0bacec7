import type { LogProofService } from '../../control/subscribers/log-proof-service.ts';
import type { PortalService } from '../../control/subscribers/portal-service.ts';
import type { Endpoint } from '../endpoints/endpoint.ts';
import { portalEndpoint } from './portal-request.ts';
import { exportAnswer, exportReply, FORMAT, formatOf } from '../endpoints/text-export.ts';

/** Operations log with proofs of its integrity. */
export function logEndpoints(service: PortalService, proof: LogProofService): Endpoint[] {
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
  ];
}
