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

/** Feed functions of the server thread. */
interface FeedServer {
  /** Forwards a message of a page; ignored while the thread is down. */
  feed(message: FeedMessage): void;
}

/**
 * Connects the tile feeds of all windows with the server thread. Each feed gets a new number, because all windows are one desk
 * for the thread.
 */
export class FeedSwitch {
  readonly #server: FeedServer;
  readonly #owners = new Map<number, PageFeeds>();
  #next = 0;

  constructor(server: FeedServer) {
    this.#server = server;
  }

  /** Feeds of the page of one window. */
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

/** Source of feed numbers unique among all windows. */
interface Numbers {
  take(): number;
  give(number: number): void;
}

/**
 * Feeds of one page: its messages go to the server thread, and frames come back directly, without a copy through the
 * bridge.
 */
export class PageFeeds {
  readonly #server: FeedServer;
  readonly #numbers: Numbers;
  /** Server's number of a feed by the page's number. */
  readonly #numberOf = new Map<number, number>();
  readonly #feedOf = new Map<number, number>();
  #port: PagePort | undefined;

  constructor(server: FeedServer, numbers: Numbers) {
    this.#server = server;
    this.#numbers = numbers;
  }

  /** Uses a new port for the feeds: a reloaded page brings another one. */
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
   * @param number server's number of the feed
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
    // An open feed is opened again when its tile changes its size or its stream.
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
