import { XhrLoader } from 'hls.js';
import type {
  HlsConfig,
  Loader,
  LoaderCallbacks,
  LoaderConfiguration,
  LoaderStats,
  PlaylistLoaderContext,
} from 'hls.js';
import { hasReached, playlistProgress } from './playlist-progress.ts';

/**
 * How many blocking reloads the desk keeps open at the same time. A browser opens at most six connections to one host,
 * and a wall of sixteen tiles would hold thirty-two: media would wait behind playlists.
 */
const MAX_HELD = 4;
/** A blocking reload that waits longer than this is answered with what there is. */
const MAX_WAIT_MS = 6_000;
const POLL_MS = 120;

type Callbacks = LoaderCallbacks<PlaylistLoaderContext>;

/** What a blocking reload would have waited for. */
interface Wanted {
  readonly msn: number;
  readonly part: number | undefined;
  /** The playlist, for the times at which it grows. */
  readonly key: string;
  readonly untilMs: number;
}

/** Blocking reloads that are open now, of all players of the page. */
const held = new Set<object>();
/** When each playlist last grew: lets the next poll come when there is something to see. */
const grownAtMs = new Map<string, number>();

/**
 * Playlist loader of low-latency HLS that shares few connections among many players. While places are free it blocks as
 * the protocol has it; beyond that it asks without `_HLS_msn` and `_HLS_part`, at the times when parts are due, until the
 * playlist has what was asked for. To hls.js both look the same.
 */
export class PacedPlaylistLoader implements Loader<PlaylistLoaderContext> {
  context: PlaylistLoaderContext | null = null;
  readonly #config: HlsConfig;
  #inner: XhrLoader;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #isDone = false;

  constructor(config: HlsConfig) {
    this.#config = config;
    this.#inner = new XhrLoader(config);
  }

  get stats(): LoaderStats {
    return this.#inner.stats;
  }

  load(context: PlaylistLoaderContext, config: LoaderConfiguration, callbacks: Callbacks): void {
    this.context = context;
    const directives = context.deliveryDirectives;
    if (directives?.msn === undefined || held.size < MAX_HELD) {
      if (directives?.msn !== undefined) held.add(this);
      this.#request(context, context.url, config, callbacks, null);
      return;
    }
    const url = withoutBlocking(context.url);
    const wanted: Wanted = {
      msn: directives.msn,
      part: directives.part,
      key: url.pathname,
      untilMs: performance.now() + MAX_WAIT_MS,
    };
    this.#timer = setTimeout(
      () => this.#request(context, url.href, config, callbacks, wanted),
      firstWaitMs(url.pathname, this.#partTargetMs(context)),
    );
  }

  abort(): void {
    this.#end();
    this.#inner.abort();
  }

  destroy(): void {
    this.#end();
    this.#inner.destroy();
    this.context = null;
  }

  getCacheAge(): number | null {
    return this.#inner.getCacheAge();
  }

  getResponseHeader(name: string): string | null {
    return this.#inner.getResponseHeader(name);
  }

  #partTargetMs(context: PlaylistLoaderContext): number {
    return (context.levelDetails?.partTarget ?? 0) * 1000;
  }

  #request(
    context: PlaylistLoaderContext,
    url: string,
    config: LoaderConfiguration,
    callbacks: Callbacks,
    wanted: Wanted | null,
  ): void {
    if (this.#isDone) return;
    this.#inner.load({ ...context, url }, config, {
      onSuccess: (response, stats, _, details) => {
        if (wanted && isTooEarly(response.data, wanted)) {
          this.#inner = new XhrLoader(this.#config);
          this.#timer = setTimeout(() => this.#request(context, url, config, callbacks, wanted), POLL_MS);
          return;
        }
        if (wanted) grownAtMs.set(wanted.key, performance.now());
        held.delete(this);
        callbacks.onSuccess(response, stats, context, details);
      },
      onError: (error, _, details, stats) => {
        held.delete(this);
        callbacks.onError(error, context, details, stats);
      },
      onTimeout: (stats, _, details) => {
        held.delete(this);
        callbacks.onTimeout(stats, context, details);
      },
    });
  }

  #end(): void {
    this.#isDone = true;
    clearTimeout(this.#timer);
    held.delete(this);
  }
}

function isTooEarly(data: unknown, wanted: Wanted): boolean {
  if (typeof data !== 'string' || performance.now() > wanted.untilMs) return false;
  return !hasReached(playlistProgress(data), wanted.msn, wanted.part);
}

function withoutBlocking(address: string): URL {
  const url = new URL(address, location.href);
  url.searchParams.delete('_HLS_msn');
  url.searchParams.delete('_HLS_part');
  return url;
}

function firstWaitMs(key: string, partTargetMs: number): number {
  const grown = grownAtMs.get(key);
  if (grown === undefined || partTargetMs <= 0) return 0;
  return Math.min(partTargetMs, Math.max(0, grown + partTargetMs - 50 - performance.now()));
}
