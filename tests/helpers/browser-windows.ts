import type { Browser, Page } from 'playwright-core';
import type { PageServer } from './page-server.ts';
import type { PlayerName } from './player-page.ts';
import { startBrowser } from './start-browser.ts';

/**
 * Browser whose pages are windows of one process, like windows that a page opens. All of them are painted, and each costs two
 * thirds of a separate page. For tests of the behaviour of players, but not of their distance to live or their smoothness.
 */
export class BrowserWindows {
  readonly #browser: Browser;
  readonly #opener: Page;
  #opened: Promise<unknown> = Promise.resolve();

  private constructor(browser: Browser, opener: Page) {
    this.#browser = browser;
    this.#opener = opener;
  }

  /** Starts the browser; its windows show pages of this server. */
  static async start(server: PageServer): Promise<BrowserWindows> {
    const browser = await startBrowser();
    const opener = await browser.newPage();
    // Any page of the server works: windows share a process with the page of the same origin that opened them.
    await opener.goto(`${server.url}/probe.js`);
    return new BrowserWindows(browser, opener);
  }

  /** Opens windows one after another. */
  newPage(): Promise<Page> {
    const opened = this.#opened.then(async () => {
      const [page] = await Promise.all([
        this.#opener.waitForEvent('popup'),
        this.#opener.evaluate("void window.open('about:blank', '_blank', 'popup,width=480,height=300')"),
      ]);
      return page;
    });
    this.#opened = opened.catch(() => undefined);
    return opened;
  }

  /**
   * Context for opening a player. dash.js gets a separate page, because next to other players it may pause after a seek
   * to the end of a file.
   */
  for(player: PlayerName): Pick<Browser, 'newPage'> {
    return player === 'dashjs' ? this.#browser : this;
  }

  close(): Promise<void> {
    return this.#browser.close();
  }
}
