import { appendFileSync, readFileSync } from 'node:fs';
import type { Browser } from 'playwright-core';
import { AirdeskProcess } from './airdesk-process.ts';
import { EncoderProcess } from './encoder-process.ts';
import { freeUdpPort } from './free-port.ts';
import { PageServer } from './page-server.ts';
import { PlayerPage, type PlayerReport } from './player-page.ts';
import { startBrowser } from './start-browser.ts';
import { until } from './until.ts';

/**
 * Duration of new media that proves that a stream has recovered, in milliseconds: more than was in transit at the
 * fault.
 */
const PROOF_MS = 1500;

/** Distance of the player of the stream `neighbour` from the live edge, which is large because the machine is busy. */
const NEIGHBOUR_DELAY_SECONDS = 3;

/** Recovery of a stream from a fault. */
export interface Recovery {
  /** Time from the fault, or from its repair, until the stream has 1.5 s of new media, in milliseconds. */
  readonly recoveryMs: number;
}

/** Server with faulty streams, and a player that plays the unaffected stream `neighbour` all the time. */
export class FaultStage {
  readonly server: AirdeskProcess;
  readonly player: PlayerPage;
  readonly #pages: PageServer;
  readonly #browser: Browser;
  readonly #encoders: EncoderProcess[] = [];
  readonly #measured: string[] = [];

  private constructor(server: AirdeskProcess, pages: PageServer, browser: Browser, player: PlayerPage) {
    this.server = server;
    this.#pages = pages;
    this.#browser = browser;
    this.player = player;
  }

  /** @param streams configuration text of the affected streams */
  static async start(streams: string): Promise<FaultStage> {
    const port = await freeUdpPort();
    const neighbour = EncoderProcess.publish({ url: `udp://127.0.0.1:${port}?pkt_size=1316`, isEndless: true });
    const server = await AirdeskProcess.start(`stream neighbour { input udp://127.0.0.1:${port}; }\n${streams}`, {
      env: { NODE_OPTIONS: `--import ${new URL('mortal-thread.ts', import.meta.url).href}` },
    });
    const [pages, browser] = await Promise.all([PageServer.start(), startBrowser(), hasMedia(server)]);
    const player = await PlayerPage.open(browser, pages, 'hlsjs', `${server.url}/neighbour/index.m3u8`, {
      liveSyncDuration: NEIGHBOUR_DELAY_SECONDS,
    });
    const stage = new FaultStage(server, pages, browser, player);
    stage.#encoders.push(neighbour);
    await player.playing();
    await player.watchPictures();
    return stage;
  }

  /** Starts an encoder that ends with the stage. */
  encoder(...args: Parameters<typeof EncoderProcess.publish>): EncoderProcess {
    const encoder = EncoderProcess.publish(...args);
    this.#encoders.push(encoder);
    return encoder;
  }

