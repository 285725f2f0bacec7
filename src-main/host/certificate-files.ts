import type { Fault } from '../../src-preload/contract/api/alarm-faults.ts';
import { X509Certificate } from 'node:crypto';
import { isAbsolute, join } from 'node:path';
import { createSecureContext } from 'node:tls';
import { AirdeskError } from '../../src-preload/contract/errors.ts';
import type { Config } from '../config/schema/config.ts';
import type { CertificateAndKey, CertificatePort } from '../delivery/http-edge.ts';
import { isoTime, type Clock } from '../lib/clock.ts';
import { messageOf } from '../lib/error-message.ts';
import { FileTurns } from '../lib/file-turns.ts';
import type { Log } from '../lib/log.ts';
import { readRegularFile } from '../lib/regular-file.ts';
import { every } from '../lib/timers.ts';

/** Settings of the certificate, and the listeners that use it. */
export type CertificateSettings = Pick<Config, 'https' | 'rtmps' | 'sslCertificate' | 'sslCertificateKey'>;

export interface CertificateFilesOptions {
  /** Base folder of relative paths. */
  readonly folder: string;
  readonly clock: Clock;
  readonly log: Log;
  readonly read?: (path: string) => Promise<Buffer>;
}

/** Interval of checks of the files, in milliseconds. */
export const CHECK_MS = 10_000;
/** Remaining validity of a certificate below which its end is reported, in milliseconds. */
const SOON_MS = 14 * 86_400_000;
/** Maximum size of a certificate or key file, in bytes. */
const MAX_BYTES = 1024 * 1024;

/**
 * The configured certificate. Its files are read again when they change; unusable files leave the current certificate
 * in place.
 */
export class CertificateFiles implements CertificatePort {
  readonly #options: CertificateFilesOptions;
  readonly #listeners = new Set<(certificate: CertificateAndKey) => void>();
  #paths: { readonly certificate: string; readonly key: string } | null = null;
  #current: CertificateAndKey | null = null;
  #error: string | null = null;
  #stopChecks: (() => void) | undefined;
  #work: Promise<void> = Promise.resolve();
  readonly #turns: FileTurns;

  constructor(options: CertificateFilesOptions) {
    this.#options = options;
    this.#turns = new FileTurns({ clock: options.clock, limit: 2 });
  }

  /** Reason why the files cannot be used; null if they can be used, or if none are needed. */
  get error(): string | null {
    return this.#error;
  }

  /** Alert for operators: the files are unusable, or the certificate expires soon; null for none. */
  alert(nowMs: number): Fault | null {
    const endsAtMs = this.endsAtMs;
    if (this.#error !== null) return { fault: 'certificate_unusable', facts: { explanation: this.#error } };
    if (endsAtMs === null || endsAtMs - nowMs > SOON_MS) return null;
    return endsAtMs < nowMs
      ? { fault: 'certificate_ended', facts: {} }
      : { fault: 'certificate_ends', facts: { day: isoTime(endsAtMs).slice(0, 10) } };
  }

  /** Expiry of the certificate, in epoch milliseconds; null without one. */
  get endsAtMs(): number | null {
    return this.#current ? Date.parse(new X509Certificate(this.#current.cert).validTo) : null;
  }

  /** Uses the files of a configuration from now on. Never rejects: a fault is reported when the certificate is used. */
  async apply({ https, rtmps, sslCertificate, sslCertificateKey }: CertificateSettings): Promise<void> {
    this.#paths =
      sslCertificate !== null && sslCertificateKey !== null
        ? { certificate: this.#path(sslCertificate), key: this.#path(sslCertificateKey) }
        : null;
    this.#stopChecks?.();
    if (https.length === 0 && rtmps.length === 0) return;
    const first = this.#check();
    this.#stopChecks = every(this.#options.clock, CHECK_MS, () => this.#check(), first);
    await first;
  }

  close(): void {
    this.#stopChecks?.();
  }

  current(): CertificateAndKey {
    if (this.#current) return this.#current;
    throw new AirdeskError(
      'certificate_unusable',
      this.#error ?? 'https needs ssl_certificate and ssl_certificate_key',
    );
  }

  onChange(listener: (certificate: CertificateAndKey) => void): () => void {
    this.#listeners.add(listener);
    return () => {
      this.#listeners.delete(listener);
    };
  }

  #path(path: string): string {
    return isAbsolute(path) ? path : join(this.#options.folder, path);
  }

  /** Checks the files. Checks run one at a time. */
  #check(): Promise<void> {
    this.#work = this.#work.then(() => this.#load());
    return this.#work;
  }

  async #load(): Promise<void> {
    const paths = this.#paths;
    try {
      if (!paths) throw new Error('https needs ssl_certificate and ssl_certificate_key');
      const [cert, key] = await Promise.all([this.#read(paths.certificate), this.#read(paths.key)]);
      if (this.#error === null && this.#current?.cert.equals(cert) && this.#current.key.equals(key)) return;
      // Throws for invalid certificates and keys, and for a key that belongs to another certificate.
      createSecureContext({ cert, key });
      this.#error = null;
      this.#current = { cert, key };
      this.#options.log.info('a certificate for https was read', { path: paths.certificate, ends_at: this.endsAtMs });
    } catch (cause) {
      this.#fail(messageOf(cause));
      return;
    }
    for (const listener of this.#listeners) listener(this.#current);
  }

  async #read(path: string): Promise<Buffer> {
    const { read = (file: string) => readRegularFile(file, MAX_BYTES) } = this.#options;
    // A hanging read delays the next configuration, so reads take turns.
    const bytes = await this.#turns.run(path, () => read(path));
    if (bytes.length > MAX_BYTES) throw new Error(`${path} is too long for a certificate or key`);
    return bytes;
  }

  #fail(error: string): void {
    // A fault is logged once, however often it occurs again.
    if (error !== this.#error)
      this.#options.log.error(
        this.#current
          ? 'the new certificate for https cannot be used; the old one stays in use'
          : 'the certificate for https cannot be used',
        { code: 'certificate_unusable', error },
      );
    this.#error = error;
  }
}
