import type { HlsConfig } from 'hls.js';

/**
 * Address of a request with the query of another address: where the desk got another viewing token, the addresses inside of a playlist that was loaded
 * with the one before still hold that one.
 *
 * @param current address with the query that counts now
 */
export function withFreshQuery(url: string, current: string): string {
  const [wanted, own] = [new URL(current, location.href), new URL(url, location.href)];
  if (wanted.host !== own.host) return url;
  let isStale = false;
  for (const [name, value] of wanted.searchParams) {
    const given = own.searchParams.get(name);
    if (given === null || given === value) continue;
    own.searchParams.set(name, value);
    isStale = true;
  }
  return isStale ? own.href : url;
}

/** Has hls.js send the query that counts at the time of each request, so that a player goes on when it is renewed. */
export function freshQueries(current: () => string): Pick<HlsConfig, 'xhrSetup'> {
  return {
    xhrSetup: (request, url) => {
      request.open('GET', withFreshQuery(url, current()), true);
    },
  };
}
