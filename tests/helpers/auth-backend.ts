import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Request of the server to the authorization backend. */
export interface ReceivedRequest {
  /** Path at the backend. */
  readonly path: string;
  readonly facts: Readonly<Record<string, string>>;
}

/** Reaction of a backend to a request. */
export type Reaction = (
  response: ServerResponse,
  facts: Readonly<Record<string, string>>,
  request: IncomingMessage,
) => void;

/** Authorization backends on one port, whose reactions are set by path or by token. */
export class AuthBackend {
  readonly requests: ReceivedRequest[] = [];
  /** Reactions by path. */
  readonly byPath = new Map<string, Reaction>();
  /** Reactions by token, which take precedence over reactions by path. */
  readonly byToken = new Map<string, Reaction>();
  readonly url: string;
  readonly #server: Server;

  private constructor(server: Server) {
    this.#server = server;
    // A server that listens on a TCP port has an `AddressInfo`.
    this.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    server.on('request', (request: IncomingMessage, response: ServerResponse) => {
      const { pathname, searchParams } = new URL(request.url ?? '/', 'http://backend');
      const facts = Object.fromEntries(searchParams);
      this.requests.push({ path: pathname, facts });
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

  /** Requests about a token. */
  requestsAbout(token: string): ReceivedRequest[] {
    return this.requests.filter(({ facts }) => facts['token'] === token);
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }
}

/** Reaction that admits the viewer. */
export function allow(headers: Readonly<Record<string, string>> = {}, body = ''): Reaction {
  return (response) => {
    response.writeHead(200, headers).end(body);
  };
}

/** Reaction that refuses the viewer. */
export function deny(headers: Readonly<Record<string, string>> = {}): Reaction {
  return (response) => {
    response.writeHead(403, headers).end();
  };
}

/** Reaction without an answer. */
export function hang(): Reaction {
  return () => undefined;
}
