import type { AttributeList } from './attribute-list.ts';

/** EXT-X-KEY (RFC 8216bis 4.4.4.4): encryption of segments. */
export interface SegmentKey {
  /** METHOD, for example `AES-128` or `SAMPLE-AES`; never `NONE`. */
  readonly method: string;
  /** Address of the key, as written. */
  readonly uri?: string;
  /** 16 bytes; without them the media sequence number is used. */
  readonly iv?: Uint8Array;
  /** KEYFORMAT; default `identity`. */
  readonly format: string;
}

const IV_BYTES = 16;

/** The key of an EXT-X-KEY tag; undefined for METHOD=NONE. */
export function segmentKeyOf(attributes: AttributeList): SegmentKey | undefined {
  const method = attributes.text('METHOD') ?? 'NONE';
  if (method === 'NONE') return undefined;
  const uri = attributes.text('URI');
  const iv = attributes.bytes('IV', IV_BYTES);
  return {
    method,
    format: attributes.text('KEYFORMAT') ?? 'identity',
    ...(uri === undefined ? {} : { uri }),
    ...(iv === undefined ? {} : { iv }),
  };
}

/** The initialization vector of a segment whose key states none: its media sequence number (RFC 8216bis 5.2). */
export function ivOfSequenceNumber(msn: number): Uint8Array {
  const iv = new Uint8Array(IV_BYTES);
  new DataView(iv.buffer).setBigUint64(8, BigInt(msn));
  return iv;
}
