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
import { bytesInMemory, hold } from '../../segment/media-bytes.ts';
import type { ChangingWindow } from '../../segment/segment-window.ts';

/** How often it is looked whether a stream has another window, or a desk has room again, in milliseconds. */
const LOOK_MS = 500;
/** Largest media of a frame; what is larger is left out. */
const FRAME_MAX_BYTES = 4 * 1024 * 1024;

/** Where the feeds of a desk go. */
export interface FeedSink {
  /** Whether so much waits for the desk that nothing is to be added. */
  readonly isFull: boolean;
  state(feed: number, state: FeedState): void;
  /** @param done is called when the media is not needed any more */
  frame(head: Uint8Array, media: Uint8Array, done: () => void): void;
}

/** What feeds are made of. */
export interface DeskFeedsOptions {
  readonly clock: Clock;
  /** The live window of a stream, for a desk that may look at it. Raises `stream_not_found` and `forbidden`. */
  readonly window: (name: string) => ChangingWindow;
  /** Hears of parts that were left out for a desk that is late. */
  readonly skipped: (parts: number) => void;
}

interface Feed {
  readonly name: string;
  readonly window: ChangingWindow;
  readonly live: LiveFeed;
  readonly stop: () => void;
  credit: number;
  skipped: number;
}

/** The media of the tiles of one desk: what each has credit for, and nothing that waits. Streams without a tile cost nothing. */
export class DeskFeeds {
  readonly #options: DeskFeedsOptions;
  readonly #sink: FeedSink;
  readonly #feeds = new Map<number, Feed>();
  #endOfLooks: (() => void) | undefined;

  constructor(options: DeskFeedsOptions, sink: FeedSink) {
    this.#options = options;
    this.#sink = sink;
  }

  /** Takes a message of the desk. */
  take(message: FeedMessage): void {
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
    const known = this.#feeds.get(id);
    if (known?.name === name) {
      known.live.resize({ width, height });
      this.#pump(id, known);
      return;
    }
    this.#end(id);
    try {
      if (this.#feeds.size >= FEEDS_MAX)
        throw new AirdeskError('too_many_calls', `A desk has at most ${FEEDS_MAX} tiles`);
      this.#begin(id, name, { width, height }, FEED_CREDIT);
    } catch (cause) {
      const error = cause instanceof AirdeskError ? cause : new AirdeskError('internal');
      this.#sink.state(id, { state: 'refused', error: error.toValue() });
    }
  }

  #begin(id: number, name: string, size: Parameters<LiveFeed['resize']>[0], credit: number): void {
    const window = this.#options.window(name);
    const feed: Feed = {
      name,
      window,
      live: new LiveFeed(window, size),
      stop: onAnyChange(window, () => this.#pump(id, feed)),
      credit,
      skipped: 0,
    };
    this.#feeds.set(id, feed);
    this.#endOfLooks ??= every(this.#options.clock, LOOK_MS, () => this.#look());
    this.#pump(id, feed);
  }

  #end(id: number): void {
    this.#feeds.get(id)?.stop();
    this.#feeds.delete(id);
    if (this.#feeds.size > 0) return;
    this.#endOfLooks?.();
    this.#endOfLooks = undefined;
  }

  /** Follows streams that were made anew, and goes on where there is room again. */
  #look(): void {
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
        this.#begin(id, feed.name, feed.live.size, feed.credit);
      }
    }
  }

  #pump(id: number, feed: Feed): void {
    while (feed.credit > 0 && !this.#sink.isFull) {
      const item = feed.live.next();
      if (!item) break;
      this.#send(id, feed, item);
    }
    const { skipped } = feed.live;
    if (skipped > feed.skipped) this.#options.skipped(skipped - feed.skipped);
    feed.skipped = skipped;
  }

  #send(id: number, feed: Feed, item: LiveItem): void {
    if (item.kind === 'begin') {
      this.#sink.state(id, { state: 'begin', tracks: item.mediaTypes });
      return;
    }
    const source = item.kind === 'init' ? item.init : item.part;
    // Live media lies in memory.
    const media = source.sizeBytes <= FRAME_MAX_BYTES ? bytesInMemory(source) : undefined;
    if (!media) {
      this.#options.skipped(1);
      return;
    }
    feed.credit--;
    this.#sink.frame(writeFeedHead(headOf(id, item)), media, hold([source]));
  }
}

/** Hears of what a window gets, and of what its open parts get. */
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
