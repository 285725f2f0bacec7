import type { InputEnd, InputSink } from '../../src-main/ingest/input.ts';
import type { AccessUnit } from '../../src-main/media/access-unit.ts';
import { RecordingSink } from './recording-sink.ts';

/** Sink that records the output of an input, and can wait for it. */
export class RecordingInput extends RecordingSink implements InputSink {
  bytes = 0;
  readonly ends: InputEnd[] = [];
  #waiting: { readonly isDone: () => boolean; readonly resolve: () => void }[] = [];

  override accessUnit(unit: AccessUnit): void {
    super.accessUnit(unit);
    this.#resolveDone();
  }

  received(bytes: number): void {
    this.bytes += bytes;
    this.#resolveDone();
  }

  ended(end: InputEnd): void {
    this.ends.push(end);
    this.#resolveDone();
  }

  /** Resolves when a condition is met; checked at each call. */
  until(isDone: () => boolean): Promise<void> {
    return new Promise((resolve) => {
      this.#waiting.push({ isDone, resolve });
      this.#resolveDone();
    });
  }

  /** End of the input; undefined until it ends. */
  async end(): Promise<InputEnd> {
    await this.until(() => this.ends.length > 0);
    const end = this.ends[0];
    if (!end) throw new Error('the input has not ended');
    return end;
  }

  #resolveDone(): void {
    const done = this.#waiting.filter(({ isDone }) => isDone());
    this.#waiting = this.#waiting.filter((one) => !done.includes(one));
    for (const { resolve } of done) resolve();
  }
}
