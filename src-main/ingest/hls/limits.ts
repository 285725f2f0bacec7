/** Maximum number of redirects of one request. */
export const MAX_REDIRECTS = 5;

/** Maximum silence of a server, before and inside its answer, in milliseconds. */
export const SILENCE_TIMEOUT_MS = 10_000;

/** Maximum time for one playlist, key or init section, in milliseconds; a blocking reload may take longer. */
export const SMALL_DEADLINE_MS = 20_000;

/** Maximum size of an unpacked playlist. */
export const MAX_PLAYLIST_BYTES = 8 << 20;

/** Maximum size of a key server's answer; a key has 16 bytes. */
export const MAX_KEY_BYTES = 4096;

/** Maximum size of an init section. */
export const MAX_INIT_BYTES = 4 << 20;

/** Maximum size of a segment or part. */
export const MAX_SEGMENT_BYTES = 64 << 20;

/** Maximum number of loaded segments and parts of one rendition that wait to be read. */
export const MAX_QUEUED_ITEMS = 6;

/** Bytes of one rendition waiting to be read above which no further segment is loaded. */
export const MAX_QUEUED_BYTES = 32 << 20;

/** Maximum number of cached keys. */
export const MAX_KEYS = 16;

/** Maximum number of stored cookies, and maximum size of each. */
export const MAX_COOKIES = 64;
export const MAX_COOKIE_CHARACTERS = 4096;

/** Attempts per segment. */
export const SEGMENT_ATTEMPTS = 3;

/** Consecutive lost segments after which the input ends. */
export const MAX_LOST_IN_A_ROW = 5;

/** Consecutive segments without an access unit after which the input ends. */
export const MAX_BARREN_IN_A_ROW = 4;

/** Target durations without a new segment after which a live playlist is stale. */
export const STALE_TARGET_DURATIONS = 3;
