/** A byte range; both ends are inclusive. */
export interface ByteRange {
  readonly first: number;
  readonly last: number;
}

/**
 * Parses a Range header (RFC 9110 section 14.2). Several ranges in one header are answered with the complete body.
 * @returns the range, `'all'` if the header is absent or unsupported, `'unsatisfiable'` if it is outside the body
 */
export function readByteRange(header: string | undefined, totalBytes: number): ByteRange | 'all' | 'unsatisfiable' {
  const match = header === undefined ? null : /^bytes=(\d{0,15})-(\d{0,15})$/.exec(header);
  if (!match) return 'all';
  const [, from = '', to = ''] = match;
  if (from === '' && to === '') return 'all';
  if (from === '') {
    const count = Math.min(Number(to), totalBytes);
    return count === 0 ? 'unsatisfiable' : { first: totalBytes - count, last: totalBytes - 1 };
  }
  const first = Number(from);
  const last = to === '' ? totalBytes - 1 : Math.min(Number(to), totalBytes - 1);
  if (first >= totalBytes) return 'unsatisfiable';
  return last < first ? 'all' : { first, last };
}
