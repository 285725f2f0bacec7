import { because } from '../../../src-preload/contract/explanations/explanations.ts';
import { runInTurns } from '../../lib/turns.ts';
import type { MediaPlaylist } from '../../media/manifests/hls/media-playlist.ts';
import type { MultivariantPlaylist } from '../../media/manifests/hls/multivariant-playlist.ts';
import { parsePlaylistInSteps } from '../../media/manifests/hls/parse-playlist.ts';
import type { InputEnd } from '../input.ts';
import type { HttpLoader } from './http-loader.ts';
import { MAX_PLAYLIST_BYTES, SMALL_DEADLINE_MS } from './limits.ts';
import type { Position } from './start-position.ts';

/** Playlist, and the base of its relative addresses. */
export interface LoadedPlaylist<Kind = MultivariantPlaylist | MediaPlaylist> {
  readonly playlist: Kind;
  readonly url: URL;
}

/** Request for a playlist. */
export interface PlaylistRequest {
  readonly url: URL;
  /** Variables of the multivariant playlist. */
  readonly imports?: ReadonlyMap<string, string>;
  /** Position that the server should wait for (blocking reload, RFC 8216bis 6.2.5.2), and the maximum wait. */
  readonly wait?: { readonly position: Position; readonly withParts: boolean; readonly forMs: number };
}

/** Fetches and parses a playlist of either kind. */
export async function loadPlaylist(loader: HttpLoader, request: PlaylistRequest): Promise<LoadedPlaylist | InputEnd> {
  const { wait } = request;
  const url = new URL(request.url);
  if (wait) {
    // Appended as text: rewriting the whole query could break the signature of a token in it.
    const part = wait.withParts ? `&_HLS_part=${wait.position.part}` : '';
    url.search = `${url.search}${url.search === '' ? '?' : '&'}_HLS_msn=${wait.position.msn}${part}`;
  }
  const patience = wait
    ? { silenceMs: wait.forMs, deadlineMs: wait.forMs + SMALL_DEADLINE_MS }
    : { deadlineMs: SMALL_DEADLINE_MS };
  const result = await loader.load({ url, maxBytes: MAX_PLAYLIST_BYTES, isText: true, ...patience });
  if ('failure' in result) return result.failure;
  const imports = request.imports ? { imports: request.imports } : {};
  const origins = { query: result.url.searchParams, ...imports };
  const playlist = await runInTurns(parsePlaylistInSteps(result.bytes.toString('utf8'), origins));
  if (playlist) return { playlist, url: result.url };
  return {
    code: 'hls_bad_playlist',
    ...because('hls_no_playlist', { path: result.url.pathname, host: result.url.host }),
  };
}

/** Fetches a media playlist; a multivariant playlist is an error. */
export async function loadMediaPlaylist(
  loader: HttpLoader,
  request: PlaylistRequest,
): Promise<LoadedPlaylist<MediaPlaylist> | InputEnd> {
  const loaded = await loadPlaylist(loader, request);
  if ('code' in loaded) return loaded;
  const { playlist, url } = loaded;
  if (playlist.kind === 'media') return { playlist, url };
  return { code: 'hls_bad_playlist', ...because('hls_variants_again', { path: url.pathname }) };
}
