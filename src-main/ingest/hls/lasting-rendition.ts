import { because } from '../../../src-preload/contract/explanations/explanations.ts';
import { BackOff } from '../../lib/back-off.ts';
import type { RenditionEntry, RenditionUnit } from './rendition-queue.ts';
import type { MergeSource } from './rendition-merge.ts';
import { RenditionReader } from './rendition-reader.ts';
import type { RenditionReaderOptions } from './rendition-reader.ts';
import { Wakeable } from '../../lib/timers.ts';

/** Rendition besides the leading one. After a failure it is opened again, while the leading rendition continues. */
export class LastingRendition implements MergeSource {
  readonly #options: RenditionReaderOptions;
  readonly #leader: RenditionReader;
  readonly #pause: Wakeable;
  readonly #backOff = new BackOff({ firstMs: 1000, maxMs: 10_000 });
  #rendition: RenditionReader;
  #isReopening = false;
  #running: Promise<void> = Promise.resolve();

  constructor(options: RenditionReaderOptions, leader: RenditionReader) {
    this.#leader = leader;
    this.#pause = new Wakeable(options.clock);
    this.#options = { ...options, wish: () => leader.started };
    this.#rendition = new RenditionReader(this.#options);
  }

  get isWrapping(): boolean {
    return this.#rendition.isWrapping;
  }

  get isDone(): boolean {
    return this.#rendition.isDone && !this.#isReopening;
  }

  start(): void {
    this.#rendition.start();
  }

  head(): RenditionEntry | undefined {
    const entry = this.#rendition.head();
    if (entry) this.#backOff.reset();
    else if (this.#rendition.isDone && this.#rendition.end?.code !== 'input_ended' && !this.#isReopening)
      this.#reopen();
    return entry;
  }

  firsts(era: number): readonly RenditionUnit[] {
    return this.#rendition.firsts(era);
  }

  shift(): void {
    this.#rendition.shift();
  }

  async close(): Promise<void> {
    this.#pause.close();
    await this.#rendition.close();
    await this.#running;
  }

  #reopen(): void {
    const { end } = this.#rendition;
    if (end) this.#options.problem({ code: end.code, ...because('hls_audio_missing', { explanation: end }) });
    this.#isReopening = true;
    this.#running = this.#openAgain();
  }

  async #openAgain(): Promise<void> {
    await this.#pause.sleep(this.#backOff.next());
    if (this.#pause.isClosed) return;
    // The rendition starts again near the live edge, in the current era of its leader.
    const { wish: _wish, ...options } = this.#options;
    this.#rendition = new RenditionReader({ ...options, firstEra: () => this.#leader.era });
    this.#isReopening = false;
    this.#rendition.start();
  }
}
