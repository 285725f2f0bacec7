/** Whether a page may be shown on a wall, and why not. */
export type WebVerdict = 'shown' | 'badAddress' | 'notAllowed' | 'onlyInBrowser';

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
  return origin !== desk.origin && origins.includes(origin) ? 'shown' : 'notAllowed';
}
