import type { CopyListener, CopySourcePort } from '../ingest/copy/copy-source-port.ts';
import { viewShared } from '../segment/shared-bytes.ts';
import { release } from '../segment/shared-use.ts';
import { countHandled } from './in-flight-parts.ts';
import type { CopyEvent, FromMediaThread } from './messages.ts';

/** The copies that a media thread makes of other streams: the server thread sees all windows, so it is asked. */
export class CopyRequests implements CopySourcePort {
  readonly #post: (message: FromMediaThread) => void;
  readonly #handled: SharedArrayBuffer;
  readonly #listeners = new Map<number, CopyListener>();
  #next = 1;

  /** @param handled where the parts are counted that were taken */
  constructor(post: (message: FromMediaThread) => void, handled: SharedArrayBuffer) {
    this.#post = post;
    this.#handled = handled;
  }

  open(source: string, follower: string, listener: CopyListener): { close(): void } {
    const requestId = this.#next++;
    this.#listeners.set(requestId, listener);
    this.#post({ kind: 'copy-open', requestId, source, follower });
    return {
      close: () => {
        if (this.#listeners.delete(requestId)) this.#post({ kind: 'copy-close', requestId });
      },
    };
  }

  /** Something happened to the window of a stream that is copied. Whatever becomes of it, its memory is let go. */
  events(requestId: number, events: readonly CopyEvent[]): void {
    for (const event of events) {
      const listener = this.#listeners.get(requestId);
      // Before it is let go: a thread that dies in between loses a part, which is better than one let go twice.
      if (event.type === 'part') countHandled(this.#handled);
      try {
        if (listener) hand(event, listener);
      } finally {
        if (event.type === 'part') release(event.bytes);
      }
      if (event.type === 'ended') this.#listeners.delete(requestId);
    }
  }
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
    case 'ended':
      listener.ended(event.end);
      return;
    default:
      event satisfies never;
  }
}
