import { because } from '../../../src-preload/contract/explanations/explanations.ts';
import { explained } from '../../lib/error-message.ts';
import type { PushFault } from './push-target.ts';

/** Codes of Node for certificates that are not accepted. */
const CERTIFICATE_ERROR = /^(CERT_|ERR_TLS_CERT|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO_|ERR_SSL_|HOSTNAME_MISMATCH)/;

/** Fault of a connection by TCP or TLS that failed or ended. @param server host and port */
export function connectionFault(error: NodeJS.ErrnoException, server: string): PushFault {
  const { code = '' } = error;
  if (code === 'EACCES') return { code: 'push_forbidden', ...explained(error) };
  if (CERTIFICATE_ERROR.test(code))
    return { code: 'push_bad_certificate', ...because('push_certificate', { server, reason: explained(error) }) };
  if (code === 'EPIPE' || code === 'ECONNRESET') return closedByTarget();
  return { code: 'push_unreachable', ...because('push_unreachable', { server, reason: explained(error) }) };
}

/** Fault of a connection that the far side has closed. */
export function closedByTarget(): PushFault {
  return { code: 'push_lost', ...because('push_closed_by_target') };
}
