import type { Explained } from '../../src-preload/contract/explanations/explanations.ts';
import type { Channel } from '../lib/channel/channel.ts';
import type { InputEnd } from '../ingest/input.ts';
import type { AcceptedPublisher, FromMediaThread, ToMediaThread } from './messages.ts';

/** Callbacks for the connection of an encoder. */
export interface HttpPublisherPort {
  /** The engine takes no more bytes. */
  closed(end: InputEnd): void;
  /** The media thread has taken the bytes on their way: more may be pushed. */
  drained(): void;
}

/** Receiver of the bytes of an encoder. */
export interface HttpPublisherFeed {
  /** Returns false if no more may follow before `drained`. Bytes pushed anyway are lost. */
  push(bytes: Uint8Array): boolean;
  end(why: Explained): void;
}

/** Maximum number of bytes of one encoder on their way to its media thread, which may be busy or restarting. */
const CREDIT_BYTES = 1024 * 1024;

/** Passes an encoder that publishes by HTTP to a media thread, at the speed at which the thread takes its bytes. */
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
      // A copy that can be transferred: the bytes are part of the socket's read buffer.
      const own = new Uint8Array(bytes);
      feed.write(own, own.length, [own.buffer]);
      return feed.hasRoom;
    },
    end: (why) => {
      feed.end({ code: 'publish_closed', ...why });
    },
  };
}
