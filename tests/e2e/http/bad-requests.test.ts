import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { AirdeskProcess } from '../../helpers/airdesk-process.ts';
import { Client } from '../../helpers/edge-run.ts';

let server: AirdeskProcess;

beforeAll(async () => {
  server = await AirdeskProcess.start('stream cam { input fake:// width=320 height=180; }');
});
afterAll(() => server?.dispose());

const GOOD = 'GET /-/time HTTP/1.1\r\nHost: localhost\r\n\r\n';

/** Malformed request lines and heads, and the allowed statuses. */
const BAD: readonly (readonly [text: string, statuses: readonly number[]])[] = [
  ...['//x', '/live/../../etc/passwd', '/%00', '/%5c', '/a/./b', '/%2e%2e/x', '/cam/%00/index.m3u8'].map(
    (path) => [`GET ${path} HTTP/1.1\r\nHost: localhost\r\n\r\n`, [400, 404]] as const,
  ),
  ['POST // HTTP/1.1\r\nHost: localhost\r\nContent-Length: 0\r\n\r\n', [403, 404]],
  ['GET http://localhost//x HTTP/1.1\r\nHost: localhost\r\n\r\n', [404]],
  ['GET /-/time HTTP/1.1\r\nHost : localhost\r\n\r\n', [400]],
  ['GET /-/time HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n', [400]],
  ['GET /-/time HTTP/1.1\r\n\r\n', [400]],
  ['GET /-/time HTTP/1.1\r\nHost: a\r\nX: b\r\n c\r\n\r\n', [400]],
  ['GET /-/time HTTP/1.1\nHost: a\n\n', [400]],
  ['GET /cam/index.m3u8?token=a\nb HTTP/1.1\r\nHost: a\r\n\r\n', [400]],
  ['PUT /x HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n', [400]],
  ['GET /-/time HTTP/1.1\r\nHost: a\r\nX: \0\r\n\r\n', [400]],
];

describe('a bad request', () => {
  it.each(BAD)('%j gets a reply, as first request and after a good request', async (text, statuses) => {
    for (const before of ['', GOOD]) {
      const client = new Client(connect(Number(new URL(server.url).port), '127.0.0.1'));
      await client.isOpen;
      client.send(before + text);
      if (before !== '') expect((await client.reply()).status).toBe(200);
      const { status, body } = await client.reply();
      expect(statuses).toContain(status);
      expect(JSON.parse(body.toString())).toMatchObject({
        error: expect.any(String) as unknown,
        errors: [{ status: String(status) }],
      });
      client.socket.destroy();
    }
  });
});

it('ignores requests for an upgrade to HTTP/2 without TLS (h2c), and answers in HTTP/1.1', async () => {
  const client = new Client(connect(Number(new URL(server.url).port), '127.0.0.1'));
  await client.isOpen;
  const upgrade = 'Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABkAAQAAP__\r\n';
  for (const path of ['/-/time', '/cam/info.json', '/-/time']) {
    client.send(`GET ${path} HTTP/1.1\r\nHost: localhost\r\n${upgrade}\r\n`);
    expect((await client.reply()).status).toBe(200);
  }
  client.socket.destroy();
});
