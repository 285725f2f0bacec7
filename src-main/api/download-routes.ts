import { basename, dirname } from 'node:path';
import { Readable } from 'node:stream';
import fastifyStatic from '@fastify/static';
import type { FastifyReply } from 'fastify';
import { AirdeskError } from '../../src-preload/contract/errors.ts';
import type { PackedDownload } from '../control/archive/export-downloads.ts';
import type { LogFile } from '../control/log-downloads.ts';
import type { Routes } from './http-app.ts';
import { DOWNLOAD_PREFIX } from './http/prefixes.ts';

/** Files that the bridge or the API offered for download. */
export interface DownloadPort {
  /** Path of the file of a ticket, or a file that is created while it is sent; undefined without a valid ticket. */
  find(ticket: string): { readonly path: string } | PackedDownload | LogFile | undefined;
}

/** Address for downloads, complete or by byte ranges (RFC 9110 section 14). Its ticket is the permission to download. */
export function downloadRoutes(ports: readonly DownloadPort[]): Routes {
  return async (app) => {
    await app.register(async (scope) => {
      await scope.register(fastifyStatic, { serve: false });
      const config = { access: 'probe' } as const;
      scope.get<{ Params: { ticket: string } }>(`${DOWNLOAD_PREFIX}:ticket`, { config }, async (request, reply) => {
        const found = ports.map((port) => port.find(request.params.ticket)).find((one) => one !== undefined);
        if (!found)
          throw new AirdeskError('not_found', 'This download address does not exist, or is older than an hour');
        if ('open' in found) return sendLog(reply, found, request.method === 'HEAD');
        if (!('path' in found)) {
          const { name, sizeBytes, tag } = found;
          const condition = request.headers['if-range'];
          const isOther = condition !== undefined && condition !== tag;
          const range = isOther ? 'all' : found.rangeOf(request.headers.range);
          const disposition = `attachment; filename*=UTF-8''${encodeURIComponent(name)}`;
          reply.headers({ 'cache-control': 'no-store', 'content-disposition': disposition, etag: tag });
          reply.headers({ 'content-type': 'application/x-tar', 'accept-ranges': 'bytes' });
          if (range === 'unsatisfiable') return reply.code(416).header('content-range', `bytes */${sizeBytes}`).send();
          const { first, last } = range === 'all' ? { first: 0, last: sizeBytes - 1 } : range;
          if (range !== 'all') reply.code(206).header('content-range', `bytes ${first}-${last}/${sizeBytes}`);
          reply.header('content-length', last + 1 - first);
          return reply.send(request.method === 'HEAD' ? undefined : found.read(first, last));
        }
        const { path } = found;
        const options = { root: dirname(path), cacheControl: false };
        return reply.header('cache-control', 'no-store').download(basename(path), options);
      });
    });
  };
}

async function sendLog(
  reply: FastifyReply,
  { name, type, isShown, open }: LogFile,
  isHead: boolean,
): Promise<FastifyReply> {
  const pieces = await open();
  const disposition = `${isShown ? 'inline' : 'attachment'}; filename*=UTF-8''${encodeURIComponent(name)}`;
  reply.headers({ 'cache-control': 'no-store', 'content-disposition': disposition, 'content-type': type });
  return reply.send(isHead ? undefined : Readable.from(pieces, { objectMode: false }));
}
