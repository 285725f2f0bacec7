import { AirdeskError } from '../../../src-preload/contract/errors.ts';
import {
  FEED_CREDIT,
  FEEDS_MAX,
  writeFeedHead,
  type FeedHead,
  type FeedMessage,
  type FeedState,
} from '../../../src-preload/contract/feed.ts';
import type { Clock } from '../../lib/clock.ts';
import { every } from '../../lib/timers.ts';
import { LiveFeed, type LiveItem } from '../../packaging/live-feed.ts';
import { bytesInMemory, retainMedia } from '../../segment/media-bytes.ts';
import type { ChangingWindow } from '../../segment/segment-window.ts';

/** Interval of checks for new windows of streams, and for room in the connection of the desk, in milliseconds. */
const CHECK_MS = 500;
/** Maximum size of the media of a frame, in bytes. Larger frames are dropped. */
const MAX_FRAME_BYTES = 4 * 1024 * 1024;

export interface FeedSink {
  /** Whether the desk's connection is full. */
  readonly isFull: boolean;
  state(feed: number, state: FeedState): void;
  /** @param done called when the media is not needed any more */
  frame(head: Uint8Array, media: Uint8Array, done: () => void): void;
}

export interface DeskFeedsOptions {
  readonly clock: Clock;
  /** Live window of a stream in the desk's scope. Raises `stream_not_found` and `forbidden`. */
  readonly window: (name: string) => ChangingWindow;
}

interface Feed {
  readonly name: string;
  readonly window: ChangingWindow;
  readonly live: LiveFeed;
  readonly stop: () => void;
  credit: number;
}

/** Media of the tiles of one desk. It is sent while a tile has credit, and never queued. Streams without a tile cost nothing. */
export class DeskFeeds {
  readonly #options: DeskFeedsOptions;
  readonly #sink: FeedSink;
  readonly #feeds = new Map<number, Feed>();
  #endChecks: (() => void) | undefined;

  constructor(options: DeskFeedsOptions, sink: FeedSink) {
    this.#options = options;
    this.#sink = sink;
  }

  handle(message: FeedMessage): void {
    switch (message.kind) {
      case 'feed-open':
        this.#open(message);
        return;
      case 'feed-credit': {
        const feed = this.#feeds.get(message.feed);
        if (!feed) return;
        feed.credit = Math.min(FEED_CREDIT, feed.credit + message.count);
        this.#pump(message.feed, feed);
        return;
      }
      case 'feed-close':
        this.#end(message.feed);
        return;
      default:
        message satisfies never;
    }
  }

  close(): void {
    for (const id of [...this.#feeds.keys()]) this.#end(id);
  }

  #open({ feed: id, name, width, height }: Extract<FeedMessage, { kind: 'feed-open' }>): void {
    const feed = this.#feeds.get(id);
    if (feed?.name === name) {
      feed.live.resize({ width, height });
      this.#pump(id, feed);
      return;
    }
    this.#end(id);
    try {
      if (this.#feeds.size >= FEEDS_MAX)
        throw new AirdeskError('too_many_calls', `A desk has at most ${FEEDS_MAX} tiles`);
      this.#start(id, name, { width, height }, FEED_CREDIT);
    } catch (cause) {
      const error = cause instanceof AirdeskError ? cause : new AirdeskError('internal');
      this.#sink.state(id, { state: 'refused', error: error.toValue() });
    }
  }

  #start(id: number, name: string, size: Parameters<LiveFeed['resize']>[0], credit: number): void {
    const window = this.#options.window(name);
    const feed: Feed = {
      name,
      window,
      live: new LiveFeed(window, size),
      stop: onAnyChange(window, () => this.#pump(id, feed)),
      credit,
    };
    this.#feeds.set(id, feed);
    this.#endChecks ??= every(this.#options.clock, CHECK_MS, () => this.#check());
    this.#pump(id, feed);
  }

  #end(id: number): void {
    this.#feeds.get(id)?.stop();
    this.#feeds.delete(id);
    if (this.#feeds.size > 0) return;
    this.#endChecks?.();
    this.#endChecks = undefined;
  }

  /** Follows restarted streams, and continues when the connection has room again. */
  #check(): void {
    for (const [id, feed] of this.#feeds) {
      let window: ChangingWindow | undefined;
      try {
        window = this.#options.window(feed.name);
      } catch (cause) {
        this.#end(id);
        const error = cause instanceof AirdeskError ? cause : new AirdeskError('internal');
        this.#sink.state(id, { state: 'refused', error: error.toValue() });
        continue;
      }
      if (window === feed.window) this.#pump(id, feed);
      else {
        feed.stop();
        this.#start(id, feed.name, feed.live.size, feed.credit);
      }
    }
  }

  #pump(id: number, feed: Feed): void {
    while (feed.credit > 0 && !this.#sink.isFull) {
      const item = feed.live.next();
      if (!item) break;
      this.#send(id, feed, item);
    }
  }

  #send(id: number, feed: Feed, item: LiveItem): void {
    if (item.kind === 'begin') {
      this.#sink.state(id, { state: 'begin', tracks: item.mediaTypes });
      return;
    }
    const source = item.kind === 'init' ? item.init : item.part;
    // Live media is always in memory.
    const media = source.sizeBytes <= MAX_FRAME_BYTES ? bytesInMemory(source) : undefined;
    if (!media) return;
    feed.credit--;
    this.#sink.frame(writeFeedHead(headOf(id, item)), media, retainMedia([source]));
  }
}

/** Calls back for changes of a window, and for chunks of its open parts. */
function onAnyChange(window: ChangingWindow, listener: () => void): () => void {
  const stops = [window.onChange(listener), window.chunks?.onChange(listener)];
  return () => {
    for (const stop of stops) stop?.();
  };
}

function headOf(feed: number, item: Exclude<LiveItem, { kind: 'begin' }>): FeedHead {
  const { kind, track } = item;
  return item.kind === 'init'
    ? { kind, feed, track, isIndependent: false, isGap: false, startMs: 0, mediaType: item.mediaType }
    : {
        kind,
        feed,
        track,
        isIndependent: item.part.isIndependent,
        isGap: item.isGap,
        startMs: item.startMs,
        mediaType: '',
      };
}
