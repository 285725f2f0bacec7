/** How many redirects of one request are followed. */
export const MAX_REDIRECTS = 5;

/** Longest silence of a server, before its answer and inside it, in milliseconds. */
export const SILENCE_TIMEOUT_MS = 10_000;

/** Longest time for one whole playlist, key or init section, in milliseconds; a blocking reload may take longer. */
export const SMALL_DEADLINE_MS = 20_000;

/** Largest playlist, after it was unpacked. */
export const MAX_PLAYLIST_BYTES = 8 << 20;

/** Largest answer of a key server; a key has 16 bytes. */
export const MAX_KEY_BYTES = 4096;

/** Largest init section. */
export const MAX_INIT_BYTES = 4 << 20;

/** Largest segment or part. */
export const MAX_SEGMENT_BYTES = 64 << 20;

/** Segments and parts of one rendition that wait to be read. */
export const MAX_QUEUED_ITEMS = 6;

/** Bytes of one rendition that wait to be read, before another segment is loaded. */
export const MAX_QUEUED_BYTES = 32 << 20;

/** Keys that are kept. */
export const MAX_KEYS = 16;

/** Cookies that are kept, and how long each may be. */
export const MAX_COOKIES = 64;
export const MAX_COOKIE_CHARACTERS = 4096;

/** How often one segment is tried. */
export const SEGMENT_ATTEMPTS = 3;

/** Segments lost in a row after which the input is given up. */
export const MAX_LOST_IN_A_ROW = 5;

/** Segments in a row without an access unit after which the input is given up. */
export const MAX_BARREN_IN_A_ROW = 4;

/** Target durations without a new segment after which a live playlist is stale. */
export const STALE_TARGET_DURATIONS = 3;
