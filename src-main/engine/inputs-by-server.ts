import { because } from '../../src-preload/contract/explanations/explanations.ts';
import type { CopyListener, CopySourcePort } from '../ingest/copy/copy-source-port.ts';
import type { ExternalReaderPort } from '../ingest/external/external-reader-port.ts';
import { messageOf } from '../lib/error-message.ts';
import { viewShared } from '../segment/shared-bytes.ts';
import { release } from '../segment/shared-use.ts';
import type { Channel } from '../lib/channel/channel.ts';
import { countHandled } from './in-flight-parts.ts';
import type { CopyEvent, FromMediaThread, ToMediaThread } from './messages.ts';

/** Channel to the server thread, which has the windows of all streams and starts codec processes. */
export type ServerThread = Pick<Channel<FromMediaThread, ToMediaThread>, 'call' | 'subscribe'>;

/**
 * Maximum number of bytes of one copied stream in transit to its media thread. If the thread does not keep up, the copy
 * ends.
 */
const CREDIT_BYTES = 32 * 1024 * 1024;

/**
 * Source of copied streams for a media thread: the server thread sends the window events of the copied stream.
 * @param handled counter of released parts (`InFlightParts.handled`)
 */
export function copySource(channel: Pick<ServerThread, 'subscribe'>, handled: SharedArrayBuffer): CopySourcePort {
  const releaseEvent = (event: CopyEvent): void => {
    if (event.type !== 'part') return;
    // The part is counted before its release. If the thread dies in between, the memory of the part is lost, which is better
    // than releasing it twice.
    countHandled(handled);
    release(event.bytes);
  };
  return {
    open: (source, follower, listener) => {
      let isClosed = false;
      const feed = channel.subscribe('copy', { source, follower }, CREDIT_BYTES, {
        take: (events) => {
          let released = 0;
          try {
            for (const event of events) {
              if (!isClosed) deliver(event, listener);
              releaseEvent(event);
              released++;
            }
          } finally {
            // After an error, the remaining events must be released, too.
            for (const event of events.slice(released)) releaseEvent(event);
          }
        },
        dropped: (events) => {
          for (const event of events) releaseEvent(event);
        },
        ended: (end) => {
          isClosed = true;
          listener.ended(end);
        },
      });
      return {
        close: () => {
          isClosed = true;
          feed.close({ code: 'input_ended', ...because('copy_closed') });
        },
      };
    },
  };
}

/** Reader of external inputs for a media thread: a codec process reads the address with FFmpeg. */
export function externalReader(channel: Pick<ServerThread, 'call'>): ExternalReaderPort {
  return {
    open: (spec) => {
      const abort = new AbortController();
      return {
        ended: channel.call('read-external', spec, { signal: abort.signal, isEndAwaited: true }).catch(messageOf),
        close: () => {
          abort.abort();
        },
      };
    },
  };
}

function deliver(event: CopyEvent, listener: CopyListener): void {
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
