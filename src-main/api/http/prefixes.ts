import type { IncomingMessage } from 'node:http';

export const COLLECTION_PREFIXES = ['/mediaserver/api/v3', '/streamer/api/v3', '/flussonic/api/v3'] as const;

export const NATIVE_PREFIX = '/streamer/api-v4';

export const LEGACY_PREFIXES = ['/mediaserver/api', '/flussonic/api'] as const;

/** Prefix of upload addresses, before the ticket. */
export const UPLOAD_PREFIX = '/-/upload/';

/** Prefix of download addresses of exports, before the ticket. */
export const DOWNLOAD_PREFIX = '/-/download/';

/** Files of VOD locations, in the collection API. */
const VOD_FILE = new RegExp(String.raw`^(?:${COLLECTION_PREFIXES.join('|')})/vods/[^/]+/storages/\d{1,4}/files/`);

/** Whether a request uploads a file, which may take long. */
export function isUpload({ method, url = '' }: Pick<IncomingMessage, 'method' | 'url'>): boolean {
  return method === 'PUT' && (url.startsWith(UPLOAD_PREFIX) || VOD_FILE.test(url));
}
