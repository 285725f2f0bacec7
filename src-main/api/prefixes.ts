import type { IncomingMessage } from 'node:http';

/** Where the collection API is served: all of them are the same. */
export const COLLECTION_PREFIXES = ['/mediaserver/api/v3', '/streamer/api/v3', '/flussonic/api/v3'] as const;

/** Where the native API is served. */
export const NATIVE_PREFIX = '/streamer/api-v4';

/** Where the legacy API is served: both are the same. */
export const LEGACY_PREFIXES = ['/mediaserver/api', '/flussonic/api'] as const;

/** What addresses begin with that files are sent to under a ticket. */
export const UPLOAD_PREFIX = '/-/upload/';

/** What addresses begin with that files of exports are loaded from. */
export const DOWNLOAD_PREFIX = '/-/download/';

/** Files of VOD locations, in the collection API. */
const VOD_FILE = new RegExp(String.raw`^(?:${COLLECTION_PREFIXES.join('|')})/vods/[^/]+/storages/\d{1,4}/files/`);

/** Whether a request sends a file, which may take long. */
export function isUpload({ method, url = '' }: Pick<IncomingMessage, 'method' | 'url'>): boolean {
  return method === 'PUT' && (url.startsWith(UPLOAD_PREFIX) || VOD_FILE.test(url));
}
