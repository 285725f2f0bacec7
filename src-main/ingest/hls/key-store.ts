import { because } from '../../../src-preload/contract/explanations/explanations.ts';
import { createDecipheriv } from 'node:crypto';
import type { Decipheriv } from 'node:crypto';
import { keepNewest } from '../../lib/limits/newest.ts';
import type { SegmentKey } from '../../media/manifests/hls/segment-key.ts';
import type { InputEnd } from '../input.ts';
import type { HttpLoader } from './http-loader.ts';
import { MAX_KEY_BYTES, MAX_KEYS, SMALL_DEADLINE_MS } from './limits.ts';

const KEY_BYTES = 16;

/**
 * Supported key among the keys that apply to a segment; undefined if nothing is encrypted, an `InputEnd` if none is
 * supported.
 */
export function usableKey(keys: readonly SegmentKey[]): SegmentKey | InputEnd | undefined {
  if (keys.length === 0) return undefined;
  const usable = keys.find((key) => key.method === 'AES-128' && key.format === 'identity' && key.uri !== undefined);
  if (usable) return usable;
  const methods = [...new Set(keys.map((key) => `${key.method} (${key.format})`))].join(', ');
  return {
    code: 'hls_encryption_unsupported',
    ...because('hls_key_method', { methods }),
  };
}

/** Keys by address, each fetched once; the least recently used are dropped. */
export class KeyStore {
  readonly #loader: HttpLoader;
  readonly #keys = new Map<string, Buffer>();

  constructor(loader: HttpLoader) {
    this.#loader = loader;
  }

  /** Creates the decipher of one segment (AES-128 with CBC and PKCS7 padding, RFC 8216bis 4.4.4.4). */
  async decipher(url: URL, iv: Uint8Array): Promise<Decipheriv | InputEnd> {
    const known = this.#keys.get(url.href);
    const key = known ?? (await this.#fetch(url));
    if (!Buffer.isBuffer(key)) return key;
    this.#keys.delete(url.href);
    this.#keys.set(url.href, key);
    keepNewest(this.#keys, MAX_KEYS);
    return createDecipheriv('aes-128-cbc', key, iv);
  }

  /** Drops a key after a failed decryption: the server may have changed it. */
  forget(url: URL): void {
    this.#keys.delete(url.href);
  }

  async #fetch(url: URL): Promise<Buffer | InputEnd> {
    const result = await this.#loader.load({ url, maxBytes: MAX_KEY_BYTES, deadlineMs: SMALL_DEADLINE_MS });
    if ('failure' in result)
      return { code: 'hls_key_unavailable', ...because('hls_no_key', { host: url.host, explanation: result.failure }) };
    if (result.bytes.length === KEY_BYTES) return result.bytes;
    return {
      code: 'hls_key_unavailable',
      ...because('hls_key_length', { path: url.pathname, bytes: result.bytes.length, expected: KEY_BYTES }),
    };
  }
}
