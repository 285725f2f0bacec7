import { isRestricted } from '../../sessions/access-policy.ts';
import type { Exchange } from '../exchange.ts';

/** Placeholder in a rendered text for the query of the viewer. */
export const VIEWER_QUERY = 'own-query-of-this-viewer';

/**
 * Reports whether the addresses in a reply must contain the token of the viewer or of the desk: players do not pass a
 * query on, and segments need authorization too.
 */
export function carriesToken({ connectionSession }: Pick<Exchange, 'connectionSession'>): boolean {
  if (connectionSession.isOfDesk) return true;
  const policy = connectionSession.session?.policy;
  return policy !== undefined && connectionSession.token !== '' && policy.hasTokenInKey && isRestricted(policy);
}

const HOST = /^(?:\[[\da-f:.]+\]|[\w.-]+)(?::\d{1,5})?$/i;

/**
 * Absolute address of the folder of a stream for the client, for a request in the folder of a track; relative if the client sends no
 * valid `Host`.
 */
export function streamFolder(exchange: Pick<Exchange, 'path' | 'isEncrypted' | 'header'>): string {
  const host = exchange.header('host') ?? '';
  if (!HOST.test(host)) return '../';
  // The scheme of a proxied request is in this header, which affects only this client.
  const proto = exchange.header('x-forwarded-proto')?.split(',').at(-1)?.trim().toLowerCase();
  const isEncrypted = exchange.isEncrypted === true || proto === 'https';
  const folder = exchange.path.split('/').slice(0, -2).join('/');
  return `${isEncrypted ? 'https' : 'http'}://${host}${folder}/`;
}

/** Adds the placeholder `VIEWER_QUERY` to the query of every address of a playlist. */
export function addViewerQuery(playlist: string): string {
  return playlist.replace(
    /^[^#\n].*$|URI="[^"\n]*(?=")/gm,
    (address) => `${address}${address.includes('?') ? '&' : '?'}${VIEWER_QUERY}`,
  );
}

/** Escapes a query string for a playlist: for a line and for quotation marks. */
export function inPlaylist(query: string): string {
  return query.replace(/["<>\s\\^`{|}]/g, encodeURIComponent);
}

/** Escapes a query string for an XML attribute. */
export function inXml(query: string): string {
  return inPlaylist(query).replaceAll('&', '&amp;').replaceAll("'", '&apos;');
}
