import { mkdir, rename, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { getCACertificates } from 'node:tls';

/** File of the certificate authorities trusted by every codec process of this version. */
const NAME = `authorities-${process.versions.node}.pem`;

/**
 * File with the authorities of Node and of `NODE_EXTRA_CA_CERTS`, for FFmpeg, which has no certificates of its own. The file is
 * written if it is missing.
 */
export async function trustedCertificates(folder: string): Promise<string> {
  const path = join(folder, NAME);
  const text = `${getCACertificates('default').join('\n')}\n`;
  const file = await stat(path).catch(() => undefined);
  if (file?.size === Buffer.byteLength(text)) return path;
  await mkdir(folder, { recursive: true });
  // Other processes may write the file at the same time.
  const draft = `${path}.${process.pid}`;
  await writeFile(draft, text);
  await rename(draft, path);
  return path;
}
