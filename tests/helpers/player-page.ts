import type { Browser, Page, Request } from 'playwright-core';
import type { PageServer } from './page-server.ts';
import { MachineStalls, type MachineStall } from './machine-stalls.ts';
import { until } from './until.ts';

/** Player supported by the test page. */
export type PlayerName = 'hlsjs' | 'dashjs' | 'shaka';

/** Result of `probe.report()` of the test page (`tests/e2e/page/probe.js`). Times in milliseconds unless stated otherwise. */
export interface PlayerReport {
  /** Position in seconds. */
  readonly currentTime: number;
  readonly paused: boolean;
  readonly readyState: number;
  readonly playbackRate: number;
  /** Time of the first frame since the page was opened. */
  readonly firstFrameMs?: number;
  /** Longest time without a new picture since `watchPictures`. */
  readonly longestFreezeMs: number;
  readonly frames: number;
  readonly droppedFrames: number;
  readonly audioBytes: number;
  readonly stalls: readonly string[];
  readonly seeks: number;
  readonly errors: readonly string[];
  readonly warnings: readonly string[];
  readonly sizes: readonly string[];
  /** Distance from the date of the picture to the clock: median and worst. */
  readonly latencyMs?: number;
  readonly latencyMaxMs?: number;
  /** The latency that the player itself reports. */
  readonly ownLatencyMs?: number;
  /** Numbers of flashes and beeps since `PlayerPage.listen`. */
  readonly flashes: number;
  readonly beeps: number;
  /** Offset from a flash to its beep: median and worst. */
  readonly avOffsetMs?: number;
  readonly avOffsetWorstMs?: number;
  /** Buffered ranges in seconds. */
  readonly buffered: readonly (readonly [number, number])[];
  /** Stalls of the machine since the page was opened. */
  readonly machineStalls: readonly MachineStall[];
}

/** Displayed picture of numbered media. */
export interface NumberedPicture {
  /** Seed of the media (`NumberedMedia`); -1 if unreadable. */
  readonly of: number;
  readonly number: number;
  /** Position in seconds. */
  readonly mediaTime: number;
}

/** Page with one player of one address. */
export class PlayerPage {
  readonly name: string;
  readonly page: Page;
  readonly #printed: string[] = [];
  readonly #pending = new Set<Request>();
  readonly #stalls = MachineStalls.watch();

  private constructor(name: string, page: Page) {
    this.name = name;
    this.page = page;
    page.on('console', (message) => {
      if (message.type() === 'error' || message.type() === 'warning') this.#printed.push(message.text());
    });
    page.on('close', () => {
      this.#stalls.close();
    });
    page.on('request', (request) => this.#pending.add(request));
    page.on('requestfinished', (request) => this.#pending.delete(request));
    page.on('requestfailed', (request) => this.#pending.delete(request));
    page.on('response', (response) => {
      if (!response.ok()) this.#printed.push(`${response.status()} ${response.url()}`);
    });
  }

  /** Opens the page, which starts to play automatically. */
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

  /** Warnings and errors printed by the page, newest last. */
  get printed(): string {
    return this.#printed.slice(-20).join('\n');
  }

  /** Requests of the page without a complete answer. */
  get pending(): readonly string[] {
    return [...this.#pending].map((request) => request.url());
  }

  async report(): Promise<PlayerReport> {
    // The interface above describes the result of the page.
    const report = await this.page.evaluate<Omit<PlayerReport, 'machineStalls'>>('probe.report()');
    return { ...report, machineStalls: this.#stalls.all };
  }

  /** Starts to measure freezes and the distance to the live edge; `listen` and `readNumbers` do so as well. */
  async watchPictures(): Promise<void> {
    await this.page.evaluate('probe.watchPictures()');
  }

  /** Starts to detect the beeps of the test audio, and the flashes of the video. */
  async listen(): Promise<void> {
    await this.page.evaluate('probe.listen()');
  }

  /** Starts to read the number in each picture of numbered media. */
  async readNumbers(): Promise<void> {
    await this.page.evaluate('probe.readNumbers()');
  }

  /** Pictures displayed since `readNumbers`. */
  async numbers(): Promise<NumberedPicture[]> {
    return this.page.evaluate<NumberedPicture[]>('probe.numbers');
  }

  /** Resets the report. */
  async reset(): Promise<void> {
    await this.page.evaluate('probe.reset()');
  }

  /** Waits until the report meets a condition. */
  async reportWhere(what: string, test: (report: PlayerReport) => boolean, limitMs: number): Promise<PlayerReport> {
    let last: PlayerReport | undefined;
    const read = async (): Promise<PlayerReport | undefined> => {
      last = await this.report();
      return test(last) ? last : undefined;
    };
    try {
      return await until(`${what} in ${this.name}`, read, limitMs, () =>
        [JSON.stringify(last), `pending requests: ${this.pending.join(' ')}`, this.printed].join('\n'),
      );
    } catch (error) {
      const log = await this.page.evaluate<string[]>('probe.playerLog');
      throw new Error(`${error instanceof Error ? error.message : String(error)}\n${log.join('\n')}`, { cause: error });
    }
  }

  /** Waits until the player plays: pictures appear, and the position moves. */
  async playing(limitMs = 20_000): Promise<PlayerReport> {
    const { currentTime } = await this.reportWhere('picture', ({ frames }) => frames > 0, limitMs);
    return this.reportWhere(
      'movement',
      (report) => !report.paused && report.currentTime > currentTime + 1 && report.frames > 25,
      limitMs,
    );
  }

  /** Waits until the player has played for a time since the last `reset`, by the wall clock. */
  async played(ms: number): Promise<PlayerReport> {
    await this.page.evaluate(`new Promise((resolve) => setTimeout(resolve, ${ms}))`);
    return this.report();
  }
}
