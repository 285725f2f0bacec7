import { basename, dirname } from 'node:path';
import fastifyStatic from '@fastify/static';
import type { Routes } from './http-app.ts';
import { DOWNLOAD_PREFIX } from './prefixes.ts';

/** Knows the files of which the bridge, or the API, said that they may be loaded. */
export interface DownloadPort {
  /** Where the file of a ticket lies. Raises `not_found`. */
  pathOf(ticket: string): string;
}

/** The address that files are loaded from, whole or by ranges of bytes (RFC 9110 section 14). The ticket in it is the right to do so. */
export function downloadRoutes(downloads: DownloadPort): Routes {
  return async (app) => {
    await app.register(async (scope) => {
      await scope.register(fastifyStatic, { serve: false });
      const config = { access: 'probe' } as const;
      scope.get<{ Params: { ticket: string } }>(`${DOWNLOAD_PREFIX}:ticket`, { config }, (request, reply) => {
        const path = downloads.pathOf(request.params.ticket);
        return reply.header('cache-control', 'no-store').download(basename(path), {
          ...{ root: dirname(path), cacheControl: false },
        });
      });
    });
  };
}
