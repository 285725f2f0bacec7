import type { Channel } from '../lib/channel/channel.ts';
import type { AcceptedPublisher, FromMediaThread, ToMediaThread } from './messages.ts';

/** What the connection of an encoder hears. */
export interface HttpPublisherPort {
  /** The engine wants no more. */
  closed(code: string, detail: string): void;
  /** The media thread has taken what was under way: more may be pushed. */
  drained(): void;
}

/** Where the bytes of an encoder go. */
export interface HttpPublisherFeed {
  /** Returns whether more may follow before `drained`. Bytes that follow all the same are lost. */
  push(bytes: Uint8Array): boolean;
  end(detail: string): void;
}

/** Most bytes of one encoder on their way to its media thread, which may be busy, or not there for a moment. */
const CREDIT_BYTES = 1024 * 1024;

/** Has a media thread take an encoder that publishes by HTTP, as fast as it takes what the encoder sends. */
export function publishByHttp(
  channel: Pick<Channel<ToMediaThread, FromMediaThread>, 'feed'>,
  publisher: AcceptedPublisher,
  port: HttpPublisherPort,
): HttpPublisherFeed {
  const feed = channel.feed('http-publish', publisher, CREDIT_BYTES, {
    room: () => {
      port.drained();
    },
    closed: ({ code, detail }) => {
      port.closed(code, detail);
    },
  });
  return {
    push: (bytes) => {
      // Memory of its own, which is handed over; they are a piece of what the socket reads into.
      const own = new Uint8Array(bytes);
      feed.write(own, own.length, [own.buffer]);
      return feed.hasRoom;
    },
    end: (detail) => {
      feed.end({ code: 'publish_closed', detail });
    },
  };
}
