import type { CopyListener, CopySourcePort } from '../ingest/copy/copy-source-port.ts';
import type { ExternalReaderPort } from '../ingest/external/external-reader-port.ts';
import { messageOf } from '../lib/error-message.ts';
import { viewShared } from '../segment/shared-bytes.ts';
import { release } from '../segment/shared-use.ts';
import type { Channel } from '../lib/channel/channel.ts';
import { countHandled } from './in-flight-parts.ts';
import type { CopyEvent, FromMediaThread, ToMediaThread } from './messages.ts';

/** The server thread, which sees all windows and has the codec processes. */
export type ServerThread = Pick<Channel<FromMediaThread, ToMediaThread>, 'ask' | 'subscribe'>;

/** Most bytes of one copied stream on their way to its media thread; one that does not keep up loses the copy. */
const CREDIT_BYTES = 32 * 1024 * 1024;

/**
 * The copies that a media thread makes of other streams: the server thread sees all windows, so they come from there.
 *
 * @param handled where the parts are counted that were taken
 */
export function copySource(channel: Pick<ServerThread, 'subscribe'>, handled: SharedArrayBuffer): CopySourcePort {
  const letGo = (event: CopyEvent): void => {
    if (event.type !== 'part') return;
    // Before it is let go: a thread that dies in between loses a part, which is better than one let go twice.
    countHandled(handled);
    release(event.bytes);
  };
  return {
    open: (source, follower, listener) => {
      let isClosed = false;
      const feed = channel.subscribe('copy', { source, follower }, CREDIT_BYTES, {
        take: (events) => {
          let left = 0;
          try {
            for (const event of events) {
              if (!isClosed) hand(event, listener);
              letGo(event);
              left++;
            }
          } finally {
            // Whatever becomes of an event, its memory is let go.
            for (const event of events.slice(left)) letGo(event);
          }
        },
        dropped: (events) => {
          for (const event of events) letGo(event);
        },
        ended: (end) => {
          isClosed = true;
          listener.ended(end);
        },
      });
      return {
        close: () => {
          isClosed = true;
          feed.close({ code: 'input_ended', detail: 'The copy was closed.' });
        },
      };
    },
  };
}

/** What codec processes read for the inputs of a media thread. */
export function externalReader(channel: Pick<ServerThread, 'ask'>): ExternalReaderPort {
  return {
    open: (spec) => {
      const abort = new AbortController();
      return {
        ended: channel.ask('read-external', spec, { signal: abort.signal, isEndAwaited: true }).catch(messageOf),
        close: () => {
          abort.abort();
        },
      };
    },
  };
}

function hand(event: CopyEvent, listener: CopyListener): void {
  switch (event.type) {
    case 'tracks':
      listener.tracks(event.tracks);
      return;
    case 'part':
      listener.chunk(event.trackId, viewShared(event.bytes));
      return;
    case 'splice':
      listener.splice(Buffer.from(event.section, 'base64'), event.atMs);
      return;
    case 'idle':
      listener.idle();
      return;
    default:
      event satisfies never;
  }
}
