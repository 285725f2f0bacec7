import type { MediaPlaylist } from './media-playlist.ts';
import { parseMultivariant } from './multivariant-playlist.ts';
import type { MultivariantPlaylist } from './multivariant-playlist.ts';
import { parseMedia } from './parse-media-playlist.ts';
import { PlaylistVariables } from './playlist-variables.ts';
import type { VariableOrigins } from './playlist-variables.ts';

/** Characters that one playlist may have. */
export const MOST_PLAYLIST_CHARACTERS = 32 << 20;

const MULTIVARIANT_TAG = /^#EXT-X-(STREAM-INF|MEDIA|I-FRAME-STREAM-INF|SESSION-DATA|SESSION-KEY|CONTENT-STEERING)[:]/m;

/**
 * Parses an HLS playlist of either kind (RFC 8216bis).
 *
 * @returns undefined for a text that is no playlist, or is longer than the limit
 */
export function parsePlaylist(
  text: string,
  origins: VariableOrigins = {},
): MultivariantPlaylist | MediaPlaylist | undefined {
  if (text.length > MOST_PLAYLIST_CHARACTERS) return undefined;
  const lines = text
    .replace(/^\uFEFF/, '')
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
  if (lines[0] !== '#EXTM3U') return undefined;
  const variables = new PlaylistVariables(origins);
  return MULTIVARIANT_TAG.test(text) ? parseMultivariant(lines, variables) : parseMedia(lines, variables);
}
