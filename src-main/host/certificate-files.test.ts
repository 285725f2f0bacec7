import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { makeTestCertificate, type TestCertificate } from '../../tests/helpers/test-certificate.ts';
import { until } from '../../tests/helpers/until.ts';
import { FakeClock } from '../../tests/helpers/fake-clock.ts';
import { silentLog } from '../lib/log.ts';
import { CertificateFiles, CHECK_MS } from './certificate-files.ts';

let folder: string;
let first: TestCertificate;
let second: TestCertificate;
let clock: FakeClock;
let errors: string[];
let files: CertificateFiles;

const SETTINGS = {
  https: [{ host: null, port: 8443 }],
  rtmps: [],
  sslCertificate: 'used.crt',
  sslCertificateKey: 'used.key',
};

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'airdesk-tls-'));
  first = makeTestCertificate(folder, 'first');
  second = makeTestCertificate(folder, 'second');
});
afterAll(() => {
  rmSync(folder, { recursive: true, force: true });
});
beforeEach(() => {
  clock = new FakeClock();
  errors = [];
  files = new CertificateFiles({
    folder,
    clock,
    log: { ...silentLog, error: (message, fields) => errors.push(`${message}: ${fields?.['code']}`) },
  });
  write(first.cert, first.key);
});

function write(cert: Uint8Array, key: Uint8Array): void {
  writeFileSync(join(folder, 'used.crt'), cert);
  writeFileSync(join(folder, 'used.key'), key);
}

describe('CertificateFiles', () => {
  it('reads the configured files, relative to the data folder', async () => {
    await files.apply(SETTINGS);
    expect(files.current()).toEqual({ cert: first.cert, key: first.key });
    expect(files.error).toBeNull();
    expect(files.endsAtMs).toBeGreaterThan(Date.now() + 29 * 86_400_000);
    expect(files.alert(Date.now())).toBeNull();
    expect(files.alert(Date.now() + 20 * 86_400_000)).toMatchObject({
      fault: 'certificate_ends',
      facts: { day: expect.stringMatching(/^20\d\d-\d\d-\d\d$/) as string },
    });
    expect(files.alert(Date.now() + 40 * 86_400_000)?.fault).toBe('certificate_ended');
  });

  it('throws an error with a code if the files are unusable', async () => {
    await files.apply({ ...SETTINGS, sslCertificateKey: null });
    expect(() => files.current()).toThrow(expect.objectContaining({ code: 'certificate_unusable' }));
    await files.apply({ ...SETTINGS, sslCertificate: 'none.crt' });
    expect(() => files.current()).toThrow(/ENOENT/);
    await files.apply({ ...SETTINGS, sslCertificateKey: second.keyPath });
    expect(() => files.current()).toThrow(expect.objectContaining({ code: 'certificate_unusable' }));
    expect(errors).toHaveLength(3);
  });

  it('loads changed files, but only as a matching pair', async () => {
    await files.apply(SETTINGS);
    const loaded: Buffer[] = [];
    files.onChange(({ cert }) => loaded.push(cert));
    write(second.cert, first.key);
    clock.advance(CHECK_MS);
    await until('the reported fault', () => files.error !== null, 30_000);
    expect(files.current().cert).toEqual(first.cert);
    expect(files.alert(0)?.facts['explanation']).toBe(files.error);
    clock.advance(CHECK_MS);
    write(second.cert, second.key);
    clock.advance(CHECK_MS);
    await until('the new certificate in use', () => loaded.length > 0, 30_000);
    expect(files.current()).toEqual({ cert: second.cert, key: second.key });
    expect(files.error).toBeNull();
    expect(loaded).toEqual([second.cert]);
    // There is one report for any number of attempts.
    expect(errors).toEqual([
      'the new certificate for https cannot be used; the old one stays in use: certificate_unusable',
    ]);
  });

  it('ignores files that no listener uses', async () => {
    await files.apply({ ...SETTINGS, https: [], rtmps: [], sslCertificate: 'none.crt' });
    expect([files.error, errors]).toEqual([null, []]);
  });
});
