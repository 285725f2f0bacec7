/** The target of a request as path and query: a proxy writes the whole address (RFC 9112 section 3.2.2). @returns undefined for what is neither */
export function originForm(target: string): string | undefined {
  if (target.charCodeAt(0) === 0x2f) return target;
  const path = /^https?:\/\/[^/?#]+(.*)$/is.exec(target)?.[1];
  return path?.startsWith('/') === false ? `/${path}` : path;
}
