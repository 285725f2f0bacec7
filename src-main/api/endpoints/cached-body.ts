import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';

const pack = promisify(gzip);

/** JSON body that never changes: printed, hashed and compressed once, and sent to all clients from the same memory. */
export class CachedBody {
  readonly contentType = 'application/json; charset=utf-8';
  readonly bytes: Buffer;
  /** Strong entity tag of the value (RFC 9110 section 8.8.3). */
  readonly etag: string;
  #packed: Promise<Buffer> | undefined;

  constructor(value: unknown) {
    this.bytes = Buffer.from(JSON.stringify(value));
    this.etag = `"${createHash('sha256').update(this.bytes).digest('base64url').slice(0, 22)}"`;
  }

  /** Body compressed with gzip. */
  packed(): Promise<Buffer> {
    this.#packed ??= pack(this.bytes, { level: 9 });
    return this.#packed;
  }
}
