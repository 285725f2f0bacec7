/** One entry of a playlist. */
export interface PlaylistEntry {
  /** Path of the file as written in the playlist. */
  readonly path: string;
  /** Duration in milliseconds stated by `#EXTINF`. */
  readonly durationMs?: number;
}

/** Maximum size of a playlist. */
export const MAX_PLAYLIST_BYTES = 1 << 20;
const MAX_ENTRIES = 10_000;

/**
 * Parses a playlist: one file per line; blank lines and lines that start with `#` are ignored. `#EXTINF:12.5,title` of M3U files
 * states the duration of the next entry.
 */
export function parsePlaylist(text: string): PlaylistEntry[] {
  const entries: PlaylistEntry[] = [];
  let durationMs: number | undefined;
  for (const line of text.replace(/^\uFEFF/, '').split(/\r\n|\n|\r/)) {
    const content = line.trim();
    if (content.startsWith('#')) {
      const seconds = Number(/^#EXTINF:\s*([0-9.]+)/.exec(content)?.[1]);
      if (seconds > 0 && seconds < 1e7) durationMs = Math.round(seconds * 1000);
      continue;
    }
    if (content === '' || entries.length >= MAX_ENTRIES) continue;
    entries.push({ path: content.replace(/^file:\/\//, ''), ...(durationMs === undefined ? {} : { durationMs }) });
    durationMs = undefined;
  }
  return entries;
}

/**
 * Index of the entry to play next, after `current` was played at `index` and the list may have changed. It is the
 * entry after the new position of `current`, or the entry in the place of a removed `current`.
 * @returns the length of the list after its last entry
 */
export function nextIndex(entries: readonly PlaylistEntry[], index: number, current: string): number {
  if (entries[index]?.path === current) return index + 1;
  const places = entries.flatMap((entry, at) => (entry.path === current ? [at] : []));
  const nearest = places.sort((a, b) => Math.abs(a - index) - Math.abs(b - index))[0];
  return nearest === undefined ? Math.min(index, entries.length) : nearest + 1;
}
