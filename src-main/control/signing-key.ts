import { generateKeyPairSync } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { AirdeskError } from '../../src-preload/contract/errors.ts';
import { messageOf } from '../lib/error-message.ts';

/** Reads a private key for signatures (Ed25519, PKCS #8 as PEM), and makes it where there is none. Only its owner may read it. Raises `unavailable`. */
export function signingKeyOf(path: string): () => Promise<string> {
  let key: Promise<string> | undefined;
  const read = async (): Promise<string> => {
    if (existsSync(path)) return readFile(path, 'utf8');
    const made = generateKeyPairSync('ed25519').privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
    await writeFile(path, made, { mode: 0o600, flag: 'wx', flush: true });
    return made;
  };
  return async () => {
    try {
      return await (key ??= read());
    } catch (error) {
      key = undefined;
      throw new AirdeskError('unavailable', `The key of signatures cannot be read: ${messageOf(error)}`);
    }
  };
}
