import { mkdtempSync, rmSync } from 'node:fs';
import { connect as connectPlain } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect, type TLSSocket } from 'node:tls';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { Client, EdgeRun, request } from '../../tests/helpers/edge-run.ts';
import { makeTestCertificate, type TestCertificate } from '../../tests/helpers/test-certificate.ts';
import { until } from '../../tests/helpers/until.ts';
import { TransportPolicy } from '../lib/transport-policy.ts';
import type { CertificateAndKey, CertificatePort } from './http-edge.ts';

let folder: string;
let first: TestCertificate;
let second: TestCertificate;
const runs: EdgeRun[] = [];

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'airdesk-edge-tls-'));
  first = makeTestCertificate(folder, 'first');
  second = makeTestCertificate(folder, 'second');
});
afterAll(() => {
  rmSync(folder, { recursive: true, force: true });
});
afterEach(async () => {
  for (const run of runs.splice(0)) await run.close();
});

/** Certificates that a test can change. */
class Certificates implements CertificatePort {
  readonly #listeners = new Set<(certificate: CertificateAndKey) => void>();
  #current: CertificateAndKey = first;

  current(): CertificateAndKey {
    return this.#current;
  }

  onChange(listener: (certificate: CertificateAndKey) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  change(certificate: CertificateAndKey): void {
    this.#current = certificate;
    for (const listener of this.#listeners) listener(certificate);
  }

  get listenerCount(): number {
    return this.#listeners.size;
  }
}

async function started(tls?: CertificatePort, transport?: TransportPolicy): Promise<EdgeRun> {
  const run = await new EdgeRun('cam', { ...(tls ? { tls } : {}), ...(transport ? { transport } : {}) }).start();
  runs.push(run);
  run.stream.play({
    video: { fps: 25, gopFrames: 50, bFrames: 0 },
    audio: { sampleRate: 48_000, lateMs: 0 },
    seconds: 9.3,
  });
  return run;
}

async function open({ port }: EdgeRun, ca = first.cert): Promise<Client & { readonly socket: TLSSocket }> {
  const socket = connect({ host: '127.0.0.1', port, ca, ALPNProtocols: ['http/1.1'] });
  await new Promise<void>((resolve, reject) => {
    socket.once('secureConnect', resolve);
    socket.once('error', reject);
  });
  return Object.assign(new Client(socket), { socket });
}

describe('HttpEdge with TLS', () => {
  it.each([
    ['RSA key exchange', { ciphers: 'AES128-GCM-SHA256:AES256-GCM-SHA384', maxVersion: 'TLSv1.2' }],
    ['CBC', { ciphers: 'ECDHE-RSA-AES128-SHA256:ECDHE-RSA-AES256-SHA:AES128-SHA', maxVersion: 'TLSv1.2' }],
    ['TLS 1.1', { ciphers: 'DEFAULT@SECLEVEL=0', minVersion: 'TLSv1.1', maxVersion: 'TLSv1.1' }],
  ] as const)('refuses %s', async (_what, options) => {
    const { port } = await started(new Certificates());
    const outcome = await new Promise((resolve) => {
      const socket = connect({ host: '127.0.0.1', port, ca: first.cert, ...options });
      socket.once('secureConnect', () => {
        resolve(socket.getCipher());
        socket.destroy();
      });
      socket.once('error', () => {
        resolve('refused');
      });
    });
    expect(outcome).toBe('refused');
  });

  it('accepts ciphers with forward secrecy, and refuses renegotiation', async () => {
    const run = await started(new Certificates());
    const socket = connect({ host: '127.0.0.1', port: run.port, ca: first.cert, maxVersion: 'TLSv1.2' });
    await new Promise((resolve) => socket.once('secureConnect', resolve));
    expect(socket.getCipher().name).toMatch(/^ECDHE-.*GCM/);
    const outcome = new Promise((resolve) => {
      socket.once('error', () => resolve('refused'));
      socket.once('close', () => resolve('refused'));
      socket.renegotiate({}, (error) => resolve(error ? 'refused' : 'renegotiated'));
    });
    expect(await outcome).toBe('refused');
    socket.destroy();
  });

  it('sends and hands over the same bytes as HttpEdge without TLS', async () => {
    const run = await started(new Certificates());
    const plain = await new EdgeRun('cam', { stream: run.stream }).start();
    runs.push(plain);
    const client = await open(run);
    expect(client.socket.alpnProtocol).toBe('http/1.1');
    for (const path of ['/cam/v1/index.m3u8', '/cam/v1/init.mp4', '/cam/v1/1800000000000.m4s']) {
      client.send(request(path));
      const reply = await client.reply();
      expect([path, reply.status]).toEqual([path, 200]);
      expect(reply.body.equals((await plain.get(path)).body)).toBe(true);
    }
    client.send(request('/-/desk'));
    expect((await client.reply()).body.toString()).toBe('GET /-/desk ');
    client.send(request('/cam/v1/index.m3u8'));
    expect((await client.reply()).status).toBe(200);
  });

  it('redirects plain HTTP to HTTPS, and sends HSTS over TLS only', async () => {
    const transport = new TransportPolicy({
      settings: () => ({ httpsRedirect: 'all', hstsMs: 60_000 }),
      isTrustedProxy: () => false,
      httpsPort: () => 8443,
    });
    const plain = await started(undefined, transport);
    const client = await plain.connect();
    for (const path of ['/cam/v1/index.m3u8?token=a', '/cam/embed.html']) {
      client.send(request(path));
      const { status, headers } = await client.reply();
      expect([status, headers.get('location')]).toEqual([308, `https://test:8443${path}`]);
      expect(headers.has('strict-transport-security')).toBe(false);
    }
    client.send(request('/cam/v1/1800000000000.m4s'));
    expect((await client.reply()).status).toBe(200);
    const secure = await open(await started(new Certificates(), transport));
    for (const path of [
      '/cam/v1/index.m3u8',
      '/cam/v1/index.m3u8',
      '/cam/v1/1800000000000.m4s',
      '/cam/v9/index.m3u8',
    ]) {
      secure.send(request(path));
      expect((await secure.reply()).headers.get('strict-transport-security')).toBe('max-age=60');
    }
  });

  it('keeps open connections when the certificate changes, and uses the new certificate for new connections', async () => {
    const certificates = new Certificates();
    const run = await started(certificates);
    const early = await open(run);
    certificates.change(second);
    const late = await open(run, second.cert);
    expect(late.socket.getPeerCertificate().subject.CN).toBe('second');
    early.send(request('/cam/index.m3u8'));
    expect((await early.reply()).status).toBe(200);
    await expect(open(run, first.cert)).rejects.toThrow(/self.signed/);
  });

  it('drops clients that do not use TLS or leave during the handshake, and closes during handshakes', async () => {
    const certificates = new Certificates();
    const run = await started(certificates);
    const plain = connectPlain(run.port, '127.0.0.1');
    plain.on('error', () => undefined);
    const isClosed = new Promise((resolve) => plain.once('close', resolve));
    plain.write(request('/cam/index.m3u8'));
    await isClosed;
    const silent = connectPlain(run.port, '127.0.0.1');
    silent.on('error', () => undefined);
    await new Promise((resolve) => silent.once('connect', resolve));
    const client = await open(run);
    client.send(request('/cam/index.m3u8'));
    expect((await client.reply()).status).toBe(200);
    await run.edge.close();
    await until('the silent connection is closed', () => silent.destroyed || silent.readyState === 'closed', 30_000);
    expect(certificates.listenerCount).toBe(0);
  });

  it('closes connections that do not finish their handshake in time: silent ones, and ones that send byte by byte', async () => {
    const run = await started(new Certificates());
    const silent = connectPlain(run.port, '127.0.0.1');
    const dripping = connectPlain(run.port, '127.0.0.1');
    for (const socket of [silent, dripping]) {
      socket.on('error', () => undefined);
      await new Promise((resolve) => socket.once('connect', resolve));
    }
    const client = await open(run);
    const closed = [silent, dripping].map(async (socket) => new Promise((resolve) => socket.once('close', resolve)));
    // The head of a handshake record (RFC 8446 section 5.1), byte by byte.
    for (const byte of [22, 3, 1, 0, 200]) {
      dripping.write(Uint8Array.of(byte));
      client.send(request('/cam/index.m3u8'));
      expect((await client.reply()).status).toBe(200);
      run.clock.advance(2000);
      run.edge.sweep();
    }
    await Promise.all(closed);
  });

  it('fails to start without a certificate', async () => {
    const nothing: CertificatePort = {
      current: () => {
        throw new Error('no certificate');
      },
      onChange: () => () => undefined,
    };
    await expect(new EdgeRun('cam', { tls: nothing }).start()).rejects.toThrow('no certificate');
  });
});
