import { Agent as HttpsAgent, request as httpsRequest } from 'node:https';
import type { Clock } from '../lib/clock.ts';
import { Agent as HttpAgent, request as httpRequest } from '../lib/node-http.ts';
import { OutgoingHosts, type OutgoingRule } from '../lib/outgoing-hosts.ts';

/** Head of an answer. */
interface PostAnswer {
  readonly status: number;
  readonly retryAfter: string | undefined;
}

/** Error of a request that got no answer, with the reason. */
export class PostError extends Error {
  readonly isTimeout: boolean;

  constructor(message: string, isTimeout: boolean) {
    super(message);
    this.name = 'PostError';
    this.isTimeout = isTimeout;
  }
}

/** Posts a body and returns the head of the answer; rejects with a `PostError`. */
export type HttpPost = (
  body: string,
  headers: Readonly<Record<string, string>>,
  signal: AbortSignal,
) => Promise<PostAnswer>;

/** Maximum number of bytes of the answer to read so that the connection can be reused. */
const MAX_ANSWER_BYTES = 64 * 1024;
const IDLE_MS = 30_000;

/**
 * Posts to one address over one persistent connection. Does not follow redirects, and ignores the body of the answer.
 * @param rule rule for outgoing addresses
 */
export function httpPost(
  address: string,
  timeoutMs: number,
  clock: Clock,
  rule: OutgoingRule = new OutgoingHosts().from(new URL(address)),
): { readonly post: HttpPost; readonly close: () => void } {
  const url = new URL(address);
  const isSecure = url.protocol === 'https:';
  const agent = new (isSecure ? HttpsAgent : HttpAgent)({ keepAlive: true, maxSockets: 1, timeout: IDLE_MS });
  const send = isSecure ? httpsRequest : httpRequest;
  const post: HttpPost = (body, headers, signal) =>
    new Promise((resolve, reject) => {
      const refusal = rule.refusal(url);
      if (refusal) return reject(new PostError(refusal.detail, false));
      const attempt = (isAgain: boolean): void => {
        const request = send(url, {
          method: 'POST',
          agent,
          lookup: rule.lookup(url),
          signal,
          headers: { ...headers, 'content-length': Buffer.byteLength(body) },
        });
        let hasAnswer = false;
        // The timeout covers the connection, the request and the complete answer.
        const cancel = clock.after(timeoutMs, () => {
          reject(new PostError(`no answer within ${timeoutMs / 1000} s`, true));
          request.destroy();
        });
        request.on('error', (error) => {
          cancel();
          // The receiver may close a persistent connection just when it is reused. This does not count as a failure of the
          // receiver.
          if (request.reusedSocket && !isAgain && !hasAnswer && !signal.aborted) attempt(true);
          else reject(new PostError(error.message, false));
        });
        request.on('response', (response) => {
          hasAnswer = true;
          let read = 0;
          response.on('data', (chunk: Buffer) => {
            read += chunk.length;
            if (read > MAX_ANSWER_BYTES) response.destroy();
          });
          // An aborted body does no harm, because the status has arrived.
          response.on('error', () => undefined);
          response.on('close', cancel);
          resolve({ status: response.statusCode ?? 0, retryAfter: response.headers['retry-after'] });
        });
        request.end(body);
      };
      attempt(false);
    });
  return {
    post,
    close: () => {
      agent.destroy();
    },
  };
}
