import { EventEmitter } from 'node:events';
import { join } from 'node:path';
import { type BrowserContext, type Frame, type Page, chromium } from 'playwright-core';
import { requirePeer } from '../../../scripts/setup-peers.ts';
import { ipcMain } from './ipc-main.ts';
import { openPorts, type PagePort } from './message-channel.ts';
import { CARRIER, preloadScript } from './preload-script.ts';
import { schemes } from './scheme-server.ts';
import { app, preventable } from './stand-in-app.ts';

type OpenHandler = (details: { readonly url: string }) => { readonly action: 'allow' | 'deny' };

interface WindowOptions {
  readonly width?: number;
  readonly height?: number;
  readonly webPreferences?: { readonly preload?: string };
}

let context: Promise<BrowserContext> | undefined;

/** Starts Chromium with the first window. */
function openChromium(): Promise<BrowserContext> {
  context ??= chromium.launchPersistentContext(join(app.userData, 'chromium'), {
    executablePath: requirePeer('chromium-headless-shell'),
    headless: true,
    viewport: null,
    args: [
      '--no-sandbox',
      '--autoplay-policy=no-user-gesture-required',
      ...(app.remoteDebuggingPort ? [`--remote-debugging-port=${app.remoteDebuggingPort}`] : []),
    ],
  });
  return context;
}

app.cleanUps.push(async () => {
  await (await context)?.close();
});

/** `webContents` of Electron, based on a page of Chromium. */
class StandInContents extends EventEmitter {
  readonly session = { setPermissionRequestHandler: (): void => {}, setPermissionCheckHandler: (): void => {} };
  readonly page: Promise<Page>;
  #openHandler: OpenHandler = () => ({ action: 'allow' });

  constructor(preload: string | undefined) {
    super();
    this.page = this.#open(preload);
  }

  async #open(preload: string | undefined): Promise<Page> {
    const isFirst = context === undefined;
    const browser = await openChromium();
    const page = (isFirst && browser.pages()[0]) || (await browser.newPage());
    const senderOf = (frame: Frame): { url: string; parent: object | null } => ({
      url: schemes.toScheme(frame.url()),
      parent: frame.parentFrame(),
    });
    await page.exposeBinding(CARRIER.invoke, ({ frame }, channel: string, args: unknown[]) =>
      ipcMain.answer(channel, { senderFrame: senderOf(frame), sender: this }, args),
    );
    await page.exposeBinding(CARRIER.port, (_source, id: number, data: unknown) => {
      openPorts.get(id)?.emit('message', { data });
    });
    await page.exposeBinding(CARRIER.send, ({ frame }, channel: string, args: unknown[]) => {
      ipcMain.emit(channel, { senderFrame: senderOf(frame), sender: this }, ...args);
    });
    if (preload !== undefined) await page.addInitScript(preloadScript(preload));
    // Other machines are never contacted; a page that navigates to another site asks the application first.
    await page.route(
      (url) => url.hostname !== '127.0.0.1',
      async (route) => {
        const event = preventable({ url: route.request().url() });
        if (route.request().isNavigationRequest()) this.emit('will-navigate', event);
        // Status 204 keeps the page; an aborted navigation would show an error page of Chromium.
        await (event.isPrevented ? route.fulfill({ status: 204 }) : route.abort());
      },
    );
    page.on('popup', (popup) => {
      const answer = this.#openHandler({ url: schemes.toScheme(popup.url()) });
      if (answer.action === 'deny') void popup.close();
    });
    page.on('framenavigated', (frame) => {
      if (frame === page.mainFrame()) this.emit('did-navigate-in-page', {}, schemes.toScheme(frame.url()), true);
    });
    page.on('crash', () => this.emit('render-process-gone', {}, { reason: 'crashed' }));
    page.on('pageerror', (error) => {
      process.stderr.write(`error in the page: ${error.message}\n`);
    });
    return page;
  }

  setWindowOpenHandler(handler: OpenHandler): void {
    this.#openHandler = handler;
  }

  send(channel: string, ...args: unknown[]): void {
    this.#run(CARRIER.receive, channel, args);
  }

  /** Transfers one end of a message channel to the page. */
  postMessage(channel: string, _message: null, [port]: readonly [PagePort]): void {
    port.connect((name, ...args) => this.#run(`${CARRIER.port}${name}`, ...args), channel);
  }

  /** Runs a function that the preload script added to the page. */
  #run(name: string, ...args: unknown[]): void {
    void this.page
      .then((page) =>
        page.evaluate(
          ([calledName, calledArgs]) => {
            (globalThis as unknown as Record<string, (...args: unknown[]) => void>)[calledName]?.(...calledArgs);
          },
          [name, args] as const,
        ),
      )
      // A page that reloads misses the message, and subscribes again.
      .catch(() => {});
  }

  async load(url: string): Promise<void> {
    const page = await this.page;
    this.emit('did-start-navigation', { url, isMainFrame: true, isSameDocument: false });
    await page.goto(await schemes.toHttp(url), { waitUntil: 'load' });
    this.emit('did-finish-load');
  }

  reload(): void {
    void this.page.then((page) => this.load(schemes.toScheme(page.url()))).catch(() => {});
  }
}

/** `BrowserWindow` of Electron, based on a page of Chromium. */
export class BrowserWindow extends EventEmitter {
  readonly webContents: StandInContents;
  readonly #bounds: { x: number; y: number; width: number; height: number };
  #isDestroyed = false;
  #loads: Promise<void> = Promise.resolve();

  constructor(options: WindowOptions) {
    super();
    this.#bounds = { x: 0, y: 0, width: options.width ?? 800, height: options.height ?? 600 };
    this.webContents = new StandInContents(options.webPreferences?.preload);
    app.windows.add(this);
    void this.webContents.page.then((page) => {
      page.on('close', () => {
        this.#destroyed();
      });
    });
    this.webContents.once('did-finish-load', () => this.emit('ready-to-show'));
  }

  /** Loads addresses one at a time; Electron would abort the previous one. */
  loadURL(url: string): Promise<void> {
    this.#loads = this.#loads.catch(() => {}).then(() => (this.#isDestroyed ? undefined : this.webContents.load(url)));
    return this.#loads;
  }

  close(): void {
    if (this.#isDestroyed) return;
    const event = preventable({});
    this.emit('close', event);
    if (!event.isPrevented) void this.webContents.page.then((page) => page.close());
  }

  #destroyed(): void {
    if (this.#isDestroyed) return;
    this.#isDestroyed = true;
    this.emit('closed');
    app.windowClosed(this);
  }

  isDestroyed(): boolean {
    return this.#isDestroyed;
  }

  getNormalBounds(): { x: number; y: number; width: number; height: number } {
    return this.#bounds;
  }

  isMaximized(): boolean {
    return false;
  }

  isFullScreen(): boolean {
    return false;
  }

  isMinimized(): boolean {
    return false;
  }

  show(): void {}
  focus(): void {}
  restore(): void {}
  maximize(): void {}
  setFullScreen(): void {}
}
