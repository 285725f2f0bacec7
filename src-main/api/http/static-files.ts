import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { extname, join } from 'node:path';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { FastifyInstance } from 'fastify';
import { CONTENT_TYPES } from '../../lib/content-types.ts';
import { isTagNamed } from '../../lib/entity-tag.ts';
import { acceptsGzip } from '../../lib/http-semantics.ts';

const compress = promisify(gzip);
/** Types of files that gzip compresses well. */
const COMPRESSIBLE = /^(text|application\/json|image\/svg)/;

export interface StaticFilesOptions {
  /** Folders with the files. The first folder that contains a file provides it. */
  readonly folders: readonly string[];
  /** Prefix of their addresses, with a slash at both ends. */
  readonly prefix: string;
  /** `Cache-Control` of the answers. */
  readonly cacheControl: string;
  /** `Content-Security-Policy` of the answers. */
  readonly policy: () => string;
}

interface StaticFile {
  readonly body: Buffer;
  readonly tag: string;
  /** Compressed content, created for the first request that accepts it. */
  gzipped?: Promise<Buffer>;
}

/**
 * Adds a route for each file in the folders that has a known type. A file is read on its first request and then stays in
 * memory. All answers share one copy, so slow readers need no additional memory, and an answer takes one turn of the server
 * thread. The files are part of the application and do not change while it runs.
 */
export async function addStaticFiles(app: FastifyInstance, options: StaticFilesOptions): Promise<void> {
  const paths = new Map<string, string>();
  for (const folder of options.folders)
    for (const path of await filesIn(folder, '')) if (!paths.has(path)) paths.set(path, join(folder, path));
  for (const [path, file] of paths) {
    addRoute(app, `${options.prefix}${path}`, file, options);
    if (/(^|\/)index\.html$/.test(path))
      addRoute(app, options.prefix + path.slice(0, -'index.html'.length), file, options);
  }
}

/** Paths of the files in a folder and the folders in it, relative to `root`, with slashes. */
async function filesIn(root: string, path: string): Promise<string[]> {
  // `recursive` is not used, because `readdir` may then list only one folder inside `app.asar`.
  const entries = await readdir(join(root, path), { withFileTypes: true });
  const found = await Promise.all(
    entries.map(async (entry) => {
      const inside = path + entry.name;
      if (entry.isDirectory()) return filesIn(root, `${inside}/`);
      return extname(entry.name) in CONTENT_TYPES ? [inside] : [];
    }),
  );
  return found.flat();
}

function addRoute(app: FastifyInstance, url: string, path: string, { cacheControl, policy }: StaticFilesOptions): void {
  const type = CONTENT_TYPES[extname(path)] ?? '';
  let reading: Promise<StaticFile> | undefined;
  app.get(url, { config: { access: 'probe' } }, async ({ headers }, reply) => {
    reading ??= readStatic(path);
    const file = await reading.catch(() => undefined);
    if (!file) {
      reading = undefined;
      reply.callNotFound();
      return reply;
    }
    reply.headers({ 'content-security-policy': policy(), 'cache-control': cacheControl, vary: 'Accept-Encoding' });
    reply.header('etag', file.tag);
    if (isTagNamed(headers['if-none-match'], file.tag)) return reply.code(304).send();
    reply.type(type);
    if (!COMPRESSIBLE.test(type) || !acceptsGzip(String(headers['accept-encoding'] ?? '')))
      return reply.send(file.body);
    file.gzipped ??= compress(file.body);
    return reply.header('content-encoding', 'gzip').send(await file.gzipped);
  });
}

async function readStatic(path: string): Promise<StaticFile> {
  const body = await readFile(path);
  return { body, tag: `"${createHash('sha256').update(body).digest('base64url').slice(0, 22)}"` };
}
