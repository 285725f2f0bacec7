import { join } from 'node:path';
import { type BrowserWindow, type WebContents, app, screen } from 'electron';
import { IPC } from '../../src-preload/contract/index.ts';
import { BridgeHandler, type BridgeServer } from './ipc/bridge-handler.ts';
import { DESK_URL } from './ipc/desk-origin.ts';
import type { FeedSwitch, PageFeeds } from './ipc/feed-switch.ts';
import { openDeskWindow, stateOf } from './desk-window.ts';
import { pageOfLink } from './desk-link.ts';
import { STATUS_PATH } from './status-page.ts';
import {
  type Bounds,
  type WindowState,
  readWallWindows,
  readWindowState,
  writeWallWindows,
  writeWindowState,
} from './window-state.ts';

export interface DeskWindowsOptions {
  readonly deskUrl: string;
  /** Folder with the stored window positions. */
  readonly folder: string;
  readonly server: BridgeServer;
  readonly feeds: FeedSwitch;
  /** Address of the server; undefined while it is not ready. */
  readonly serverUrl: () => string | undefined;
  /** Called before the first window closes, which ends the application; resolves with false to keep it open. */
  readonly mayClose: (window: BrowserWindow) => Promise<boolean>;
  /** Called when a window opens, closes or shows another page. */
  readonly changed: () => void;
}

/** A window with its own connection to the server. */
interface OpenWindow {
  readonly window: BrowserWindow;
  readonly bridge: BridgeHandler;
  readonly feeds: PageFeeds;
  /** Shown page: the part after `#` in the address of the desk. */
  page: string;
}

/**
 * Maximum number of additional windows: more than a machine has screens, but few enough to stop a page that keeps opening
 * windows.
 */
const MAX_WALLS = 32;
const FIRST_PAGE = '/';
const WALL_PAGE = '/wall';

/** Windows of the desk: the first one, whose end closes the application, and additional ones for walls on other screens. */
export class DeskWindows {
  readonly #options: DeskWindowsOptions;
  readonly #windows = new Map<WebContents, OpenWindow>();
  readonly #firstFile: string;
  readonly #wallsFile: string;
  #first: OpenWindow | undefined;
  #isQuitting = false;

  constructor(options: DeskWindowsOptions) {
    this.#options = options;
    this.#firstFile = join(options.folder, 'window.json');
    this.#wallsFile = join(options.folder, 'wall-windows.json');
    app.on('before-quit', () => {
      this.#isQuitting = true;
    });
  }

  get first(): BrowserWindow | undefined {
    return this.#first?.window;
  }

  /** True while a window shows a wall of a ready server. */
  get isWallShown(): boolean {
    return this.#options.serverUrl() !== undefined && [...this.#windows.values()].some(({ page }) => isWall(page));
  }

  /**
   * Opens the windows of the previous run.
   * @param page page of the first window
   */
  open(page = FIRST_PAGE): void {
    const screens = screen.getAllDisplays().map((display) => display.workArea);
    this.#first = this.#add(page, readWindowState(this.#firstFile, screens), () => this.#mayCloseFirst());
    for (const wall of readWallWindows(this.#wallsFile, screens)) this.#addWall(wall.place, wall.state);
  }

  /** Opens a wall in a new window, which fills a screen if `bounds` are given. */
  openWall(bounds?: Bounds): void {
    this.#addWall(WALL_PAGE, bounds && { bounds, isMaximized: false, isFullScreen: true });
    this.#storeWalls();
  }

  /** Connection of the window that sent a message; undefined once it is closed. */
  ofSender(contents: WebContents): Pick<OpenWindow, 'bridge' | 'feeds'> | undefined {
    return this.#windows.get(contents);
  }

  /** Shows the desk while the server is ready, otherwise the status page. */
  show(): void {
    for (const window of this.#windows.values()) this.#load(window);
  }

  /** Brings the first window to the front, and opens `page` in it if given. */
  toFront(page?: string): void {
    const first = this.#first;
    if (!first) return;
    if (page !== undefined) {
      first.page = page;
      this.#load(first);
    }
    if (first.window.isMinimized()) first.window.restore();
    first.window.show();
    first.window.focus();
  }

  #addWall(page: string, state: WindowState | undefined): void {
    if (this.#windows.size > MAX_WALLS) return;
    const { window } = this.#add(page, state, () => Promise.resolve(!this.#isQuitting || this.#first === undefined));
    window.on('closed', () => {
      // While the application quits, the stored list stays for the next start.
      if (this.#first) this.#storeWalls();
    });
  }

  #add(page: string, state: WindowState | undefined, mayClose: () => Promise<boolean>): OpenWindow {
    const { deskUrl, server, serverUrl, feeds } = this.#options;
    const openWindow = (url: string): void => {
      this.#addWall(pageOf(url), undefined);
      this.#storeWalls();
    };
    const window = openDeskWindow({ deskUrl, state, serverUrl, openWindow, mayClose });
    const contents = window.webContents;
    const bridge = new BridgeHandler({
      server,
      deskUrl,
      send: (topic, payload) => {
        if (!window.isDestroyed()) contents.send(IPC.event, topic, payload);
      },
    });
    const opened: OpenWindow = { window, bridge, feeds: feeds.page(), page };
    this.#windows.set(contents, opened);
    // A page that unloads ends its subscriptions and feeds.
    const reset = (): void => {
      bridge.reset();
      opened.feeds.reset();
    };
    contents.on('did-start-navigation', (details) => {
      if (details.isMainFrame && !details.isSameDocument) reset();
    });
    contents.on('did-navigate-in-page', (_event, url, isMainFrame) => {
      if (!isMainFrame) return;
      opened.page = pageOf(url);
      this.#options.changed();
    });
    contents.on('render-process-gone', reset);
    window.on('closed', () => {
      this.#windows.delete(contents);
      reset();
      if (this.#first === opened) this.#closeAll();
      this.#options.changed();
    });
    this.#load(opened);
    this.#options.changed();
    return opened;
  }

  #load({ window, page }: OpenWindow): void {
    if (window.isDestroyed()) return;
    const isReady = this.#options.serverUrl() !== undefined;
    const url = isReady ? `${this.#options.deskUrl}#${page}` : new URL(STATUS_PATH, DESK_URL).href;
    // The promise rejects when a later load replaces this one, which is no error.
    window.loadURL(url).catch(() => {});
  }

  async #mayCloseFirst(): Promise<boolean> {
    const window = this.first;
    if (!window) return true;
    writeWindowState(this.#firstFile, stateOf(window));
    this.#storeWalls();
    const mayClose = await this.#options.mayClose(window);
    if (!mayClose) this.#isQuitting = false;
    return mayClose;
  }

  #storeWalls(): void {
    const walls = [...this.#windows.values()].filter((wall) => wall !== this.#first && !wall.window.isDestroyed());
    writeWallWindows(
      this.#wallsFile,
      walls.map(({ window, page }) => ({ place: page, state: stateOf(window) })),
    );
  }

  /** Closes the additional windows after the first one. */
  #closeAll(): void {
    this.#first = undefined;
    for (const { window } of [...this.#windows.values()]) window.close();
  }
}

function pageOf(url: string): string {
  // Pages of the development server have an HTTP address.
  return pageOfLink(url) ?? (URL.parse(url)?.hash.slice(1) || FIRST_PAGE);
}

function isWall(page: string): boolean {
  // The first page of the desk shows the wall, too.
  return page === FIRST_PAGE || page === WALL_PAGE || page.startsWith(`${WALL_PAGE}?`);
}
