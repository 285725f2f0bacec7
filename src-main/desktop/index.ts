import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import {
  type BrowserWindow,
  type UtilityProcess,
  app,
  dialog,
  powerSaveBlocker,
  protocol,
  shell,
  utilityProcess,
} from 'electron';
import { IPC, type TopicPayload } from '../../src-preload/contract/index.ts';
import { systemClock } from '../lib/clock.ts';
import type { Log } from '../lib/log.ts';
import { answerDeskFile, deskHeaders } from './desk-files.ts';
import { BridgeHandler } from './ipc/bridge-handler.ts';
import { DESK_SCHEME, DESK_URL } from './ipc/desk-origin.ts';
import { FeedRelay } from './ipc/feed-relay.ts';
import { listenOnIpc } from './ipc/ipc-listeners.ts';
import { setMenu } from './menu.ts';
import { OnAir } from './on-air.ts';
import { ServerSupervisor } from './server-supervisor.ts';
import { startServerWorker } from './server-worker.ts';
import { STATUS_PATH, statusPage } from './status-page.ts';
import type { ThreadStart } from './thread-messages.ts';
import { openUpdater } from './update-downloader.ts';
import { updateFeed } from './update-feed.ts';
import { Updates } from './updates.ts';
import { openDeskWindow } from './window.ts';

/** What the desktop is made with. */
export interface DesktopOptions extends ThreadStart {
  /** Compiled entry of the server thread. */
  readonly serverEntry: URL;
  /** Compiled entry of a codec process. */
  readonly codecEntry: URL;
  readonly log: Log;
}

/** How long the server has for ending its streams when the application quits. */
const STOP_MS = 10_000;

