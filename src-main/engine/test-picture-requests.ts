import type { TestPictureLoop, TestPictureOptions, TestPictureSource } from '../ingest/fake/test-picture-source.ts';
import type { TestPictureError } from './messages.ts';

interface Waiting {
  readonly resolve: (loop: TestPictureLoop) => void;
  readonly reject: (error: Error) => void;
}

/** The test pictures of a media thread: only a codec process can make them, so the server thread is asked. */
export class TestPictureRequests implements TestPictureSource {
  readonly #ask: (requestId: number, options: TestPictureOptions) => void;
  readonly #waiting = new Map<number, Waiting>();
  #next = 1;

  constructor(ask: (requestId: number, options: TestPictureOptions) => void) {
    this.#ask = ask;
  }

  load(options: TestPictureOptions): Promise<TestPictureLoop> {
    const requestId = this.#next++;
    return new Promise((resolve, reject) => {
      this.#waiting.set(requestId, { resolve, reject });
      this.#ask(requestId, options);
    });
  }

  /** The server thread has an answer. */
  answered(requestId: number, loop: TestPictureLoop | undefined, error: TestPictureError | undefined): void {
    const waiting = this.#waiting.get(requestId);
    this.#waiting.delete(requestId);
    if (loop) waiting?.resolve(loop);
    else
      waiting?.reject(
        Object.assign(new Error(error?.message ?? 'no test picture'), { code: error?.code ?? 'internal' }),
      );
  }
}
