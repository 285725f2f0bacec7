/** Whether a page may be shown on a wall, and why not; `apart` is one of the desk's own server, which is shown as if it were of another one. */
type WebVerdict = 'shown' | 'apart' | 'badAddress' | 'notAllowed' | 'onlyInBrowser';

/**
 * Judges the address of a page.
 *
 * @param origins those that the configuration allows
 * @param deskUrl address of the desk: a page of its own origin could act as the operator
 */
export function judgePage(url: string, origins: readonly string[], deskUrl: string): WebVerdict {
  if (!URL.canParse(url)) return 'badAddress';
  const { origin, protocol } = new URL(url);
  if (protocol !== 'https:' && protocol !== 'http:') return 'badAddress';
  const desk = new URL(deskUrl);
  if (desk.protocol !== 'https:' && desk.protocol !== 'http:') return 'onlyInBrowser';
  if (!origins.includes(origin)) return 'notAllowed';
  return origin === desk.origin ? 'apart' : 'shown';
}

/** What the frame of a page lets it do (the `sandbox` of HTML); null where it is not shown. One of the desk's own server with its origin could act as the operator. */
export function sandboxOf(verdict: WebVerdict): string | null {
  if (verdict !== 'shown' && verdict !== 'apart') return null;
  return ['allow-scripts', ...(verdict === 'shown' ? ['allow-same-origin'] : [])].join(' ');
}
