/**
 * Whether a wall may show a page, or the reason against it. `isolated`: a page of the desk's own server, shown with an opaque
 * origin.
 */
type PageAccess = 'shown' | 'isolated' | 'badAddress' | 'notAllowed' | 'onlyInBrowser';

/**
 * Checks the address of a page.
 *
 * @param origins allowed by the configuration
 * @param deskUrl address of the desk: a page of its origin could act as the operator
 */
export function pageAccess(url: string, origins: readonly string[], deskUrl: string): PageAccess {
  if (!URL.canParse(url)) return 'badAddress';
  const { origin, protocol } = new URL(url);
  if (protocol !== 'https:' && protocol !== 'http:') return 'badAddress';
  const desk = new URL(deskUrl);
  if (desk.protocol !== 'https:' && desk.protocol !== 'http:') return 'onlyInBrowser';
  if (!origins.includes(origin)) return 'notAllowed';
  return origin === desk.origin ? 'isolated' : 'shown';
}

/**
 * `sandbox` attribute of the frame; null if the page is not shown. A page of the desk's own server must not keep its origin,
 * because it could act as the operator.
 */
export function sandboxOf(access: PageAccess): string | null {
  if (access !== 'shown' && access !== 'isolated') return null;
  return ['allow-scripts', ...(access === 'shown' ? ['allow-same-origin'] : [])].join(' ');
}