/** The desktop application: one window, the server thread behind it, and the way between them. */
export class Desktop {
  readonly #options: DesktopOptions;
  readonly #supervisor: ServerSupervisor;
  readonly #handler: BridgeHandler;
  readonly #feeds: FeedRelay;
  readonly #onAir = new OnAir((isOnAir) => {
    this.#keepAwake(isOnAir);
  });
  readonly #deskUrl: string;
  #configFile: string | null;
  #updates: Updates | undefined;
  #window: BrowserWindow | undefined;
  #blocker: number | undefined;
  #hasStopped = false;

  constructor(options: DesktopOptions) {
    this.#options = options;
    this.#configFile = options.configFile;
    // While the desk is developed, its pages come from the development server.
    this.#deskUrl = (!app.isPackaged && process.env['ELECTRON_RENDERER_URL']) || DESK_URL;
    this.#supervisor = new ServerSupervisor({
      clock: systemClock,
      log: options.log,
      start: (listener) =>
        startServerWorker(
          {
            entry: options.serverEntry,
            start: { dataDir: options.dataDir, configFile: this.#configFile, hasSandbox: options.hasSandbox },
            fork: (environment) => this.#forkCodec(environment),
          },
          listener,
        ),
      changed: () => {
        this.#show();
      },
      fed: (message) => {
        this.#feeds.take(message);
      },
    });
    this.#feeds = new FeedRelay(this.#supervisor);
    this.#handler = new BridgeHandler({
      server: this.#supervisor,
      deskUrl: this.#deskUrl,
      send: (topic, payload) => {
        if (this.#window && !this.#window.isDestroyed()) this.#window.webContents.send(IPC.event, topic, payload);
      },
    });
  }

  /** Starts everything; returns at once. A second start of the application only brings the first to the front. */
  start(): void {
    if (!app.requestSingleInstanceLock()) {
      app.quit();
      return;
    }
    // A wall of sixteen holds more requests open than the six a host is allowed by default.
    app.commandLine.appendSwitch('ignore-connections-limit', '127.0.0.1,localhost');
    protocol.registerSchemesAsPrivileged([
      { scheme: DESK_SCHEME, privileges: { standard: true, secure: true, supportFetchAPI: true } },
    ]);
    app.on('second-instance', () => {
      this.#toFront();
    });
    // macOS names the configuration of a double click this way, and before the application is ready.
    app.on('open-file', (event, path) => {
      event.preventDefault();
      if (!app.isReady()) this.#configFile = path;
    });
    app.on('window-all-closed', () => {
      app.quit();
    });
    app.on('will-quit', (event) => {
      if (this.#hasStopped) return;
      event.preventDefault();
      void this.#stop();
    });
    void app.whenReady().then(() => {
      this.#open();
    });
  }

  #open(): void {
    const folder = fileURLToPath(new URL('../renderer', import.meta.url));
    protocol.handle(DESK_SCHEME, (request) => {
      if (new URL(request.url).pathname !== STATUS_PATH) return answerDeskFile(request.url, folder, this.#serverUrl());
      return new Response(statusPage(this.#supervisor.state, systemClock.now()), {
        headers: deskHeaders('text/html; charset=utf-8'),
      });
    });
    listenOnIpc(this.#handler, this.#feeds);
    setMenu({
      openInBrowser: () => {
        const url = this.#serverUrl();
        if (url) void shell.openExternal(url);
      },
      openDataFolder: () => void shell.openPath(this.#options.dataDir),
      isPackaged: app.isPackaged,
    });
    this.#supervisor.subscribe('streams', (payload) => {
      // From our own server thread, which made it with the schema of the topic.
      this.#onAir.take(payload as TopicPayload<'streams'>);
    });
    this.#supervisor.start();
    this.#lookForUpdates();
    this.#window = openDeskWindow({
      deskUrl: this.#deskUrl,
      stateFile: join(app.getPath('userData'), 'window.json'),
      serverUrl: () => this.#serverUrl(),
      mayClose: () => this.#mayClose(),
    });
    // A page that goes takes its subscriptions and feeds along.
    const reset = (): void => {
      this.#handler.reset();
      this.#feeds.reset();
    };
    this.#window.webContents.on('did-start-navigation', (details) => {
      if (details.isMainFrame && !details.isSameDocument) reset();
    });
    this.#window.webContents.on('render-process-gone', reset);
    this.#window.on('closed', () => {
      this.#window = undefined;
      reset();
    });
    this.#show();
  }

  /** Only an installation is updated, and only from a feed that was set up. */
  #lookForUpdates(): void {
    if (!app.isPackaged) return;
    const { log } = this.#options;
    const isBuiltIn = existsSync(join(process.resourcesPath, 'app-update.yml'));
    const feed = updateFeed(process.env['AIRDESK_UPDATES'], isBuiltIn);
    if (feed.kind === 'wrong') log.warn(feed.message);
    if (feed.kind !== 'built-in' && feed.kind !== 'address') return;
    this.#updates = new Updates({ clock: systemClock, log, open: () => openUpdater(feed) });
    this.#updates.start();
  }

  /** Shows the desk while the server is ready, and what the server is doing while it is not. */
  #show(): void {
    const { state } = this.#supervisor;
    if (state.kind !== 'ready') this.#onAir.clear();
    if (!this.#window || this.#window.isDestroyed()) return;
    const url = state.kind === 'ready' ? this.#deskUrl : new URL(STATUS_PATH, DESK_URL).href;
    // A load that the next one overtakes is rejected; the next one counts.
    this.#window.loadURL(url).catch(() => {});
  }

  /** A utility process and no plain child: Electron's binary must not serve as Node for other programs. */
  #forkCodec(environment: NodeJS.ProcessEnv): UtilityProcess {
    return utilityProcess.fork(fileURLToPath(this.#options.codecEntry), [], {
      env: environment,
      stdio: ['ignore', 'ignore', 'pipe'],
      serviceName: 'Airdesk codec',
    });
  }

  #serverUrl(): string | undefined {
    const { state } = this.#supervisor;
    return state.kind === 'ready' ? state.url : undefined;
  }

  #toFront(): void {
    if (this.#window?.isMinimized()) this.#window.restore();
    this.#window?.focus();
  }

  #keepAwake(isOnAir: boolean): void {
    if (this.#blocker !== undefined) powerSaveBlocker.stop(this.#blocker);
    this.#blocker = isOnAir ? powerSaveBlocker.start('prevent-app-suspension') : undefined;
  }

  async #mayClose(): Promise<boolean> {
    if (!this.#onAir.isOnAir || !this.#window) return true;
    const answer = await dialog.showMessageBox(this.#window, {
      type: 'warning',
      message: 'Streams are on air.',
      detail: 'Quitting ends them for all viewers.',
      buttons: ['Quit', 'Stay'],
      defaultId: 1,
      cancelId: 1,
    });
    return answer.response === 0;
  }

  async #stop(): Promise<void> {
    this.#updates?.close();
    const inTime = await this.#supervisor.close(STOP_MS);
    if (!inTime) this.#options.log.warn('the server did not stop in time', { limit_ms: STOP_MS });
    this.#hasStopped = true;
    app.exit(0);
  }
}
