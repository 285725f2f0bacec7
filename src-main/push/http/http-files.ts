import type { Agent, ClientRequest, IncomingMessage } from 'node:http';
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https';
import { Agent as HttpAgent, request as httpRequest } from '../../lib/node-http.ts';
import { closedByTarget } from '../target/connection-fault.ts';
import type { PushFault } from '../target/push-target.ts';
import type { HttpTargetOptions } from './http-address.ts';
import { answerFault, MAX_HEAD_BYTES, readBody, requestFault } from './http-fault.ts';
import { RequestBody } from './request-body.ts';

/** Answer to a request, or the reason why there is none. */
type Answer =
  { readonly status: number; readonly text: string; readonly fault?: undefined } | { readonly fault: PushFault };

interface FileRequest {
  readonly method: 'GET' | 'PUT' | 'DELETE';
  readonly name: string;
  readonly type?: string;
  readonly parts?: readonly Uint8Array[];
}

/** Maximum wait for the answer to a DELETE, in milliseconds. */
const REMOVAL_MS = 5000;

/** Files of one folder on an HTTP server, written by requests one after another. Redirects are not followed. */
export class HttpFiles {
  /** Bytes of files that the server has confirmed. */
  confirmedBytes = 0;
  readonly #options: HttpTargetOptions;
  readonly #agent: Agent;
  #request: ClientRequest | undefined;
  #body: RequestBody | undefined;
  #sentBefore = 0;
  #progressMs: number;
  #isOver = false;
  /** Whether the server answers to a DELETE. */
  #removes = true;

  constructor(options: HttpTargetOptions) {
    this.#options = options;
    const settings = { keepAlive: true, maxSockets: 1 };
    this.#agent = options.address.url.protocol === 'https:' ? new HttpsAgent(settings) : new HttpAgent(settings);
    this.#progressMs = options.clock.now();
  }

  /** Bytes of files that the system has taken. */
  get sentBytes(): number {
    return this.#sentBefore + (this.#body?.sentBytes ?? 0);
  }

  /** Whether the server has the file that is being sent, but has not answered. */
  get isAwaitingAnswer(): boolean {
    return this.#request !== undefined && (this.#body?.backlog.bytes ?? 0) === 0;
  }

  /** Time of the last progress in epoch milliseconds. */
  get progressMs(): number {
    return Math.max(this.#progressMs, this.#body?.backlog.progressMs ?? 0);
  }

  /** Reads a file of at most 64 KiB. @returns its text, empty if the server has no such file; or the fault of the connection */
  async read(name: string): Promise<{ readonly text: string } | PushFault> {
    const answer = await this.#send({ method: 'GET', name });
    return answer.fault ?? { text: answer.status === 200 ? answer.text : '' };
  }

  /** Writes a file. @returns fault; undefined if the server has confirmed the file */
  async write(name: string, type: string, parts: readonly Uint8Array[]): Promise<PushFault | undefined> {
    const { fault, ...answer } = await this.#send({ method: 'PUT', name, type, parts });
    const refusal =
      fault ?? ('status' in answer ? answerFault(answer.status, this.#options.address.server) : undefined);
    if (!refusal) for (const { length } of parts) this.confirmedBytes += length;
    return refusal;
  }

  /** Removes a file, if the server allows it. */
  async remove(name: string): Promise<void> {
    if (!this.#removes) return;
    const cancel = this.#options.clock.after(REMOVAL_MS, () => this.#request?.destroy());
    const { fault } = await this.#send({ method: 'DELETE', name });
    cancel();
    // A connection that ends, or no answer, would delay each segment.
    if (fault) this.#removes = false;
  }

  /** Ends the connection. */
  close(): void {
    this.#isOver = true;
    this.#request?.destroy();
    this.#agent.destroy();
  }

  async #send(file: FileRequest): Promise<Answer> {
    if (this.#isOver) return { fault: closedByTarget() };
    this.#progressMs = this.#options.clock.now();
    const { answer, isStale } = await this.#sendOnce(file);
    this.#sentBefore += this.#body?.sentBytes ?? 0;
    this.#request = undefined;
    this.#body = undefined;
    this.#progressMs = this.#options.clock.now();
    // A server may close a connection that waits while the request is on its way.
    return isStale && !this.#isOver && file.method !== 'DELETE' ? await this.#send(file) : answer;
  }

  #sendOnce({ method, name, type, parts = [] }: FileRequest): Promise<{ answer: Answer; isStale: boolean }> {
    const { address, clock, hosts } = this.#options;
    const url = new URL(address.url);
    url.pathname = url.pathname.slice(0, url.pathname.lastIndexOf('/') + 1) + name;
    const length = parts.reduce((sum, part) => sum + part.length, 0);
    const request = (url.protocol === 'https:' ? httpsRequest : httpRequest)(url, {
      method,
      agent: this.#agent,
      maxHeaderSize: MAX_HEAD_BYTES,
      lookup: hosts.from(address.url).lookup(url),
      ...(address.login === undefined ? {} : { auth: address.login }),
      headers: {
        'User-Agent': 'Airdesk',
        ...(type === undefined ? {} : { 'Content-Type': type }),
        ...(method === 'PUT' ? { 'Content-Length': length } : {}),
      },
    });
    const body = new RequestBody(request, clock);
    this.#request = request;
    this.#body = body;
    return new Promise((resolve) => {
      let hasAnswer = false;
      const settle = (answer: Answer): void => {
        resolve({ answer, isStale: request.reusedSocket && !hasAnswer });
        if (answer.fault) request.destroy();
      };
      request.on('socket', (socket) => socket.setNoDelay(true));
      request.on('response', (response: IncomingMessage) => {
        hasAnswer = true;
        const { statusCode: status = 0 } = response;
        readBody(response, (text) => {
          if (typeof text !== 'string') settle({ fault: text });
          else if (request.writableFinished) settle({ status, text });
          else
            request.once('finish', () => {
              settle({ status, text });
            });
        });
        if (status < 300 || request.writableFinished) return;
        // The server does not want the rest of the file.
        settle({ status, text: '' });
        request.destroy();
      });
      request.on('error', (error: NodeJS.ErrnoException) => {
        settle({ fault: requestFault(error, address.server) });
      });
      request.on('close', () => {
        settle({ fault: closedByTarget() });
      });
      const nowMs = clock.now();
      for (const part of parts) body.add(part, nowMs);
      body.end();
    });
  }
}
