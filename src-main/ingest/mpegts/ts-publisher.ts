import type { InputEnd, InputSink } from '../input.ts';
import { TsIntake, type TsIntakeOptions } from './ts-intake.ts';

/** Publisher that sends a transport stream as the body of an HTTP request. The request handler feeds it. */
export class TsPublisher {
  readonly #intake: TsIntake;

  constructor(sink: InputSink, options: TsIntakeOptions = {}) {
    this.#intake = new TsIntake(sink, { ...options, watchesClock: true });
  }

  /** Processes the next bytes of the body. Returns false once the publication has ended; the request must then be closed. */
  push(bytes: Uint8Array): boolean {
    return this.#intake.push(bytes);
  }

  /** Ends the publication: the body ended, was interrupted, or is closed by the server. Later calls do nothing. */
  end(reason: InputEnd): void {
    this.#intake.end(reason);
  }
}
