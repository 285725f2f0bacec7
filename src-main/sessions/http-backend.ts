import type { Agent, ClientRequest, IncomingMessage } from 'node:http';
import { Agent as HttpsAgent, get as httpsGet } from 'node:https';
import { addressGroup } from '../lib/network-address.ts';
import { Agent as HttpAgent, get as httpGet } from '../lib/node-http.ts';
import { OutgoingHosts } from '../lib/outgoing-hosts.ts';
import { FairTurns } from '../lib/fair-turns.ts';
import { readAnswer, type Verdict } from './backend-answer.ts';

/** Options of requests to backends. Times in milliseconds. */
export interface HttpBackendOptions {
  /** Maximum time of one attempt, from the connection to the last byte. */
  readonly attemptMs: number;
  /** Number of attempts. */
  readonly attempts: number;
  /** Maximum number of concurrent requests. */
  readonly concurrency: number;
  /** Maximum number of waiting requests; more fail at once. */
  readonly maxWaiting: number;
}

/** Default options. */
export const HTTP_BACKEND_DEFAULTS: HttpBackendOptions = {
  attemptMs: 3000,
  attempts: 2,
  concurrency: 32,
  maxWaiting: 20_000,
};

/** Maximum size of the body of an answer, in bytes. */
const MAX_BODY_BYTES = 64 * 1024;
const MAX_HEADER_BYTES = 16 * 1024;

interface Waiting {
  readonly url: string;
  readonly deadlineMs: number;
  readonly resolve: (verdict: Verdict) => void;
}

/** One HTTP backend with its own connections, so that a slow backend does not delay others. */
export class HttpBackend {
  readonly #options: HttpBackendOptions;
  readonly #agent: Agent;
  readonly #isSecure: boolean;
  readonly #hosts = new OutgoingHosts();
  /**
   * Waiting requests. Client addresses take turns, so that many invented tokens of one address do not delay viewers
   * at other addresses.
   */
  readonly #waiting = new FairTurns<Waiting>();
  readonly #requests = new Set<ClientRequest>();
  #active = 0;
  #isClosed = false;

  constructor(url: string, options: HttpBackendOptions = HTTP_BACKEND_DEFAULTS) {
    this.#options = options;
    this.#isSecure = url.toLowerCase().startsWith('https:');
    const agent = { keepAlive: true, maxSockets: options.concurrency, maxFreeSockets: 8, timeout: 60_000 };
    this.#agent = this.#isSecure ? new HttpsAgent(agent) : new HttpAgent(agent);
  }

  /** Number of running and waiting requests. */
  get load(): number {
    return this.#active + this.#waiting.size;
  }

  /**
   * Asks the backend. Never rejects: faults are verdicts.
   * @param ip address of the viewer
   */
  authorize(url: string, ip: string): Promise<Verdict> {
    if (this.#isClosed || this.#waiting.size >= this.#options.maxWaiting)
      return Promise.resolve({ kind: 'failed', reason: 'too many requests are waiting for it' });
    return new Promise((resolve) => {
      this.#waiting.add(addressGroup(ip), {
        url,
        deadlineMs: performance.now() + this.#options.attemptMs * this.#options.attempts,
        resolve,
      });
      this.#next();
    });
  }

  /** Ends all requests. */
  close(): void {
    this.#isClosed = true;
    for (const request of this.#requests) request.destroy();
    for (let next = this.#waiting.take(); next; next = this.#waiting.take())
      next.resolve({ kind: 'failed', reason: 'the server stops' });
    this.#agent.destroy();
  }

  #next(): void {
    while (this.#active < this.#options.concurrency) {
      const waiting = this.#waiting.take();
      if (!waiting) return;
      if (performance.now() >= waiting.deadlineMs) {
        waiting.resolve({ kind: 'failed', reason: 'it is too slow for the number of requests' });
        continue;
      }
      this.#active++;
      void this.#attempts(waiting).then((verdict) => {
        this.#active--;
        waiting.resolve(verdict);
        this.#next();
      });
    }
  }

  async #attempts({ url }: Waiting): Promise<Verdict> {
    let last: Verdict = { kind: 'failed', reason: 'no request was sent to it' };
    for (let attempt = 0; attempt < this.#options.attempts && !this.#isClosed; attempt++) {
      last = await this.#attempt(url);
      if (last.kind !== 'failed') return last;
    }
    return last;
  }

  #attempt(url: string): Promise<Verdict> {
    return new Promise((resolve) => {
      const settle = (verdict: Verdict): void => {
        clearTimeout(timer);
        this.#requests.delete(request);
        resolve(verdict);
      };
      const fail = (reason: string): void => {
        settle({ kind: 'failed', reason });
        request.destroy();
      };
      const options = {
        agent: this.#agent,
        lookup: this.#hosts.from(new URL(url)).lookup(new URL(url)),
        maxHeaderSize: MAX_HEADER_BYTES,
        headers: { 'User-Agent': 'Airdesk', Accept: 'application/json, */*' },
      };
      const request = (this.#isSecure ? httpsGet : httpGet)(url, options, (response) => {
        readBody(
          response,
          (body) => {
            settle(readAnswer({ status: response.statusCode ?? 0, header: (name) => headerOf(response, name), body }));
          },
          fail,
        );
      });
      this.#requests.add(request);
      const timer = setTimeout(() => {
        fail(`it gave no answer within ${this.#options.attemptMs} ms`);
      }, this.#options.attemptMs);
      request.on('error', (error) => {
        fail(error.message);
      });
    });
  }
}

function headerOf(response: IncomingMessage, name: string): string | undefined {
  const value = response.headers[name];
  return Array.isArray(value) ? value[0] : value;
}

function readBody(response: IncomingMessage, done: (body: string) => void, fail: (reason: string) => void): void {
  const chunks: Buffer[] = [];
  let bytes = 0;
  response.on('data', (chunk: Buffer) => {
    bytes += chunk.length;
    if (bytes > MAX_BODY_BYTES) fail(`its answer is longer than ${MAX_BODY_BYTES} bytes`);
    else chunks.push(chunk);
  });
  response.on('error', (error) => {
    fail(error.message);
  });
  response.on('aborted', () => {
    fail('its answer was interrupted');
  });
  response.on('end', () => {
    done(Buffer.concat(chunks).toString());
  });
}
