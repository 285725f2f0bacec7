import { mkdir, rename, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { getCACertificates } from 'node:tls';

/** Certificates of authorities that every codec process of this version trusts, in one file. */
const NAME = `authorities-${process.versions.node}.pem`;

/**
 * The file with the authorities that Node trusts, and those of `NODE_EXTRA_CA_CERTS`, for FFmpeg, which knows none by itself. Written where it is
 * not there.
 */
export async function trustedCertificates(folder: string): Promise<string> {
  const path = join(folder, NAME);
  const text = `${getCACertificates('default').join('\n')}\n`;
  const known = await stat(path).catch(() => undefined);
  if (known?.size === Buffer.byteLength(text)) return path;
  await mkdir(folder, { recursive: true });
  // Others may write it at the same moment.
  const draft = `${path}.${process.pid}`;
  await writeFile(draft, text);
  await rename(draft, path);
  return path;
}
