import type { ExternalReaderPort, ExternalReading, ExternalSpec } from '../ingest/external/external-reader-port.ts';
import type { FromMediaThread } from './messages.ts';

/** The inputs of a media thread that codec processes read: only the server thread has such processes, so it is asked. */
export class ExternalRequests implements ExternalReaderPort {
  readonly #post: (message: FromMediaThread) => void;
  readonly #reading = new Map<number, (words: string | undefined) => void>();
  #next = 1;

  constructor(post: (message: FromMediaThread) => void) {
    this.#post = post;
  }

  open(spec: ExternalSpec): ExternalReading {
    const requestId = this.#next++;
    const ended = new Promise<string | undefined>((resolve) => {
      this.#reading.set(requestId, resolve);
    });
    this.#post({ kind: 'foreign-open', requestId, spec });
    return {
      ended,
      close: () => {
        if (this.#reading.has(requestId)) this.#post({ kind: 'foreign-close', requestId });
      },
    };
  }

  /** The process of a request is gone. */
  ended(requestId: number, words: string | undefined): void {
    this.#reading.get(requestId)?.(words);
    this.#reading.delete(requestId);
  }
}
