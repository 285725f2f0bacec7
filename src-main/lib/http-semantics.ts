/**
 * Reports whether `Accept-Encoding` accepts gzip, by name or by `*`, with a weight above 0 (RFC 9110 section 12.5.3).
 */
export function acceptsGzip(header: string | undefined): boolean {
  let isAnyTaken = false;
  for (const item of header?.split(',') ?? []) {
    const [coding = '', ...parameters] = item.split(';');
    const name = coding.trim().toLowerCase();
    if (name !== 'gzip' && name !== '*') continue;
    const weight = parameters.map((text) => text.trim().toLowerCase()).find((text) => text.startsWith('q='));
    const isTaken = weight === undefined || Number(weight.slice(2)) > 0;
    if (name === 'gzip') return isTaken;
    isAnyTaken = isTaken;
  }
  return isAnyTaken;
}

/**
 * Request target as path and query; a proxy sends the absolute form (RFC 9112 section 3.2.2). Percent-encoded letters,
 * digits and `-._~` in the path are decoded, because they are equivalent (RFC 3986 section 6.2.2.2); the query stays
 * unchanged.
 * @returns undefined for any other form
 */
export function originForm(target: string): string | undefined {
  if (target.charCodeAt(0) === 0x2f) return target.includes('%') ? withPlainPath(target) : target;
  const path = /^https?:\/\/[^/?#]+(.*)$/is.exec(target)?.[1];
  return path === undefined ? undefined : withPlainPath(path.startsWith('/') ? path : `/${path}`);
}

function withPlainPath(target: string): string {
  const end = target.search(/[?#]/);
  const path = end < 0 ? target : target.slice(0, end);
  const plain = path.replace(/%[0-9a-f]{2}/gi, (code) => {
    const character = String.fromCharCode(Number.parseInt(code.slice(1), 16));
    return /[\w.~-]/.test(character) ? character : code;
  });
  return end < 0 ? plain : plain + target.slice(end);
}

/**
 * Content Security Policy (W3C CSP Level 3) for answers that are not pages: loads and runs nothing, and forbids
 * framing.
 */
export const CLOSED_POLICY = "default-src 'none'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'";
