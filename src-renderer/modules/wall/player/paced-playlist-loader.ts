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
 * Maximum number of open blocking reloads of the desk. A browser opens at most six connections per host. Sixteen tiles
 * with two playlists each would occupy all of them, and media would have to wait.
 */
const MAX_OPEN_RELOADS = 4;
/** Maximum wait of a blocking reload, in milliseconds; after that the server returns the current playlist. */
const MAX_WAIT_MS = 6_000;
const POLL_MS = 120;

type Callbacks = LoaderCallbacks<PlaylistLoaderContext>;

/** Target of a blocking reload. */
interface ReloadTarget {
  readonly msn: number;
  readonly part: number | undefined;
  /** Key of the playlist in `grownAtMs`. */
  readonly key: string;
  readonly untilMs: number;
}

/** Open blocking reloads of all players of the page. */
const openReloads = new Set<object>();
/** Time of the last growth by playlist, to schedule the next poll for the next part. */
const grownAtMs = new Map<string, number>();

/**
 * Playlist loader of low-latency HLS that shares few connections among many players. With a free slot it sends a blocking reload.
 * Otherwise it polls without `_HLS_msn` and `_HLS_part` when parts are due, until the playlist contains the requested part.
 * hls.js sees no difference.
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
    if (directives?.msn === undefined || openReloads.size < MAX_OPEN_RELOADS) {
      if (directives?.msn !== undefined) openReloads.add(this);
      this.#request(context, context.url, config, callbacks, null);
      return;
    }
    const url = withoutBlocking(context.url);
    const target: ReloadTarget = {
      msn: directives.msn,
      part: directives.part,
      key: url.pathname,
      untilMs: performance.now() + MAX_WAIT_MS,
    };
    this.#timer = setTimeout(
      () => this.#request(context, url.href, config, callbacks, target),
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
    target: ReloadTarget | null,
  ): void {
    if (this.#isDone) return;
    this.#inner.load({ ...context, url }, config, {
      onSuccess: (response, stats, _, details) => {
        if (target && isTooEarly(response.data, target)) {
          this.#inner = new XhrLoader(this.#config);
          this.#timer = setTimeout(() => this.#request(context, url, config, callbacks, target), POLL_MS);
          return;
        }
        if (target) grownAtMs.set(target.key, performance.now());
        openReloads.delete(this);
        callbacks.onSuccess(response, stats, context, details);
      },
      onError: (error, _, details, stats) => {
        openReloads.delete(this);
        callbacks.onError(error, context, details, stats);
      },
      onTimeout: (stats, _, details) => {
        openReloads.delete(this);
        callbacks.onTimeout(stats, context, details);
      },
    });
  }

  #end(): void {
    this.#isDone = true;
    clearTimeout(this.#timer);
    openReloads.delete(this);
  }
}

function isTooEarly(data: unknown, target: ReloadTarget): boolean {
  if (typeof data !== 'string' || performance.now() > target.untilMs) return false;
  return !hasReached(playlistProgress(data), target.msn, target.part);
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
