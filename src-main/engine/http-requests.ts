import type { PublishRequest } from '../ingest/input.ts';
import { Credit } from './credit.ts';
import type { PublishAnswer } from './messages.ts';
import type { MediaWorker } from './media-worker.ts';

/** What the connection of an encoder hears. */
export interface HttpPublisherPort {
  /** The engine wants no more. */
  closed(code: string, detail: string): void;
  /** The media thread has taken what was under way: more may be pushed. */
  drained(): void;
}

/** Where the bytes of an encoder go. */
export interface HttpPublisherFeed {
  /** Returns whether more may follow before `drained`. */
  push(bytes: Uint8Array): boolean;
  end(detail: string): void;
}

/** Most bytes of one encoder on their way to its media thread, which may be busy, or not there for a moment. */
const CREDIT_BYTES = 1024 * 1024;

/** Encoders that publish by HTTP, on the side of their connections: what they send goes to a media thread as fast as it takes it. */
export class HttpRequests {
  readonly #requests = new Map<
    number,
    { readonly worker: MediaWorker; readonly port: HttpPublisherPort; readonly credit: Credit }
  >();
  #nextId = 1;

  open(
    worker: MediaWorker,
    request: PublishRequest,
    answer: PublishAnswer & { accepted: true },
    port: HttpPublisherPort,
  ): HttpPublisherFeed {
    const requestId = this.#nextId++;
    const credit = new Credit(CREDIT_BYTES, () => {
      port.drained();
    });
    this.#requests.set(requestId, { worker, port, credit });
    worker.post({ kind: 'http-publish', requestId, request, answer });
    return {
      push: (bytes) => {
        // A message takes along all of the memory that the bytes are a piece of.
        worker.post({ kind: 'http-bytes', requestId, bytes: new Uint8Array(bytes) });
        return credit.spend(bytes.length);
      },
      end: (detail) => {
        worker.post({ kind: 'http-end', requestId, detail });
      },
    };
  }

  /** The media thread has taken bytes. */
  taken(requestId: number, bytes: number): void {
    this.#requests.get(requestId)?.credit.restore(bytes);
  }

  /** The media thread is done with an encoder. */
  closed(requestId: number, code: string, detail: string): void {
    this.#requests.get(requestId)?.port.closed(code, detail);
    this.#requests.delete(requestId);
  }

  /** A media thread is gone. */
  lost(worker: MediaWorker, detail: string): void {
    for (const [requestId, request] of this.#requests)
      if (request.worker === worker) this.closed(requestId, 'media_thread_failed', detail);
  }
}