  /** Opens another player of any stream. */
  open(stream: string): Promise<PlayerPage> {
    return PlayerPage.open(this.#browser, this.#pages, 'hlsjs', `${this.server.url}/${stream}/index.m3u8`, {
      liveSyncDuration: NEIGHBOUR_DELAY_SECONDS,
    });
  }

  /** Starts to count events of the neighbour. */
  async startCounting(): Promise<void> {
    await this.player.reset();
  }

  /** Report of the player of `neighbour` since `startCounting`. */
  report(): Promise<PlayerReport> {
    return this.player.report();
  }

  /**
   * Memory that the heaps and buffers of all threads use after a collection, in bytes. Unlike resident memory it does not depend
   * on what the allocator has not given back.
   */
  async usedBytes(): Promise<number> {
    const before = this.#usedByThread();
    process.kill(this.server.pid, 'SIGWINCH');
    const isCollected = (): boolean => {
      const now = this.#usedByThread();
      return [...before].every(([thread, { count }]) => (now.get(thread)?.count ?? 0) > count);
    };
    await until('collection of garbage', isCollected, 30_000);
    return [...this.#usedByThread().values()].reduce((sum, { bytes }) => sum + bytes, 0);
  }

  /** Last printed memory of each running thread, and how often it was printed. */
  #usedByThread(): Map<string, { readonly bytes: number; readonly count: number }> {
    const threads = new Map<string, { readonly bytes: number; readonly count: number }>();
    for (const [, pid, thread = '', text] of this.server.printed.matchAll(/^(\d+)\.(\d+) uses (\d+)$/gm)) {
      if (Number(pid) !== this.server.pid) continue;
      const { count = 0 } = threads.get(thread) ?? {};
      const bytes = Number(text);
      // A thread prints 0 at its start and its end.
      if (bytes === 0 && count > 0) threads.delete(thread);
      else threads.set(thread, { bytes, count: count + 1 });
    }
    return threads;
  }

  /** Memory of the server process without its children. */
  get rssBytes(): number {
    const [, kilobytes] = /VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${this.server.pid}/status`, 'utf8')) ?? [];
    return Number(kilobytes) * 1024;
  }

  /** End of the media of a stream in epoch milliseconds. */
  async endMs(stream: string): Promise<number> {
    const text = await this.server.text(`/${stream}/v1/index.m3u8`);
    let end = 0;
    let segmentStart = 0;
    for (const line of text.split('\n')) {
      const date = /^#EXT-X-PROGRAM-DATE-TIME:(.+)$/.exec(line)?.[1];
      const part = /^#EXT-X-PART:DURATION=([\d.]+)/.exec(line)?.[1];
      const segment = /^#EXTINF:([\d.]+)/.exec(line)?.[1];
      if (date !== undefined) end = segmentStart = Date.parse(date);
      else if (part !== undefined) end += Number(part) * 1000;
      else if (segment !== undefined) end = segmentStart + Number(segment) * 1000;
    }
    return end;
  }

  /**
   * Applies a fault to a stream, and waits until its problem is shown and it has new media.
   *
   * @param codes problems that the state of the stream must show; none: it must show no problem
   * @param repair action of an operator or another machine; the time counts from then
   */
  async applyFault(
    fault: string,
    stream: string,
    codes: readonly string[],
    harm: () => Promise<void> | void,
    repair?: () => Promise<void> | void,
  ): Promise<Recovery> {
    let before = await this.endMs(stream);
    let from = performance.now();
    await harm();
    for (const code of codes) await this.server.streamWithProblem(stream, code, 30_000);
    if (repair) {
      before = await this.endMs(stream);
      from = performance.now();
      await repair();
    }
    await until(
      `new media of ${stream} after ${fault}`,
      async () => (await this.endMs(stream)) >= before + PROOF_MS,
      30_000,
      () => this.server.printed.slice(-4000),
    );
    const recoveryMs = performance.now() - from;
    const { events } = await this.server.call('events.recent', { limit: 1000, media: stream });
    for (const code of codes)
      if (!events.some((event) => 'code' in event && event.code === code))
        throw new Error(`no event of ${stream} has the code ${code}: ${JSON.stringify(events)}`);
    const { problems = [] } = (await this.server.stream(stream)) ?? {};
    if (codes.length === 0 && problems.length > 0) throw new Error(`${stream} shows ${JSON.stringify(problems)}`);
    this.note(`${fault}: ${codes.join(', ') || 'no problem'}, back after ${(recoveryMs / 1000).toFixed(1)} s`);
    return { recoveryMs };
  }

  /** Waits until a stream has new media. */
  async waitForNewMedia(stream: string): Promise<void> {
    const before = await this.endMs(stream);
    await until(
      `new media of ${stream}`,
      async () => (await this.endMs(stream)) >= before + PROOF_MS,
      30_000,
      () => this.server.printed.slice(-4000),
    );
  }

  /** Records a figure that is printed at the end. */
  note(line: string): void {
    this.#measured.push(line);
  }

  async dispose(): Promise<void> {
    const file = process.env['AIRDESK_FAULT_FIGURES'];
    if (file !== undefined) appendFileSync(file, `${this.#measured.join('\n')}\n`);
    await this.#browser.close();
    await this.#pages.close();
    await Promise.all(this.#encoders.map((encoder) => encoder.stop('SIGKILL')));
    await this.server.dispose();
  }
}

/**
 * Waits until the stream `neighbour` has twice the intended distance. A player that starts earlier would be nearer to
 * the live edge, or would start before the first segment and have to seek.
 */
async function hasMedia(server: AirdeskProcess): Promise<void> {
  const seconds = async (): Promise<number> => {
    const playlist = await (await fetch(`${server.url}/neighbour/v1/index.m3u8`)).text();
    return [...playlist.matchAll(/#EXTINF:([\d.]+)/g)].reduce((sum, [, duration]) => sum + Number(duration), 0);
  };
  await until('media of the neighbour', async () => (await seconds()) >= 2 * NEIGHBOUR_DELAY_SECONDS, 30_000);
}
