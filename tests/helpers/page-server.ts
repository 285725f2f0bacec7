import { createReadStream } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { extname, join } from 'node:path';

const ROOT = join(import.meta.dirname, '../..');
const PAGE = join(ROOT, 'tests/e2e/page');

/** Players under test as shipped in their packages, and files for them. */
const LIBRARIES: Readonly<Record<string, string>> = {
  '/lib/hls.min.js': 'node_modules/hls.js/dist/hls.min.js',
  '/lib/live-distance.js': 'resources/player/live-distance.js',
  '/lib/dash.all.min.js': 'node_modules/dashjs/dist/modern/umd/dash.all.min.js',
  '/lib/shaka-player.compiled.js': 'node_modules/shaka-player/dist/shaka-player.compiled.js',
};

const TYPES: Readonly<Record<string, string>> = { '.html': 'text/html', '.js': 'text/javascript' };

/** Server of another origin than the media: serves the page with the players, like another web site. */
export class PageServer {
  readonly url: string;
  readonly #server: Server;

  private constructor(server: Server) {
    this.#server = server;
    // A server on a TCP port has an `AddressInfo`.
    this.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  }

  /** Starts to serve on a free port. */
  static async start(): Promise<PageServer> {
    const server = createServer((request, response) => {
      const { pathname } = new URL(request.url ?? '/', 'http://page');
      const library = LIBRARIES[pathname];
      const file = library === undefined ? /^\/([a-z-]+\.(?:html|js))$/.exec(pathname)?.[1] : undefined;
      if (library === undefined && file === undefined) {
        response.writeHead(404).end();
        return;
      }
      const path = library === undefined ? join(PAGE, file ?? '') : join(ROOT, library);
      response.setHeader('Content-Type', TYPES[extname(path)] ?? 'application/octet-stream');
      createReadStream(path)
        .on('error', () => response.writeHead(404).end())
        .pipe(response);
    });
    await new Promise<void>((resolve) => {
      server.listen(0, '127.0.0.1', resolve);
    });
    return new PageServer(server);
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }
}
