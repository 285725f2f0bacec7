import { basename, dirname } from 'node:path';
import type { Readable } from 'node:stream';
import fastifyStatic from '@fastify/static';
import type { Routes } from './http-app.ts';
import { DOWNLOAD_PREFIX } from './prefixes.ts';

/** Knows the files of which the bridge, or the API, said that they may be loaded. */
export interface DownloadPort {
  /** Where the file of a ticket lies, or what is made while it is sent. Raises `not_found`. */
  find(
    ticket: string,
  ): { readonly path: string } | { readonly name: string; readonly sizeBytes: number; read(): Readable };
}

/** The address that files are loaded from, whole or by ranges of bytes (RFC 9110 section 14); an archive of several is whole. The ticket in it is the right to do so. */
export function downloadRoutes(downloads: DownloadPort): Routes {
  return async (app) => {
    await app.register(async (scope) => {
      await scope.register(fastifyStatic, { serve: false });
      const config = { access: 'probe' } as const;
      scope.get<{ Params: { ticket: string } }>(`${DOWNLOAD_PREFIX}:ticket`, { config }, (request, reply) => {
        const found = downloads.find(request.params.ticket);
        if (!('path' in found)) {
          const disposition = `attachment; filename*=UTF-8''${encodeURIComponent(found.name)}`;
          return reply
            .headers({ 'cache-control': 'no-store', 'content-disposition': disposition })
            .headers({ 'content-type': 'application/x-tar', 'content-length': found.sizeBytes })
            .send(request.method === 'HEAD' ? undefined : found.read());
        }
        const { path } = found;
        return reply.header('cache-control', 'no-store').download(basename(path), {
          ...{ root: dirname(path), cacheControl: false },
        });
      });
    });
  };
}
