import type { AirdeskProcess } from './airdesk-process.ts';
import { StandStills } from './stand-stills.ts';
import { until } from './until.ts';

const ASK_EVERY_MS = 100;

/** Asks for the playlist of a stream all the time, as a player does, and knows how long it had nothing new while the machine ran. */
export class StreamWatch {
  readonly #url: string;
  readonly #still = StandStills.watch();
  #newest = '';
  #newestAt = this.#ranMs;
  #longestMs = 0;
  #changes = 0;
  #isStopped = false;

  private constructor(url: string) {
    this.#url = url;
  }

  static start(server: AirdeskProcess, stream: string): StreamWatch {
    const watch = new StreamWatch(`${server.url}/${stream}/v1/index.m3u8`);
    void watch.#run();
    return watch;
  }

  /** Waits until the stream had something new for a while. @param forMs in milliseconds */
  async advances(forMs: number): Promise<void> {
    const from = performance.now();
    const before = this.#changes;
    await until('new media', () => this.#changes > before + 1 && performance.now() - from >= forMs, 30_000);
  }

  /** Ends the watch; the longest time without anything new, in milliseconds, without what the machine stood still in it. */
  stop(): number {
    this.#isStopped = true;
    this.#still.close();
    return Math.round(Math.max(this.#longestMs, this.#ranMs - this.#newestAt));
  }

  /** A clock that stands still with the machine, in milliseconds. */
  get #ranMs(): number {
    return performance.now() - this.#still.totalMs;
  }

  async #run(): Promise<void> {
    while (!this.#isStopped) {
      const text = await fetch(this.#url)
        .then((response) => (response.ok ? response.text() : ''))
        .catch(() => '');
      const now = this.#ranMs;
      if (text !== '' && text !== this.#newest) {
        if (this.#newest !== '') this.#longestMs = Math.max(this.#longestMs, now - this.#newestAt);
        this.#newest = text;
        this.#newestAt = now;
        this.#changes++;
      }
      await new Promise((resolve) => setTimeout(resolve, ASK_EVERY_MS));
    }
  }
}
