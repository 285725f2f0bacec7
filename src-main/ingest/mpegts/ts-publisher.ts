import type { InputEnd, InputSink } from '../input.ts';
import { TsIntake, type TsIntakeOptions } from './ts-intake.ts';

/** A publisher that sends a transport stream as the body of an HTTP request. The handler of the request feeds it. */
export class TsPublisher {
  readonly #intake: TsIntake;

  constructor(sink: InputSink, options: TsIntakeOptions = {}) {
    this.#intake = new TsIntake(sink, { ...options, watchesClock: true });
  }

  /** Takes the next bytes of the body. Returns false once the publisher is over: the request is to be closed then. */
  push(bytes: Uint8Array): boolean {
    return this.#intake.push(bytes);
  }

  /** The body is over, broke off, or the server closes it. Later calls do nothing. */
  end(reason: InputEnd): void {
    this.#intake.end(reason);
  }
}
