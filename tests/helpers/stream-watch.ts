import type { AirdeskProcess } from './airdesk-process.ts';
import { until } from './until.ts';

const ASK_EVERY_MS = 100;

/** Asks for the playlist of a stream all the time, as a player does, and knows how long it had nothing new. */
export class StreamWatch {
  readonly #url: string;
  #newest = '';
  #newestAt = performance.now();
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

  /** Ends the watch; the longest time without anything new, in milliseconds. */
  stop(): number {
    this.#isStopped = true;
    return Math.round(Math.max(this.#longestMs, performance.now() - this.#newestAt));
  }

  async #run(): Promise<void> {
    while (!this.#isStopped) {
      const text = await fetch(this.#url)
        .then((response) => (response.ok ? response.text() : ''))
        .catch(() => '');
      const now = performance.now();
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
