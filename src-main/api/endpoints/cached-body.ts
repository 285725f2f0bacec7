import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';

const pack = promisify(gzip);
/** Minimum size of a body that is sent compressed, in bytes. */
export const PACKED_FROM_BYTES = 1024;

/** Body that several clients get from the same memory. It is compressed once for all of them. */
export class BytesBody {
  readonly contentType: string;
  readonly bytes: Buffer;
  readonly #level: number;
  #packed: Promise<Buffer> | undefined;

  /** @param level compression level of gzip */
  constructor(bytes: Buffer, contentType: string, level = 4) {
    this.bytes = bytes;
    this.contentType = contentType;
    this.#level = level;
  }

  /** Body compressed with gzip. */
  packed(): Promise<Buffer> {
    this.#packed ??= pack(this.bytes, { level: this.#level });
    return this.#packed;
  }
}

/** JSON body that never changes. It is printed, hashed and compressed once. */
export class CachedBody extends BytesBody {
  /** Strong entity tag of the value (RFC 9110 section 8.8.3). */
  readonly etag: string;

  constructor(value: unknown) {
    super(Buffer.from(JSON.stringify(value)), 'application/json; charset=utf-8', 9);
    this.etag = `"${createHash('sha256').update(this.bytes).digest('base64url').slice(0, 22)}"`;
  }
}
