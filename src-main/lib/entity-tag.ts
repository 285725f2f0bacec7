/**
 * Reports whether `If-None-Match` contains an entity tag (RFC 9110 section 13.1.2): a list of tags, strong or weak, or
 * `*`.
 */
export function isTagNamed(ifNoneMatch: string | undefined, tag: string): boolean {
  if (ifNoneMatch === undefined) return false;
  if (ifNoneMatch === tag || ifNoneMatch === '*') return true;
  return ifNoneMatch.split(',').some((each) => each.trim().replace(/^W\//, '') === tag);
}
