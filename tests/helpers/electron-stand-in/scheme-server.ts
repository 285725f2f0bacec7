import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { app } from './stand-in-app.ts';

type Handler = (request: Request) => Response | Promise<Response>;

/** Serves the addresses of a custom scheme on free ports of this machine, one port for each host of the scheme. */
class SchemeServer {
  readonly #handlers = new Map<string, Handler>();
  readonly #bases = new Map<string, string>();

  handle(scheme: string, handler: Handler): void {
    this.#handlers.set(scheme, handler);
  }

  /** HTTP address for an address of a custom scheme; other addresses are returned unchanged. */
  async toHttp(url: string): Promise<string> {
    const { protocol, host, pathname, search, hash } = new URL(url);
    const handler = this.#handlers.get(protocol.slice(0, -1));
    if (!handler) return url;
    const origin = `${protocol}//${host}`;
    const base = this.#bases.get(origin) ?? (await this.#listen(origin, handler));
    return base + (pathname || '/') + search + hash;
  }

  /** Address of a custom scheme for an HTTP address; other addresses are returned unchanged. */
  toScheme(url: string): string {
    for (const [origin, base] of this.#bases) {
      if (url === base || url.startsWith(`${base}/`)) return origin + url.slice(base.length);
    }
    return url;
  }

  async #listen(origin: string, handler: Handler): Promise<string> {
    const server = createServer((request, response) => {
      void Promise.resolve(handler(new Request(origin + (request.url ?? '/'))))
        .then(async (answer) => {
          response.writeHead(answer.status, Object.fromEntries(answer.headers));
          response.end(Buffer.from(await answer.arrayBuffer()));
        })
        .catch((error: unknown) => {
          response.writeHead(500).end(String(error));
        });
    });
    await new Promise<void>((resolve) => {
      server.listen(0, '127.0.0.1', resolve);
    });
    app.cleanUps.push(
      () =>
        new Promise((resolve) => {
          server.close(() => {
            resolve();
          });
          server.closeAllConnections();
        }),
    );
    // A server on a TCP port has an `AddressInfo`.
    const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    this.#bases.set(origin, base);
    return base;
  }
}

/** The only instance, as in Electron. */
export const schemes = new SchemeServer();
