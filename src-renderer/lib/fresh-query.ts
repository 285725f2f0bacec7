import type { HlsConfig } from 'hls.js';

/**
 * Replaces the query of a request by the current one. After a renewal of the viewing token, addresses inside a loaded playlist
 * still contain the old token.
 *
 * @param current address with the current query
 */
export function withFreshQuery(url: string, current: string): string {
  const [currentUrl, ownUrl] = [new URL(current, location.href), new URL(url, location.href)];
  if (currentUrl.host !== ownUrl.host) return url;
  let isStale = false;
  for (const [name, value] of currentUrl.searchParams) {
    const ownValue = ownUrl.searchParams.get(name);
    if (ownValue === null || ownValue === value) continue;
    ownUrl.searchParams.set(name, value);
    isStale = true;
  }
  return isStale ? ownUrl.href : url;
}

/** Configures hls.js to send the current query with each request, so that a player continues after a renewal of its token. */
export function freshQueries(current: () => string): Pick<HlsConfig, 'xhrSetup'> {
  return {
    xhrSetup: (request, url) => {
      request.open('GET', withFreshQuery(url, current()), true);
    },
  };
}
