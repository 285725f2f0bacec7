import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import fastifyStatic from '@fastify/static';
import fastify, { type FastifyInstance } from 'fastify';
import type { Desk } from '../control/desk.ts';
import { deskSocket } from './desk-socket.ts';

/** What the control side of HTTP is made with. */
export interface HttpAppOptions {
  /** Folder of the built desk; undefined where there is none. */
  readonly deskFolder: string | undefined;
  /** Folders of the files under `/-/player/`, which embed pages load; a file comes from the first that has it. */
  readonly playerFolders: readonly string[];
  readonly desk: Desk;
  /** Answers media addresses and publishers on connections that this server holds; returns whether it did. */
  readonly media: (request: IncomingMessage, response: ServerResponse) => boolean;
}

/** Largest body of a control request. */
const BODY_LIMIT_BYTES = 8 * 1024 * 1024;

/** What pages of the desk may load, besides the rules in the page itself. */
const DESK_HEADERS = {
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'x-frame-options': 'SAMEORIGIN',
} as const;

/** Door 2: the control side of HTTP. Connections come from the media edge, so it listens to no port of its own. */
export async function createHttpApp(options: HttpAppOptions): Promise<{ readonly app: FastifyInstance; readonly server: Server }> {
  const app = fastify({
    bodyLimit: BODY_LIMIT_BYTES,
    forceCloseConnections: true,
    serverFactory: (handler) =>
      createServer({ noDelay: true, keepAliveTimeout: 75_000, requestTimeout: 0 }, (request, response) => {
        if (!options.media(request, response)) handler(request, response);
      }),
  });
  app.setNotFoundHandler((_request, reply) => {
    void reply.code(404).send({ errors: [{ code: 'not_found', status: '404', title: 'There is nothing at this address' }], error: 'not_found' });
  });
  // The clock of MPDs (UTCTiming): pages of any origin may ask.
  app.get('/-/time', (_request, reply) =>
    reply.header('cache-control', 'no-store').header('access-control-allow-origin', '*').type('text/plain').send(new Date().toISOString()),
  );
  if (options.playerFolders.length > 0) {
    await app.register(fastifyStatic, { root: [...options.playerFolders], prefix: '/-/player/', decorateReply: false, maxAge: 3_600_000 });
  }
  if (options.deskFolder !== undefined) {
    await app.register(fastifyStatic, {
      root: options.deskFolder,
      prefix: '/',
      wildcard: true,
      setHeaders(reply) {
        for (const [name, value] of Object.entries(DESK_HEADERS)) reply.header(name, value);
      },
    });
  }
  await app.ready();
  const server = app.server;
  deskSocket(server, options.desk);
  return { app, server };
}
