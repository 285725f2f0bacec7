import { isRestricted } from '../../sessions/access-policy.ts';
import type { Exchange } from '../exchange.ts';

/** Stands in a rendered text where the own query of a viewer belongs. */
export const OWN_QUERY = 'own-query-of-this-viewer';

/** Whether the token of a viewer, or of the desk, has to be part of the addresses sent: players do not carry a query on, and segments are authorized, too. */
export function carriesToken({ connectionSession }: Pick<Exchange, 'connectionSession'>): boolean {
  if (connectionSession.isOfDesk) return true;
  const policy = connectionSession.session?.policy;
  return policy !== undefined && connectionSession.token !== '' && policy.hasTokenInKey && isRestricted(policy);
}

const HOST = /^(?:\[[\da-f:.]+\]|[\w.-]+)(?::\d{1,5})?$/i;

/** The whole address of the folder of a stream, as the client knows it, of what lies in the folder of a track; relative where the client names no host. */
export function streamFolder(exchange: Pick<Exchange, 'path' | 'isEncrypted' | 'header'>): string {
  const host = exchange.header('host') ?? '';
  if (!HOST.test(host)) return '../';
  // A proxy says how it was asked. It counts for this client alone.
  const proto = exchange.header('x-forwarded-proto')?.split(',').at(-1)?.trim().toLowerCase();
  const isEncrypted = exchange.isEncrypted === true || proto === 'https';
  const folder = exchange.path.split('/').slice(0, -2).join('/');
  return `${isEncrypted ? 'https' : 'http'}://${host}${folder}/`;
}

/** A playlist with the mark behind every address in it. */
export function markAddresses(playlist: string): string {
  return playlist.replace(
    /^[^#\n].*$|URI="[^"\n]*(?=")/gm,
    (address) => `${address}${address.includes('?') ? '&' : '?'}${OWN_QUERY}`,
  );
}

/** A query string that may stand in a playlist: in a line, and in quotation marks. */
export function inPlaylist(query: string): string {
  return query.replace(/["<>\s\\^`{|}]/g, encodeURIComponent);
}

/** A query string that may stand in an attribute of XML. */
export function inXml(query: string): string {
  return inPlaylist(query).replaceAll('&', '&amp;').replaceAll("'", '&apos;');
}
