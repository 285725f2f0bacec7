import { AirdeskError } from '../../src-preload/contract/index.ts';
import { corsHeaders } from './http/cors.ts';
import type { Routes } from './http-app.ts';
import { UPLOAD_PREFIX } from './http/prefixes.ts';

/** Files that the bridge allowed to be uploaded. */
export interface UploadPort {
  /** Receives the file of a ticket. Raises the reason if it is refused. */
  receive(ticket: string, body: AsyncIterable<Uint8Array> & { destroy(): unknown }): Promise<void>;
}

/** Address for uploads. Its ticket is the permission, so pages of any origin may use it, such as the desk in its window. */
export function uploadRoutes(uploads: UploadPort): Routes {
  return async (app) => {
    await app.register((scope, _options, done) => {
      scope.removeAllContentTypeParsers();
      // Bodies are written to the disk as they arrive.
      scope.addContentTypeParser('*', (_request, _body, parsed) => {
        parsed(null);
      });
      scope.addHook('onRequest', (_request, reply, next) => {
        reply.headers(corsHeaders('*'));
        next();
      });
      const config = { access: 'probe' } as const;
      scope.options(`${UPLOAD_PREFIX}:ticket`, { config }, (_request, reply) => reply.code(204).send());
      scope.put<{ Params: { ticket: string } }>(`${UPLOAD_PREFIX}:ticket`, { config }, async (request, reply) => {
        try {
          await uploads.receive(request.params.ticket, request.raw);
        } catch (error) {
          // The rest of the body is discarded, but the connection stays open so that the sender can read the answer.
          request.raw.resume();
          reply.header('connection', 'close');
          throw error instanceof AirdeskError ? error : new AirdeskError('internal', 'The file was not accepted');
        }
        return reply.code(201).send({});
      });
      done();
    });
  };
}
