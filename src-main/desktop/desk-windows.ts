import { join } from 'node:path';
import { type BrowserWindow, type WebContents, app, screen } from 'electron';
import { IPC } from '../../src-preload/contract/index.ts';
import { BridgeHandler, type BridgeServer } from './ipc/bridge-handler.ts';
import { DESK_URL } from './ipc/desk-origin.ts';
import type { FeedSwitch, PageFeeds } from './ipc/feed-switch.ts';
import { openDeskWindow, stateOf } from './desk-window.ts';
import { placeOfLink } from './desk-link.ts';
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
  /** Address of the server while it is ready. */
  readonly serverUrl: () => string | undefined;
  /** Asked before the first window closes, which ends the application. */
  readonly mayClose: (window: BrowserWindow) => Promise<boolean>;
  /** Called when the shown pages change. */
  readonly changed: () => void;
}

/** A window with its own connection to the server. */
interface OpenWindow {
  readonly window: BrowserWindow;
  readonly bridge: BridgeHandler;
  readonly feeds: PageFeeds;
  /** Shown page: the part after `#` in the address of the desk. */
  place: string;
}

/**
 * Maximum number of additional windows: more than a machine has screens, but a limit for a page that keeps opening
 * windows.
 */
const MAX_WALLS = 32;
const FIRST_PLACE = '/';
const WALL_PLACE = '/wall';

/**
 * Windows of the desk: the first one, which ends the application when it closes, and additional ones for walls on other
 * screens.
 */
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

  /** Reports whether a window shows a wall. */
  get isWallSeen(): boolean {
    return this.#options.serverUrl() !== undefined && [...this.#windows.values()].some(({ place }) => isWall(place));
  }

  /**
   * Opens the windows of the previous run.
   * @param place page of the first window
   */
  open(place = FIRST_PLACE): void {
    const screens = screen.getAllDisplays().map((display) => display.workArea);
    this.#first = this.#add(place, readWindowState(this.#firstFile, screens), () => this.#mayCloseFirst());
    for (const wall of readWallWindows(this.#wallsFile, screens)) this.#addBeside(wall.place, wall.state);
  }

  /** Opens a wall in a new window, which fills a screen if `bounds` are given. */
  openWall(bounds?: Bounds): void {
    this.#addBeside(WALL_PLACE, bounds && { bounds, isMaximized: false, isFullScreen: true });
    this.#keepWalls();
  }

  /** Connection of the sending page. */
  ofSender(contents: WebContents): Pick<OpenWindow, 'bridge' | 'feeds'> | undefined {
    return this.#windows.get(contents);
  }

  /** Shows the desk while the server is ready, otherwise the status page. */
  show(): void {
    for (const one of this.#windows.values()) this.#load(one);
  }

  /** Brings the first window to the front, and opens `place` in it if given. */
  toFront(place?: string): void {
    const first = this.#first;
    if (!first) return;
    if (place !== undefined) {
      first.place = place;
      this.#load(first);
    }
    if (first.window.isMinimized()) first.window.restore();
    first.window.show();
    first.window.focus();
  }

  #addBeside(place: string, state: WindowState | undefined): void {
    if (this.#windows.size > MAX_WALLS) return;
    const { window } = this.#add(place, state, () => Promise.resolve(!this.#isQuitting || this.#first === undefined));
    window.on('closed', () => {
      // The end of the application leaves the list unchanged.
      if (this.#first) this.#keepWalls();
    });
  }

  #add(place: string, state: WindowState | undefined, mayClose: () => Promise<boolean>): OpenWindow {
    const { deskUrl, server, serverUrl, feeds } = this.#options;
    const openBeside = (url: string): void => {
      this.#addBeside(placeOf(url), undefined);
      this.#keepWalls();
    };
    const window = openDeskWindow({ deskUrl, state, serverUrl, openBeside, mayClose });
    const contents = window.webContents;
    const bridge = new BridgeHandler({
      server,
      deskUrl,
      send: (topic, payload) => {
        if (!window.isDestroyed()) contents.send(IPC.event, topic, payload);
      },
    });
    const one: OpenWindow = { window, bridge, feeds: feeds.page(), place };
    this.#windows.set(contents, one);
    // A page that unloads ends its subscriptions and feeds.
    const reset = (): void => {
      bridge.reset();
      one.feeds.reset();
    };
    contents.on('did-start-navigation', (details) => {
      if (details.isMainFrame && !details.isSameDocument) reset();
    });
    contents.on('did-navigate-in-page', (_event, url, isMainFrame) => {
      if (!isMainFrame) return;
      one.place = placeOf(url);
      this.#options.changed();
    });
    contents.on('render-process-gone', reset);
    window.on('closed', () => {
      this.#windows.delete(contents);
      reset();
      if (this.#first === one) this.#endWithFirst();
      this.#options.changed();
    });
    this.#load(one);
    this.#options.changed();
    return one;
  }

  #load({ window, place }: OpenWindow): void {
    if (window.isDestroyed()) return;
    const isReady = this.#options.serverUrl() !== undefined;
    const url = isReady ? `${this.#options.deskUrl}#${place}` : new URL(STATUS_PATH, DESK_URL).href;
    // A load is rejected when the next one replaces it; the next one counts.
    window.loadURL(url).catch(() => {});
  }

  async #mayCloseFirst(): Promise<boolean> {
    const window = this.first;
    if (!window) return true;
    writeWindowState(this.#firstFile, stateOf(window));
    this.#keepWalls();
    const mayClose = await this.#options.mayClose(window);
    if (!mayClose) this.#isQuitting = false;
    return mayClose;
  }

  #keepWalls(): void {
    const walls = [...this.#windows.values()].filter((one) => one !== this.#first && !one.window.isDestroyed());
    writeWallWindows(
      this.#wallsFile,
      walls.map(({ window, place }) => ({ place, state: stateOf(window) })),
    );
  }

  #endWithFirst(): void {
    this.#first = undefined;
    for (const { window } of [...this.#windows.values()]) window.close();
  }
}

function placeOf(url: string): string {
  // The development server has an address of its own.
  return placeOfLink(url) ?? (URL.parse(url)?.hash.slice(1) || FIRST_PLACE);
}

function isWall(place: string): boolean {
  // The wall is the default page.
  return place === FIRST_PLACE || place === WALL_PLACE || place.startsWith(`${WALL_PLACE}?`);
}
