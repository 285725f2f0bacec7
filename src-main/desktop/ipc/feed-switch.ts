import {
  feedMessageSchema,
  type FeedMessage,
  readFeedNumber,
  writeFeedNumber,
} from '../../../src-preload/contract/index.ts';
import type { FeedNews } from './thread-messages.ts';

/** One end of a message channel to a page, such as Electron's `MessagePortMain`. */
export interface PagePort {
  on(event: 'message', listener: (event: { readonly data: unknown }) => void): unknown;
  on(event: 'close', listener: () => void): unknown;
  start(): void;
  postMessage(message: unknown): void;
  close(): void;
}

/** Functions of the server thread that the switch calls. */
interface FeedServer {
  /** Forwards a message of a page. Does nothing while the thread does not run. */
  feed(message: FeedMessage): void;
}

/**
 * Connects the tile feeds of all windows to the server thread. For the thread all windows are one desk, so each feed gets a
 * number that is unique among all windows.
 */
export class FeedSwitch {
  readonly #server: FeedServer;
  readonly #owners = new Map<number, PageFeeds>();
  #next = 0;

  constructor(server: FeedServer) {
    this.#server = server;
  }

  /** Creates the feeds of one window. */
  page(): PageFeeds {
    const page: PageFeeds = new PageFeeds(this.#server, {
      take: () => {
        this.#owners.set(this.#next, page);
        return this.#next++;
      },
      give: (number) => void this.#owners.delete(number),
    });
    return page;
  }

  /** Passes a message of the server thread to the page of its feed. */
  take(news: FeedNews): void {
    const number = news.kind === 'feed' ? news.feed : readFeedNumber(news.bytes);
    if (number !== undefined) this.#owners.get(number)?.take(number, news);
  }
}

/** Source of feed numbers that are unique among all windows. */
interface Numbers {
  take(): number;
  give(number: number): void;
}

/**
 * Feeds of one page. Messages of the page go to the server thread. Frames come back over the port, so they are not copied
 * through the bridge.
 */
export class PageFeeds {
  readonly #server: FeedServer;
  readonly #numbers: Numbers;
  /** Number of a feed for the server, by its number in the page. */
  readonly #numberOf = new Map<number, number>();
  /** Number of a feed in the page, by its number for the server. */
  readonly #feedOf = new Map<number, number>();
  #port: PagePort | undefined;

  constructor(server: FeedServer, numbers: Numbers) {
    this.#server = server;
    this.#numbers = numbers;
  }

  /** Uses a new port, and ends the feeds of the previous port. A page connects again when it is reloaded. */
  connect(port: PagePort): void {
    this.reset();
    this.#port = port;
    port.on('message', ({ data }) => {
      const read = feedMessageSchema.safeParse(data);
      if (read.success && this.#port === port) this.#forward(read.data);
    });
    port.on('close', () => {
      if (this.#port === port) this.reset();
    });
    port.start();
  }

  /**
   * Passes a message of the server thread to the page.
   * @param number number of the feed for the server
   */
  take(number: number, news: FeedNews): void {
    const feed = this.#feedOf.get(number);
    if (feed === undefined) return;
    if (news.kind === 'feed') this.#port?.postMessage(JSON.stringify({ ...news, feed }));
    else {
      writeFeedNumber(news.bytes, feed);
      this.#port?.postMessage(news.bytes);
    }
  }

  /** Ends the feeds, because the page was closed. */
  reset(): void {
    const port = this.#port;
    this.#port = undefined;
    port?.close();
    for (const feed of [...this.#numberOf.keys()]) this.#close(feed);
  }

  #forward(message: FeedMessage): void {
    if (message.kind === 'feed-close') {
      this.#close(message.feed);
      return;
    }
    // A tile that changes its size or its stream opens its feed again with the same number.
    if (message.kind === 'feed-open' && !this.#numberOf.has(message.feed)) {
      const number = this.#numbers.take();
      this.#numberOf.set(message.feed, number);
      this.#feedOf.set(number, message.feed);
    }
    const feed = this.#numberOf.get(message.feed);
    if (feed !== undefined) this.#server.feed({ ...message, feed });
  }

  #close(feed: number): void {
    const number = this.#numberOf.get(feed);
    if (number === undefined) return;
    this.#numberOf.delete(feed);
    this.#feedOf.delete(number);
    this.#numbers.give(number);
    this.#server.feed({ kind: 'feed-close', feed: number });
  }
}
