/** Whether the value of `Accept-Encoding` has gzip, by name or by `*`, and does not refuse it with a weight of 0 (RFC 9110 section 12.5.3). */
export function takesGzip(header: string | undefined): boolean {
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

/** The target of a request as path and query: a proxy writes the whole address (RFC 9112 section 3.2.2). @returns undefined for what is neither */
export function originForm(target: string): string | undefined {
  if (target.charCodeAt(0) === 0x2f) return target;
  const path = /^https?:\/\/[^/?#]+(.*)$/is.exec(target)?.[1];
  return path?.startsWith('/') === false ? `/${path}` : path;
}

/** Content Security Policy (W3C CSP Level 3) of answers that are no page: nothing in them is loaded or run, and no page frames them. */
export const CLOSED_POLICY = "default-src 'none'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'";
