import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Self-signed certificate, created by the openssl program of the machine. */
export interface TestCertificate {
  readonly certificatePath: string;
  readonly keyPath: string;
  readonly cert: Buffer;
  readonly key: Buffer;
}

/**
 * Creates a certificate for localhost and 127.0.0.1.
 *
 * @param name common name, and name of the files
 * @param days validity in days
 */
export function makeTestCertificate(folder: string, name: string, days = 30): TestCertificate {
  const certificatePath = join(folder, `${name}.crt`);
  const keyPath = join(folder, `${name}.key`);
  const subject = [
    '-subj',
    `/CN=${name}`,
    '-addext',
    'subjectAltName=DNS:localhost,IP:127.0.0.1',
    '-days',
    String(days),
  ];
  execFileSync(
    process.env['OPENSSL_PATH'] ?? 'openssl',
    [
      'req',
      '-x509',
      '-newkey',
      'ec',
      '-pkeyopt',
      'ec_paramgen_curve:prime256v1',
      '-nodes',
      '-keyout',
      keyPath,
      '-out',
      certificatePath,
      ...subject,
    ],
    { stdio: 'pipe' },
  );
  return { certificatePath, keyPath, cert: readFileSync(certificatePath), key: readFileSync(keyPath) };
}
