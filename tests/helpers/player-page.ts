import type { Browser, Page } from 'playwright-core';
import type { PageServer } from './page-server.ts';
import { StandStills, type StandStill } from './stand-stills.ts';
import { until } from './until.ts';

/** A player that the test page knows. */
export type PlayerName = 'hlsjs' | 'dashjs' | 'shaka';

/** What `probe.report()` of the test page gives (`tests/e2e/page/probe.js`). Times in milliseconds unless said otherwise. */
export interface PlayerReport {
  /** Position in seconds. */
  readonly currentTime: number;
  readonly paused: boolean;
  readonly readyState: number;
  readonly playbackRate: number;
  /** From the start of the page. */
  readonly firstFrameMs?: number;
  /** Since `watchPictures`, as distances to live are. */
  readonly longestFreezeMs: number;
  readonly frames: number;
  readonly droppedFrames: number;
  readonly audioBytes: number;
  readonly stalls: readonly string[];
  readonly seeks: number;
  readonly errors: readonly string[];
  readonly warnings: readonly string[];
  readonly sizes: readonly string[];
  /** Clock minus the date of the picture: median and worst. */
  readonly latencyMs?: number;
  readonly latencyMaxMs?: number;
  /** The latency that the player itself reports. */
  readonly ownLatencyMs?: number;
  /** Those since `PlayerPage.listen`, as `beeps` are. */
  readonly flashes: number;
  readonly beeps: number;
  /** Beep minus flash: median and worst. */
  readonly avOffsetMs?: number;
  readonly avOffsetWorstMs?: number;
  /** Buffered ranges in seconds. */
  readonly buffered: readonly (readonly [number, number])[];
  /** Times in which the machine of the tests stood still since the page was opened. */
  readonly standStills: readonly StandStill[];
}

/** A picture of numbered media that was shown. */
export interface NumberedPicture {
  /** Seed of what it is of (`NumberedMedia`); -1 where it could not be read. */
  readonly of: number;
  readonly number: number;
  /** Position in seconds. */
  readonly mediaTime: number;
}

/** One page with one player that plays one address. */
export class PlayerPage {
  readonly name: string;
  readonly page: Page;
  readonly #printed: string[] = [];
  readonly #still = StandStills.watch();

  private constructor(name: string, page: Page) {
    this.name = name;
    this.page = page;
    page.on('console', (message) => {
      if (message.type() === 'error' || message.type() === 'warning') this.#printed.push(message.text());
    });
    page.on('close', () => {
      this.#still.close();
    });
    page.on('response', (response) => {
      if (!response.ok()) this.#printed.push(`${response.status()} ${response.url()}`);
    });
  }

  /** Opens the page; it begins to play by itself. */
  static async open(
    browser: Pick<Browser, 'newPage'>,
    server: PageServer,
    player: PlayerName,
    address: string,
    options: object = {},
  ): Promise<PlayerPage> {
    const page = await browser.newPage();
    const opened = new PlayerPage(`${player} ${address}`, page);
    const query = new URLSearchParams({ player, address, options: JSON.stringify(options) });
    await page.goto(`${server.url}/index.html?${query}`);
    return opened;
  }

  /** What the page printed as warnings and errors, newest last. */
  get printed(): string {
    return this.#printed.slice(-20).join('\n');
  }

  async report(): Promise<PlayerReport> {
    // What the page gives back is described beside it.
    const seen = await this.page.evaluate<Omit<PlayerReport, 'standStills'>>('probe.report()');
    return { ...seen, standStills: this.#still.all };
  }

  /** Measures freezes and the distance to live from now on; `listen` and `readNumbers` do so as well. */
  async watchPictures(): Promise<void> {
    await this.page.evaluate('probe.watchPictures()');
  }

  /** Hears the beeps of the test sound, and sees the flashes of the picture, from now on. */
  async listen(): Promise<void> {
    await this.page.evaluate('probe.listen()');
  }

  /** Reads the number in each picture of numbered media, from now on. */
  async readNumbers(): Promise<void> {
    await this.page.evaluate('probe.readNumbers()');
  }

  /** The pictures that were shown since `readNumbers`. */
  async numbers(): Promise<NumberedPicture[]> {
    return this.page.evaluate<NumberedPicture[]>('probe.numbers');
  }

  /** What happens from now on counts. */
  async reset(): Promise<void> {
    await this.page.evaluate('probe.reset()');
  }

  /** Waits until the report is as wanted. */
  async reportWhere(what: string, test: (report: PlayerReport) => boolean, limitMs: number): Promise<PlayerReport> {
    let last: PlayerReport | undefined;
    const ask = async (): Promise<PlayerReport | undefined> => {
      last = await this.report();
      return test(last) ? last : undefined;
    };
    return until(`${what} in ${this.name}`, ask, limitMs, () => `${JSON.stringify(last)}\n${this.printed}`);
  }

  /** Waits until it plays: pictures come, and the position moves. */
  async playing(limitMs = 20_000): Promise<PlayerReport> {
    const { currentTime } = await this.reportWhere('picture', ({ frames }) => frames > 0, limitMs);
    return this.reportWhere(
      'movement',
      (report) => !report.paused && report.currentTime > currentTime + 1 && report.frames > 25,
      limitMs,
    );
  }

  /** Waits until it has played for so long since the last `reset`, by the clock on the wall. */
  async played(ms: number): Promise<PlayerReport> {
    await this.page.evaluate(`new Promise((resolve) => setTimeout(resolve, ${ms}))`);
    return this.report();
  }
}
