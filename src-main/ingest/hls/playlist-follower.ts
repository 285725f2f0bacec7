import { because } from '../../../src-preload/contract/explanations/explanations.ts';
import type { Clock } from '../../lib/clock.ts';
import { nextTurn } from '../../lib/turns.ts';
import type { FormatProblem } from '../../media/access-unit.ts';
import type { MediaPlaylist } from '../../media/manifests/hls/media-playlist.ts';
import type { InputEnd } from '../input.ts';
import type { HttpLoader } from './http-loader.ts';
import { STALE_TARGET_DURATIONS } from './limits.ts';
import type { MediaItem } from './media-item.ts';
import { PlaylistCursor } from './playlist-cursor.ts';
import type { PlaylistChanges } from './playlist-cursor.ts';
import { loadMediaPlaylist } from './playlist-loader.ts';
import type { LoadedPlaylist, PlaylistRequest } from './playlist-loader.ts';
import { distanceFromEnd, isLowLatency } from './start-position.ts';
import type { StartWish } from './start-position.ts';
import type { Wakeable } from '../../lib/timers.ts';

export interface PlaylistFollowerOptions {
  readonly clock: Clock;
  readonly loader: HttpLoader;
  readonly url: URL;
  readonly first?: LoadedPlaylist<MediaPlaylist>;
  readonly imports?: ReadonlyMap<string, string>;
  readonly loop: boolean;
  /** Start position of the leading rendition, for the start of another one; default: none. */
  readonly wish?: () => Promise<StartWish>;
  /** Era of the first item; default 0. */
  readonly firstEra?: () => number;
  readonly pause: Wakeable;
  readonly problem: (problem: FormatProblem) => void;
  /** Duration of the items that were passed on but not opened yet, in milliseconds. */
  readonly aheadMs: () => number;
  /** Called for each version of the playlist after its items were passed on, with `aheadMs`. */
  readonly listed?: (playlist: MediaPlaylist, aheadMs: number) => void;
  /** Called for each version of the playlist before its items are loaded. */
  readonly versioned?: (playlist: MediaPlaylist) => void;
  /** Loads an item; resolves with the reason if the rendition failed. */
  readonly take: (item: MediaItem, base: URL) => Promise<InputEnd | undefined>;
}

/** Minimum time for which a playlist counts as fresh, in milliseconds, even with short segments. */
const MIN_STALE_MS = 6000;
/** Minimum pause before an unchanged playlist is loaded again, in milliseconds. */
const MIN_PAUSE_MS = 100;
/** Minimum length of a window, in target durations, that may be loaded only once per target duration. */
const SAFE_TARGET_DURATIONS = 3;
/** Items after which the thread yields. */
const ITEMS_OF_A_TURN = 64;
/** Failed blocking reloads after which the playlist is polled instead. */
const MAX_BLOCKING_FAULTS = 3;

/** Reloads a media playlist and passes on its new items, until it ends or stalls. */
export class PlaylistFollower {
  /** Era of the last passed item. */
  era = 0;
  /** Start position. */
  readonly started: Promise<StartWish>;
  readonly #options: PlaylistFollowerOptions;
  #setStarted: (wish: StartWish) => void = () => undefined;
  #url: URL;
  /** Number of failed blocking reloads. */
  #blockingFaults = 0;
  /** Time of the last new item. */
  #newsMs = 0;
  #targetMs = 0;

  constructor(options: PlaylistFollowerOptions) {
    this.#options = options;
    this.#url = options.url;
    this.started = new Promise((resolve) => {
      this.#setStarted = resolve;
    });
  }

  /** Resolves with the reason of the end, or when it is closed. */
  async run(): Promise<InputEnd> {
    try {
      return await this.#follow();
    } finally {
      // A caller that waits for the start position must not wait forever.
      this.#setStarted({});
    }
  }

