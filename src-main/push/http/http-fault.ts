import type { IncomingMessage } from 'node:http';
import { because, type Explained } from '../../../src-preload/contract/explanations/explanations.ts';
import { connectionFault } from '../target/connection-fault.ts';
import type { PushFault } from '../target/push-target.ts';

/** Maximum size of the header and of the body of an answer. */
export const MAX_HEAD_BYTES = 32 * 1024;
const MAX_BODY_BYTES = 64 * 1024;

/** Fault of a request that failed without an answer. @param server host and port */
export function requestFault(error: NodeJS.ErrnoException, server: string): PushFault {
  if (error.code?.startsWith('HPE_') === true) return { code: 'push_bad_answer', ...because('push_answer_not_http') };
  return connectionFault(error, server);
}

/**
 * Fault of an answer with this status; undefined if the server accepts the request. The text of the answer is not used,
 * because it may repeat the key.
 */
export function answerFault(status: number, server: string): PushFault | undefined {
  return status < 300
    ? undefined
    : { code: status === 401 ? 'push_login' : 'push_refused', ...refusal(status, server) };
}

/** Reads the body of an answer. @param done gets the body at its end, or a fault if it is too long */
export function readBody(answer: IncomingMessage, done: (body: string | PushFault) => void): void {
  const chunks: Buffer[] = [];
  let bytes = 0;
  // The request reports the end of the connection.
  answer.on('error', () => undefined);
  answer.on('data', (chunk: Buffer) => {
    bytes += chunk.length;
    if (bytes <= MAX_BODY_BYTES) chunks.push(chunk);
    else done({ code: 'push_bad_answer', ...because('push_answer_long') });
  });
  answer.on('end', () => {
    done(Buffer.concat(chunks).toString());
  });
}

function refusal(status: number, server: string): Explained {
  // Another host would get the key.
  if (status < 400) return because('push_redirected');
  if (status === 401 || status === 403) return because('push_status_login', { server, status });
  if (status === 404 || status === 405) return because('push_status_path', { server, status });
  if (status === 409) return because('push_status_busy', { server, status });
  return status >= 500 ? because('push_status_failed', { server, status }) : because('push_status', { server, status });
}
