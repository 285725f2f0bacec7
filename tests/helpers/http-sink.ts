import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import type { TestCertificate } from './test-certificate.ts';

/** Request that a server got. */
export interface SunkRequest {
  readonly method: string;
  /** Path and query. */
  readonly path: string;
  readonly headers: IncomingMessage['headers'];
  readonly chunks: Buffer[];
  isComplete: boolean;
}

/** Behaviour of a server for one request. The default reads the body and answers 201. */
export type HttpBehaviour = (request: IncomingMessage, response: ServerResponse, sunk: SunkRequest) => void;

/** Reads the body and answers at its end. */
export function answering(status: number, headers: Readonly<Record<string, string>> = {}): HttpBehaviour {
  return (request, response) => {
    request.once('end', () => response.writeHead(status, headers).end());
  };
}

/** Answers before the body, and reads it. */
export function answeringEarly(status: number, headers: Readonly<Record<string, string>> = {}): HttpBehaviour {
  return (_request, response) => {
    response.writeHead(status, headers).end();
  };
}

/** Reads some bytes, and then does something with the connection. */
export function after(bytes: number, act: (request: IncomingMessage) => void): HttpBehaviour {
  return (request) => {
    let seen = 0;
    request.on('data', (chunk: Buffer) => {
      seen += chunk.length;
      if (seen >= bytes) act(request);
    });
  };
}

/** HTTP server that takes bodies, and behaves as badly as a test asks for. */
export class HttpSink {
  /** Behaviour for the next request. */
  behaviour: HttpBehaviour = answering(201);
  readonly requests: SunkRequest[] = [];
  connections = 0;
  /** Whether bodies of the next requests are read. */
  isReading = true;
  readonly #server: Server;

  private constructor(certificate?: TestCertificate) {
    const listener = (request: IncomingMessage, response: ServerResponse): void => {
      this.#serve(request, response);
    };
    this.#server = certificate ? createTlsServer({ cert: certificate.cert, key: certificate.key }, listener) : createServer(listener); // prettier-ignore
    this.#server.requestTimeout = 0;
    this.#server.on('connection', () => this.connections++);
  }

  static async start(port = 0, certificate?: TestCertificate): Promise<HttpSink> {
    const sink = new HttpSink(certificate);
    sink.#server.listen(port, '127.0.0.1');
    await once(sink.#server, 'listening');
    return sink;
  }

  get port(): number {
    // An open server has an address with a port.
    return (this.#server.address() as AddressInfo).port;
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    this.#server.close();
    await once(this.#server, 'close');
  }

  #serve(request: IncomingMessage, response: ServerResponse): void {
    const { method = '', url = '', headers } = request;
    const sunk: SunkRequest = { method, path: url, headers, chunks: [], isComplete: false };
    this.requests.push(sunk);
    request.on('error', () => undefined);
    if (this.isReading) request.on('data', (chunk: Buffer) => sunk.chunks.push(chunk));
    request.once('end', () => {
      sunk.isComplete = true;
    });
    this.behaviour(request, response, sunk);
  }
}
