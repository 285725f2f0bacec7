/** Where the collection API is served: all of them are the same. */
export const COLLECTION_PREFIXES = ['/mediaserver/api/v3', '/streamer/api/v3', '/flussonic/api/v3'] as const;

/** Where the native API is served. */
export const NATIVE_PREFIX = '/streamer/api-v4';

/** Where subscribers are managed. */
export const SUBSCRIBERS_PREFIX = '/tv-management/api/v1';

/** Where the legacy API is served: both are the same. */
export const LEGACY_PREFIXES = ['/mediaserver/api', '/flussonic/api'] as const;

/** What addresses begin with that files are sent to. */
export const UPLOAD_PREFIX = '/-/upload/';

/** What addresses begin with that files of exports are loaded from. */
export const DOWNLOAD_PREFIX = '/-/download/';
