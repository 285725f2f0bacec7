import { runAtOnce } from '../../../lib/turns.ts';
import type { MediaPlaylist } from './media-playlist.ts';
import { parseMultivariant } from './multivariant-playlist.ts';
import type { MultivariantPlaylist } from './multivariant-playlist.ts';
import { parseMedia } from './parse-media-playlist.ts';
import { playlistLines } from './playlist-lines.ts';
import { PlaylistVariables } from './playlist-variables.ts';
import type { VariableOrigins } from './playlist-variables.ts';

const MULTIVARIANT_TAG = /^#EXT-X-(STREAM-INF|MEDIA|I-FRAME-STREAM-INF|SESSION-DATA|SESSION-KEY|CONTENT-STEERING):/;

/** Parses an HLS playlist of either kind (RFC 8216bis); undefined if the text is no playlist. */
export function parsePlaylist(
  text: string,
  origins: VariableOrigins = {},
): MultivariantPlaylist | MediaPlaylist | undefined {
  return runAtOnce(parsePlaylistInSteps(text, origins));
}

/**
 * Parses an HLS playlist step by step, so that the thread can do other work. The caller bounds the size of the text; lines,
 * segments and replaced variables are bounded here.
 */
export function* parsePlaylistInSteps(
  text: string,
  origins: VariableOrigins = {},
): Generator<void, MultivariantPlaylist | MediaPlaylist | undefined> {
  const lines = yield* playlistLines(text);
  if (lines[0] !== '#EXTM3U') return undefined;
  const variables = new PlaylistVariables(origins);
  const isMultivariant = lines.some((line) => line.startsWith('#EXT-X-') && MULTIVARIANT_TAG.test(line));
  return yield* isMultivariant ? parseMultivariant(lines, variables) : parseMedia(lines, variables);
}
