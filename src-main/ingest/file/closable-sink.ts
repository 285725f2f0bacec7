import type { AccessUnit, FormatProblem, SpliceMessage } from '../../media/access-unit.ts';
import type { Track } from '../../media/track.ts';
import type { InputEnd, InputSink } from '../input.ts';

/** Sink that ignores everything after its input is closed. */
export class ClosableSink implements InputSink {
  readonly #sink: InputSink;
  readonly #isClosed: () => boolean;

  constructor(sink: InputSink, isClosed: () => boolean) {
    this.#sink = sink;
    this.#isClosed = isClosed;
  }

  tracks(tracks: readonly Track[]): void {
    if (!this.#isClosed()) this.#sink.tracks(tracks);
  }

  accessUnit(unit: AccessUnit): void {
    if (!this.#isClosed()) this.#sink.accessUnit(unit);
  }

  splice(message: SpliceMessage): void {
    if (!this.#isClosed()) this.#sink.splice(message);
  }

  problem(problem: FormatProblem): void {
    if (!this.#isClosed()) this.#sink.problem(problem);
  }

  received(bytes: number): void {
    if (!this.#isClosed()) this.#sink.received(bytes);
  }

  ended(end: InputEnd): void {
    if (!this.#isClosed()) this.#sink.ended(end);
  }
}
