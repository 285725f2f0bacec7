import type { Explained } from '../../src-preload/contract/explanations/explanations.ts';
import type { Channel } from '../lib/channel/channel.ts';
import type { InputEnd } from '../ingest/input.ts';
import type { AcceptedPublisher, FromMediaThread, ToMediaThread } from './messages.ts';

/** Callbacks for the HTTP connection of an encoder. */
export interface HttpPublisherPort {
  /** Called when the engine accepts no more bytes. */
  closed(end: InputEnd): void;
  /** Called when the media thread has processed bytes, so that more may be pushed. */
  drained(): void;
}

/** Sends the bytes of an encoder to its media thread. */
export interface HttpPublisherFeed {
  /** Pushes bytes. After false, wait for `drained`: bytes that are pushed earlier are lost. */
  push(bytes: Uint8Array): boolean;
  end(why: Explained): void;
}

/** Maximum number of bytes of one encoder in transit to its media thread, which may be busy or restarting. */
const CREDIT_BYTES = 1024 * 1024;

/** Passes the bytes of an HTTP publisher to a media thread, no faster than the thread processes them. */
export function publishByHttp(
  channel: Pick<Channel<ToMediaThread, FromMediaThread>, 'feed'>,
  publisher: AcceptedPublisher,
  port: HttpPublisherPort,
): HttpPublisherFeed {
  const feed = channel.feed('http-publish', publisher, CREDIT_BYTES, {
    room: () => {
      port.drained();
    },
    closed: (end) => {
      port.closed(end);
    },
  });
  return {
    push: (bytes) => {
      // Copied, because the bytes are part of the read buffer of the socket, which cannot be transferred.
      const copy = new Uint8Array(bytes);
      feed.write(copy, copy.length, [copy.buffer]);
      return feed.hasRoom;
    },
    end: (why) => {
      feed.end({ code: 'publish_closed', ...why });
    },
  };
}