  async #follow(): Promise<InputEnd> {
    const { clock, pause, wish, firstEra } = this.#options;
    const cursor = new PlaylistCursor((await wish?.()) ?? {}, firstEra?.() ?? 0);
    let loaded: LoadedPlaylist<MediaPlaylist> | InputEnd | undefined = this.#options.first;
    let request: PlaylistRequest = this.#plainRequest();
    let startedMs = clock.now();
    this.#newsMs = startedMs;
    while (!pause.isClosed) {
      if (!loaded) {
        startedMs = clock.now();
        loaded = await loadMediaPlaylist(this.#options.loader, request);
      }
      if (pause.isClosed) break;
      let delayMs: number;
      if ('code' in loaded) {
        if (this.#targetMs === 0 || this.#isStale()) return loaded;
        if (request.wait) this.#blockingFaults++;
        delayMs = this.#targetMs / 2;
      } else {
        const { playlist } = loaded;
        this.#targetMs = playlist.targetMs;
        // Relative addresses are resolved against the final address of the playlist. The next load uses the
        // configured address again.
        const news = this.#read(cursor, playlist);
        const end = await this.#handOn(news, loaded.url);
        if (end) return end;
        if (playlist.isEnded) {
          const over = await this.#finish(cursor, loaded);
          if (over) return over;
        }
        delayMs = this.#delay(playlist, news.items.length > 0, request.wait !== undefined);
      }
      if (this.#isStale())
        return {
          code: 'input_stalled',
          ...because('hls_playlist_stands', {
            host: this.#url.host,
            seconds: Math.round((clock.now() - this.#newsMs) / 1000),
          }),
        };
      await pause.sleep(Math.max(0, startedMs + delayMs - clock.now()));
      request = this.#nextRequest('code' in loaded ? undefined : loaded.playlist, cursor);
      loaded = undefined;
    }
    return { code: 'input_ended', ...because('input_closed') };
  }

  #read(cursor: PlaylistCursor, playlist: MediaPlaylist): PlaylistChanges {
    this.#options.versioned?.(playlist);
    const isFirst = cursor.next === undefined;
    const news = cursor.take(playlist);
    const { problem } = this.#options;
    if (news.missed > 0)
      problem({
        code: 'hls_segments_missed',
        ...because('hls_missed', { count: news.missed }),
      });
    if (news.hasRestarted) problem({ code: 'hls_restarted', ...because('hls_restarted') });
    if (isFirst && news.items[0]) this.#setStarted(startOf(playlist, news.items[0]));
    if (news.items.length > 0) this.#newsMs = this.#options.clock.now();
    return news;
  }

  async #handOn(news: PlaylistChanges, base: URL): Promise<InputEnd | undefined> {
    const { take, pause } = this.#options;
    for (const [index, item] of news.items.entries()) {
      // Gaps are passed without any wait.
      if (index % ITEMS_OF_A_TURN === ITEMS_OF_A_TURN - 1) await nextTurn();
      if (pause.isClosed) return undefined;
      this.era = item.era;
      const end = await take(item, base);
      if (end) return end;
      // While items load or wait for room, the playlist is not reloaded: the server is not at fault.
      this.#newsMs = this.#options.clock.now();
    }
    return undefined;
  }

  /** Ends or restarts a recording. */
  async #finish(
    cursor: PlaylistCursor,
    { playlist, url }: LoadedPlaylist<MediaPlaylist>,
  ): Promise<InputEnd | undefined> {
    // A recording without anything to load would restart endlessly.
    const isEmpty = playlist.segments.every(({ durationMs, isGap }) => durationMs === 0 || isGap);
    if (isEmpty) return { code: 'input_no_tracks', ...because('hls_list_empty') };
    while (this.#options.loop && !this.#options.pause.isClosed) {
      const end = await this.#handOn(cursor.rewind(playlist), url);
      if (end) return end;
    }
    return { code: 'input_ended', ...because('list_ended') };
  }

  /** Delay of the next load from the start of the last one (RFC 8216bis 6.3.4). */
  #delay(playlist: MediaPlaylist, hasNews: boolean, wasBlocking: boolean): number {
    this.#options.listed?.(playlist, this.#options.aheadMs());
    if (this.#canBlock(playlist)) {
      if (hasNews || !wasBlocking) return 0;
      return Math.max(MIN_PAUSE_MS, playlist.partTargetMs ?? playlist.targetMs / 2);
    }
    return Math.max(MIN_PAUSE_MS, hasNews ? newsDelayMs(playlist) : playlist.targetMs / 2);
  }

  #canBlock(playlist: MediaPlaylist): boolean {
    return playlist.serverControl.canBlockReload && this.#blockingFaults < MAX_BLOCKING_FAULTS;
  }

  #nextRequest(playlist: MediaPlaylist | undefined, cursor: PlaylistCursor): PlaylistRequest {
    const position = cursor.next;
    if (!playlist || !position || !this.#canBlock(playlist)) return this.#plainRequest();
    const forMs = STALE_TARGET_DURATIONS * playlist.targetMs + MIN_STALE_MS;
    return { ...this.#plainRequest(), wait: { position, withParts: isLowLatency(playlist), forMs } };
  }

  #plainRequest(): PlaylistRequest {
    const { imports } = this.#options;
    return { url: this.#url, ...(imports ? { imports } : {}) };
  }

  #isStale(): boolean {
    return this.#options.clock.now() - this.#newsMs > Math.max(MIN_STALE_MS, STALE_TARGET_DURATIONS * this.#targetMs);
  }
}

/**
 * Delay after a changed playlist: its target duration (RFC 8216bis 6.3.4). In a window of less than three target
 * durations, shorter than a server may offer (6.2.2), segments would leave before the next load, so the delay is half
 * the duration of the newest segment.
 */
function newsDelayMs({ segments, targetMs }: MediaPlaylist): number {
  const listedMs = segments.reduce((sum, { durationMs }) => sum + durationMs, 0);
  const newestMs = segments.at(-1)?.durationMs ?? targetMs;
  return listedMs < SAFE_TARGET_DURATIONS * targetMs ? Math.min(targetMs, newestMs) / 2 : targetMs;
}

function startOf(playlist: MediaPlaylist, first: MediaItem): StartWish {
  const segment = playlist.segments.find(({ msn }) => msn === first.msn);
  const before = segment?.parts.slice(0, first.part ?? 0).reduce((sum, part) => sum + part.durationMs, 0) ?? 0;
  const agoMs = distanceFromEnd(playlist, { msn: first.msn, part: first.part ?? 0 });
  return { agoMs, ...(segment?.startMs === undefined ? {} : { startMs: segment.startMs + before }) };
}
