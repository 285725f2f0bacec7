import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import fastify, { type FastifyInstance } from 'fastify';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { addStaticFiles } from './static-files.ts';

const SCRIPT = `export const text = '${'a'.repeat(5000)}';\n`;

let root: string;
let app: FastifyInstance;

beforeEach(async () => {
  root = mkdtempSync(join(tmpdir(), 'airdesk-files-'));
  mkdirSync(join(root, 'first/docs'), { recursive: true });
  mkdirSync(join(root, 'second'));
  writeFileSync(join(root, 'first/index.html'), '<p>first</p>');
  writeFileSync(join(root, 'first/docs/index.html'), '<p>docs</p>');
  writeFileSync(join(root, 'first/script.js'), SCRIPT);
  writeFileSync(join(root, 'first/picture.png'), Buffer.alloc(5000));
  writeFileSync(join(root, 'first/script.js.map'), '{}');
  writeFileSync(join(root, 'second/index.html'), '<p>second</p>');
  writeFileSync(join(root, 'second/other.css'), 'p {}');
  app = fastify();
  await addStaticFiles(app, {
    folders: [join(root, 'first'), join(root, 'second')],
    prefix: '/files/',
    cacheControl: 'public, max-age=60',
    policy: () => "object-src 'none'",
  });
});
afterEach(async () => {
  await app.close();
  rmSync(root, { recursive: true, force: true });
});

describe('the handler of static files', () => {
  it.each([
    ['/files/', '<p>first</p>', 'text/html; charset=utf-8'],
    ['/files/index.html', '<p>first</p>', 'text/html; charset=utf-8'],
    ['/files/docs/', '<p>docs</p>', 'text/html; charset=utf-8'],
    ['/files/script.js', SCRIPT, 'text/javascript; charset=utf-8'],
    ['/files/other.css', 'p {}', 'text/css; charset=utf-8'],
  ])('answers %s with the file from the first folder that contains it', async (url, body, type) => {
    const reply = await app.inject({ url });
    expect([reply.statusCode, reply.body, reply.headers['content-type']]).toEqual([200, body, type]);
    expect(reply.headers).toMatchObject({
      'cache-control': 'public, max-age=60',
      'content-security-policy': "object-src 'none'",
      'content-length': String(body.length),
    });
  });

  it.each(['/files/script.js.map', '/files/none.js', '/files/docs', '/files/../first/script.js'])(
    'answers %s with 404',
    async (url) => {
      expect((await app.inject({ url })).statusCode).toBe(404);
    },
  );

  it('compresses text, but not images, for clients that accept it', async () => {
    const headers = { 'accept-encoding': 'br, gzip' };
    const text = await app.inject({ url: '/files/script.js', headers });
    expect(text.headers).toMatchObject({ 'content-encoding': 'gzip', vary: 'Accept-Encoding' });
    expect(text.rawPayload.length).toBeLessThan(500);
    expect(gunzipSync(text.rawPayload).toString()).toBe(SCRIPT);
    const picture = await app.inject({ url: '/files/picture.png', headers });
    expect(picture.headers['content-encoding']).toBeUndefined();
    expect(picture.rawPayload).toHaveLength(5000);
  });

  it('answers 304 to a client that has the current file', async () => {
    const { etag } = (await app.inject({ url: '/files/script.js' })).headers;
    const reply = await app.inject({ url: '/files/script.js', headers: { 'if-none-match': String(etag) } });
    expect([reply.statusCode, reply.body]).toEqual([304, '']);
    const stale = await app.inject({ url: '/files/other.css', headers: { 'if-none-match': String(etag) } });
    expect(stale.statusCode).toBe(200);
  });

  it('answers 404 if a file was removed before its first request', async () => {
    rmSync(join(root, 'first/script.js'));
    expect((await app.inject({ url: '/files/script.js' })).statusCode).toBe(404);
    writeFileSync(join(root, 'first/script.js'), SCRIPT);
    expect((await app.inject({ url: '/files/script.js' })).statusCode).toBe(200);
  });
});
