import { FEED_CREDIT, readFeedFrame } from '../../src-preload/contract/index.ts';
import type { FeedFrame, FeedMessage, FeedState } from '../../src-preload/contract/index.ts';

/** What a feed is opened for: a stream, and the size of its tile in pixels of the screen. */
export interface FeedWish {
  readonly name: string;
  readonly width: number;
  readonly height: number;
}

/** Receives what comes of a feed. */
export interface FeedListener {
  state(state: FeedState): void;
  /** @param taken to be called once the media needs no room any more */
  frame(frame: FeedFrame, taken: () => void): void;
}

/** A feed that is open. */
export interface FeedHandle {
  /** The tile has another size. */
  resize(width: number, height: number): void;
  close(): void;
}

/** The media of tiles, pushed over the connection of the desk. */
export interface FeedLink {
  /** Opens a feed for as long as it is not closed, over every loss of the connection. */
  open(wish: FeedWish, listener: FeedListener): FeedHandle;
}

/** Frames that are given back together: few messages, and the server never waits for them. */
const GIVE_BACK = FEED_CREDIT / 4;

interface Feed {
  wish: FeedWish;
  readonly listener: FeedListener;
  taken: number;
  /** Rises with every opening: what was on its way before is given back to nobody. */
  round: number;
}

/** Keeps the feeds of a desk over a transport: opens them anew with each connection, and gives credit back. */
export class FeedBoard implements FeedLink {
  readonly #send: (message: FeedMessage) => void;
  readonly #feeds = new Map<number, Feed>();
  #nextId = 1;

  /** @param send carries a message to the server; nothing happens while there is no connection */
  constructor(send: (message: FeedMessage) => void) {
    this.#send = send;
  }

  open(wish: FeedWish, listener: FeedListener): FeedHandle {
    const id = this.#nextId++;
    const feed: Feed = { wish, listener, taken: 0, round: 0 };
    this.#feeds.set(id, feed);
    this.#sendOpen(id, feed);
    return {
      resize: (width, height) => {
        if (!this.#feeds.has(id) || (feed.wish.width === width && feed.wish.height === height)) return;
        feed.wish = { ...feed.wish, width, height };
        this.#sendOpen(id, feed);
      },
      close: () => {
        if (this.#feeds.delete(id)) this.#send({ kind: 'feed-close', feed: id });
      },
    };
  }

  /** A new connection is there. */
  connected(): void {
    for (const [id, feed] of this.#feeds) {
      feed.taken = 0;
      feed.round++;
      this.#sendOpen(id, feed);
    }
  }

  state(id: number, state: FeedState): void {
    this.#feeds.get(id)?.listener.state(state);
  }

  /** Takes a binary message. */
  frame(bytes: ArrayBuffer): void {
    const frame = readFeedFrame(bytes);
    const feed = frame && this.#feeds.get(frame.feed);
    if (!feed) return;
    const { round } = feed;
    feed.listener.frame(frame, () => {
      if (round !== feed.round || ++feed.taken < GIVE_BACK || !this.#feeds.has(frame.feed)) return;
      this.#send({ kind: 'feed-credit', feed: frame.feed, count: feed.taken });
      feed.taken = 0;
    });
  }

  #sendOpen(id: number, { wish }: Feed): void {
    this.#send({ kind: 'feed-open', feed: id, ...wish });
  }
}
