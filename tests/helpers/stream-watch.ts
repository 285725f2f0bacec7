import type { AirdeskProcess } from './airdesk-process.ts';
import { threadTimesMs } from './process-time.ts';
import { MachineStalls } from './machine-stalls.ts';
import { until } from './until.ts';

const POLL_MS = 100;

/** Longest times without new media in a stream, by the clock and by processor time; not necessarily in the same gap. */
export interface WatchedGap {
  /** Longest time without new media, by the clock and without stalls of the machine, in milliseconds. */
  readonly ms: number;
  /**
   * Longest processor time of a server thread in such a gap, in milliseconds: shows a blocked server even on a busy
   * machine.
   */
  readonly busyMs: number;
}

/**
 * Polls the playlist of a stream like a player, and measures the longest time without new media while the machine ran.
 */
export class StreamWatch {
  readonly #url: string;
  readonly #pid: number;
  readonly #stalls = MachineStalls.watch();
  #newest = '';
  #newestAt = this.#ranMs;
  #longestMs = 0;
  #threadTimes: ReadonlyMap<string, number>;
  #busiestMs = 0;
  #changes = 0;
  #isStopped = false;

  private constructor(url: string, pid: number) {
    this.#url = url;
    this.#pid = pid;
    this.#threadTimes = threadTimesMs(pid);
  }

  static start(server: AirdeskProcess, stream: string): StreamWatch {
    const watch = new StreamWatch(`${server.url}/${stream}/v1/index.m3u8`, server.pid);
    void watch.#run();
    return watch;
  }

  /** Waits until the stream has new media, which ends the current gap. */
  async advances(): Promise<void> {
    const before = this.#changes;
    await until('new media', () => this.#changes > before, 30_000);
  }

  /**
   * Stops polling; returns the longest time without new media, and the longest processor time of a thread in such a
   * gap.
   */
  stop(): WatchedGap {
    this.#isStopped = true;
    this.#stalls.close();
    this.#measure(this.#ranMs);
    return { ms: Math.round(this.#longestMs), busyMs: this.#busiestMs };
  }

  /** Ends a gap. */
  #measure(now: number): void {
    const times = threadTimesMs(this.#pid);
    for (const [thread, usedMs] of times)
      this.#busiestMs = Math.max(this.#busiestMs, usedMs - (this.#threadTimes.get(thread) ?? 0));
    this.#threadTimes = times;
    this.#longestMs = Math.max(this.#longestMs, now - this.#newestAt);
    this.#newestAt = now;
  }

  /** Clock that stops during stalls of the machine, in milliseconds. */
  get #ranMs(): number {
    return performance.now() - this.#stalls.totalMs;
  }

  async #run(): Promise<void> {
    while (!this.#isStopped) {
      const text = await fetch(this.#url)
        .then((response) => (response.ok ? response.text() : ''))
        .catch(() => '');
      const now = this.#ranMs;
      if (text !== '' && text !== this.#newest) {
        this.#measure(now);
        this.#newest = text;
        this.#changes++;
      }
      await new Promise((resolve) => setTimeout(resolve, POLL_MS));
    }
  }
}
