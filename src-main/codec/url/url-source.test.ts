import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createServer, rootCertificates, type Server } from 'node:tls';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeTestCertificate, type TestCertificate } from '../../../tests/helpers/test-certificate.ts';
import { trustedCertificates } from './trusted-certificates.ts';
import { UrlSource } from './url-source.ts';

const folder = mkdtempSync(join(tmpdir(), 'airdesk-tls-'));
let certificate: TestCertificate;
let server: Server;
/** Number of connections on which the other side sent data. */
let greeted = 0;

beforeAll(async () => {
  certificate = makeTestCertificate(folder, 'studio');
  server = createServer({ cert: certificate.cert, key: certificate.key }, (socket) => {
    socket.on('error', () => undefined);
    socket.once('data', () => {
      greeted++;
      socket.destroy();
    });
  });
  server.on('tlsClientError', () => undefined);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
});
afterAll(() => {
  server.close();
  rmSync(folder, { recursive: true, force: true });
});

describe.each(['rtmp', 'rtsp'] as const)('%s over TLS', (kind) => {
  const open = async (caFile?: string): Promise<number> => {
    greeted = 0;
    const source = new UrlSource(kind);
    const { port } = server.address() as AddressInfo;
    expect(await source.open({ url: `${kind}s://127.0.0.1:${port}/live/x` }, {}, caFile)).toBeLessThan(0);
    await source.close();
    return greeted;
  };

  it('sends nothing to a server with an untrusted certificate', async () => {
    expect(await open(await trustedCertificates(join(folder, 'cache')))).toBe(0);
  });

  it('connects to a server with a trusted certificate, and to any server if certificates are not checked', async () => {
    expect(await open(certificate.certificatePath)).toBe(1);
    expect(await open()).toBe(1);
  });
});

describe('trustedCertificates', () => {
  it('writes the certificates of Node once', async () => {
    const path = await trustedCertificates(join(folder, 'cache'));
    const text = readFileSync(path, 'utf8');
    for (const root of rootCertificates.slice(0, 3)) expect(text).toContain(root);
    expect(await trustedCertificates(join(folder, 'cache'))).toBe(path);
  });
});
