import { feedMessageSchema, type FeedMessage } from '../../../src-preload/contract/index.ts';
import type { FeedNews } from '../thread-messages.ts';

/** One end of a message channel to the page; `MessagePortMain` of Electron is one. */
export interface PagePort {
  on(event: 'message', listener: (event: { readonly data: unknown }) => void): unknown;
  on(event: 'close', listener: () => void): unknown;
  start(): void;
  postMessage(message: unknown): void;
  close(): void;
}

/** The server thread, as far as feeds need it. */
interface FeedServer {
  /** Forwards what the page wants; nothing happens while the thread is not there. */
  feed(message: FeedMessage): void;
  /** Ends all feeds. */
  endFeeds(): void;
}

/**
 * Carries the media of the tiles of the window: what the page asks for to the server thread, and frames back, which the page gets without a copy by the
 * bridge. There is one page, so the newest port is the one that counts.
 */
export class FeedRelay {
  readonly #server: FeedServer;
  #port: PagePort | undefined;

  constructor(server: FeedServer) {
    this.#server = server;
  }

  /** Feeds go over this port from now on. */
  connect(port: PagePort): void {
    this.reset();
    this.#port = port;
    port.on('message', ({ data }) => {
      const read = feedMessageSchema.safeParse(data);
      if (read.success && this.#port === port) this.#server.feed(read.data);
    });
    port.on('close', () => {
      if (this.#port === port) this.reset();
    });
    port.start();
  }

  /** Hands the page what the server thread says of its feeds. */
  take(message: FeedNews): void {
    this.#port?.postMessage(message.kind === 'feed-frame' ? message.bytes : JSON.stringify(message));
  }

  /** The page has gone: its feeds end. */
  reset(): void {
    const port = this.#port;
    this.#port = undefined;
    if (!port) return;
    port.close();
    this.#server.endFeeds();
  }
}
