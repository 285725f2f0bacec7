import { AirdeskError } from '../../src-preload/contract/index.ts';
import { corsHeaders } from './cors.ts';
import type { Routes } from './http-app.ts';
import { UPLOAD_PREFIX } from './prefixes.ts';

/** Takes files of which the bridge said that they may come. */
export interface UploadPort {
  /** Raises why the file is not taken. */
  receive(ticket: string, body: AsyncIterable<Uint8Array> & { destroy(): unknown }): Promise<void>;
}

/** The address that files are sent to. The ticket in it is the right to do so: pages of any origin may, such as the desk in its window. */
export function uploadRoutes(uploads: UploadPort): Routes {
  return async (app) => {
    await app.register((scope, _options, done) => {
      scope.removeAllContentTypeParsers();
      // Bodies go to the disk as they come.
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
          // What is still sent is not wanted, and the sender reads the answer all the same.
          request.raw.resume();
          reply.header('connection', 'close');
          throw error instanceof AirdeskError ? error : new AirdeskError('internal', 'The file was not taken');
        }
        return reply.code(201).send({});
      });
      done();
    });
  };
}
