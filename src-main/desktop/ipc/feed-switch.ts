import {
  feedMessageSchema,
  type FeedMessage,
  readFeedNumber,
  writeFeedNumber,
} from '../../../src-preload/contract/index.ts';
import type { FeedNews } from '../thread-messages.ts';

/** One end of a message channel to a page; `MessagePortMain` of Electron is one. */
export interface PagePort {
  on(event: 'message', listener: (event: { readonly data: unknown }) => void): unknown;
  on(event: 'close', listener: () => void): unknown;
  start(): void;
  postMessage(message: unknown): void;
  close(): void;
}

/** The server thread, as far as feeds need it. */
interface FeedServer {
  /** Forwards what a page wants; nothing happens while the thread is not there. */
  feed(message: FeedMessage): void;
}

/** Carries the media of tiles between the pages of all windows and the server thread, which knows one desk: each feed gets a number of its own here. */
export class FeedSwitch {
  readonly #server: FeedServer;
  readonly #owners = new Map<number, PageFeeds>();
  #next = 0;

  constructor(server: FeedServer) {
    this.#server = server;
  }

  /** The feeds of the page of one window. */
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

  /** Hands a page what the server thread says of one of its feeds. */
  take(news: FeedNews): void {
    const number = news.kind === 'feed' ? news.feed : readFeedNumber(news.bytes);
    if (number !== undefined) this.#owners.get(number)?.take(number, news);
  }
}

/** Where numbers of feeds come from that no other window has. */
interface Numbers {
  take(): number;
  give(number: number): void;
}

/** The feeds of one page: what it wants goes to the server thread, and frames come back, which the page gets without a copy by the bridge. */
export class PageFeeds {
  readonly #server: FeedServer;
  readonly #numbers: Numbers;
  /** Number at the server by the number that the page gave a feed. */
  readonly #numberOf = new Map<number, number>();
  readonly #feedOf = new Map<number, number>();
  #port: PagePort | undefined;

  constructor(server: FeedServer, numbers: Numbers) {
    this.#server = server;
    this.#numbers = numbers;
  }

  /** Feeds go over this port from now on: a page that loads anew brings another one. */
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

  /** Hands the page what the server thread says of a feed with this number there. */
  take(number: number, news: FeedNews): void {
    const feed = this.#feedOf.get(number);
    if (feed === undefined) return;
    if (news.kind === 'feed') this.#port?.postMessage(JSON.stringify({ ...news, feed }));
    else {
      writeFeedNumber(news.bytes, feed);
      this.#port?.postMessage(news.bytes);
    }
  }

  /** The page has gone: its feeds end. */
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
    // One that is open already is opened again when its tile changes its size or its stream.
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
