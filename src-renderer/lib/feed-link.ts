import { FEED_CREDIT, readFeedFrame } from '../../src-preload/contract/index.ts';
import type { FeedFrame, FeedMessage, FeedState } from '../../src-preload/contract/index.ts';

/** Request for a feed: a stream, and the size of its tile in screen pixels. */
export interface FeedRequest {
  readonly name: string;
  readonly width: number;
  readonly height: number;
}

/** Receiver of the media of a feed. */
export interface FeedListener {
  state(state: FeedState): void;
  /** @param taken must be called when the bytes of the frame are no longer needed */
  frame(frame: FeedFrame, taken: () => void): void;
}

/** Open feed. */
export interface FeedHandle {
  /** Reports a new size of the tile. */
  resize(width: number, height: number): void;
  close(): void;
}

/** Media of tiles, pushed over the connection of the desk. */
export interface FeedLink {
  /** Opens a feed, and opens it again after each lost connection until it is closed. */
  open(request: FeedRequest, listener: FeedListener): FeedHandle;
}

/**
 * Number of frames acknowledged together: so large that few messages are sent, and so small that the server never waits for
 * them.
 */
const ACK_BATCH = FEED_CREDIT / 4;

interface Feed {
  request: FeedRequest;
  readonly listener: FeedListener;
  taken: number;
  /** Increases with each opening; frames of earlier rounds are not acknowledged. */
  round: number;
}

/** Keeps the feeds of a desk open over a transport: reopens them with each connection, and returns credit. */
export class FeedBoard implements FeedLink {
  readonly #send: (message: FeedMessage) => void;
  readonly #feeds = new Map<number, Feed>();
  #nextId = 1;

  /** @param send sends a message to the server; does nothing without a connection */
  constructor(send: (message: FeedMessage) => void) {
    this.#send = send;
  }

  open(request: FeedRequest, listener: FeedListener): FeedHandle {
    const id = this.#nextId++;
    const feed: Feed = { request, listener, taken: 0, round: 0 };
    this.#feeds.set(id, feed);
    this.#sendOpen(id, feed);
    return {
      resize: (width, height) => {
        if (!this.#feeds.has(id) || (feed.request.width === width && feed.request.height === height)) return;
        feed.request = { ...feed.request, width, height };
        this.#sendOpen(id, feed);
      },
      close: () => {
        if (this.#feeds.delete(id)) this.#send({ kind: 'feed-close', feed: id });
      },
    };
  }

  /** Opens all feeds again on a new connection. */
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

  /** Handles a binary message. */
  frame(bytes: ArrayBuffer): void {
    const frame = readFeedFrame(bytes);
    const feed = frame && this.#feeds.get(frame.feed);
    if (!feed) return;
    const { round } = feed;
    feed.listener.frame(frame, () => {
      if (round !== feed.round || ++feed.taken < ACK_BATCH || !this.#feeds.has(frame.feed)) return;
      this.#send({ kind: 'feed-credit', feed: frame.feed, count: feed.taken });
      feed.taken = 0;
    });
  }

  #sendOpen(id: number, { request }: Feed): void {
    this.#send({ kind: 'feed-open', feed: id, ...request });
  }
}
