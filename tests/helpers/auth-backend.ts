import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A question that the server asked. */
export interface AskedQuestion {
  /** Path of the backend that was asked. */
  readonly path: string;
  readonly facts: Readonly<Record<string, string>>;
}

/** What a backend does with a question. */
export type Answering = (
  response: ServerResponse,
  facts: Readonly<Record<string, string>>,
  request: IncomingMessage,
) => void;

/** Real authorization backends on one port: what each does, by its path or by the token, is up to the test. */
export class AuthBackend {
  readonly asked: AskedQuestion[] = [];
  /** By path. */
  readonly byPath = new Map<string, Answering>();
  /** By token; comes before the path. */
  readonly byToken = new Map<string, Answering>();
  readonly url: string;
  readonly #server: Server;

  private constructor(server: Server) {
    this.#server = server;
    // It listens on a port, so its address is one.
    this.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    server.on('request', (request: IncomingMessage, response: ServerResponse) => {
      const { pathname, searchParams } = new URL(request.url ?? '/', 'http://backend');
      const facts = Object.fromEntries(searchParams);
      this.asked.push({ path: pathname, facts });
      const answer = this.byToken.get(facts['token'] ?? '') ?? this.byPath.get(pathname) ?? allow();
      answer(response, facts, request);
    });
  }

  static async start(): Promise<AuthBackend> {
    const server = createServer();
    await new Promise<void>((resolve) => {
      server.listen(0, '127.0.0.1', resolve);
    });
    return new AuthBackend(server);
  }

  /** What was asked about a token. */
  askedAbout(token: string): AskedQuestion[] {
    return this.asked.filter(({ facts }) => facts['token'] === token);
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }
}

/** Lets in. */
export function allow(headers: Readonly<Record<string, string>> = {}, body = ''): Answering {
  return (response) => {
    response.writeHead(200, headers).end(body);
  };
}

/** Refuses. */
export function deny(headers: Readonly<Record<string, string>> = {}): Answering {
  return (response) => {
    response.writeHead(403, headers).end();
  };
}

/** Never answers. */
export function hang(): Answering {
  return () => undefined;
}
