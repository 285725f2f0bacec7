import { parseInteger } from './attribute-list.ts';

/** A sub-range of a resource (EXT-X-BYTERANGE, and BYTERANGE of EXT-X-MAP and EXT-X-PART). */
export interface PlaylistByteRange {
  readonly offsetBytes: number;
  readonly lengthBytes: number;
}

/**
 * Parses `n[@o]` (RFC 8216bis 4.4.4.2).
 *
 * @param followingBytes start of a range without an offset: the end of the previous range in the same resource
 */
export function parseByteRange(text: string | undefined, followingBytes: number): PlaylistByteRange | undefined {
  const [length, offset] = (text ?? '').split('@');
  const lengthBytes = parseInteger(length);
  const offsetBytes = offset === undefined ? followingBytes : parseInteger(offset);
  if (lengthBytes === undefined || offsetBytes === undefined || !Number.isSafeInteger(offsetBytes + lengthBytes))
    return undefined;
  return { offsetBytes, lengthBytes };
}
