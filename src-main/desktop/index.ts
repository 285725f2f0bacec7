import { existsSync, readFileSync } from 'node:fs';
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
import type { ErrorValue, TopicPayload } from '../../src-preload/contract/index.ts';
import { systemClock } from '../lib/clock.ts';
import { messageOf } from '../lib/error-message.ts';
import type { Log } from '../lib/log.ts';
import { KeepAwake } from './awake.ts';
import { pageOfArguments, pageOfLink } from './desk-link.ts';
import { type DesktopTexts, desktopTexts } from './desktop-texts.ts';
import { DeskWindows } from './desk-windows.ts';
import { answerDeskFile, deskHeaders } from './desk-files.ts';
import { DESK_SCHEME, DESK_URL } from './ipc/desk-origin.ts';
import { FeedSwitch } from './ipc/feed-switch.ts';
import { listenOnIpc } from './ipc/ipc-listeners.ts';
import { autostart, type LoginStart } from './login-start.ts';
import { installMenu } from './menu.ts';
import { OnAir } from './on-air.ts';
import { ServerSupervisor } from './server-supervisor.ts';
import { OpenedFile } from './opened-file.ts';
import { startServerWorker } from './server-worker.ts';
import { STATUS_PATH, statusPage } from './status-page.ts';
import type { ThreadStart } from './ipc/thread-messages.ts';
import { DeskTray } from './tray.ts';
import { openUpdater } from './update-downloader.ts';
import { updateFeed } from './update-feed.ts';
import { Updates } from './updates.ts';

export interface DesktopOptions extends ThreadStart {
  /** Compiled entry of the server thread. */
  readonly serverEntry: URL;
  /** Compiled entry of a codec process. */
  readonly codecEntry: URL;
  /** Path of the tray icon, 32 × 32 pixels. */
  readonly trayIcon: string;
  readonly log: Log;
}

/** Maximum time for the server to end its streams when the application quits, in milliseconds. */
const STOP_MS = 10_000;

/** Desktop application: the windows, the server thread, and the connection between them. */
export class Desktop {
  readonly #options: DesktopOptions;
  readonly #supervisor: ServerSupervisor;
  readonly #windows: DeskWindows;
  readonly #onAir = new OnAir(() => {
    this.#showState();
  });
  readonly #awake = new KeepAwake(powerSaveBlocker);
  readonly #file: OpenedFile;
  #updates: Updates | undefined;
  #tray: DeskTray | undefined;
  /** Page of the first window, if a link started the application. */
  #firstPage: string | undefined;
  #hasStopped = false;

  constructor(options: DesktopOptions) {
    this.#options = options;
    this.#file = new OpenedFile(options, { confirm: confirmFile, refused: showRefusedFile });
    // During development, the pages of the desk come from the development server.
    const deskUrl = (!app.isPackaged && process.env['ELECTRON_RENDERER_URL']) || DESK_URL;
    this.#supervisor = new ServerSupervisor({
      clock: systemClock,
      log: options.log,
      start: (listener) =>
        startServerWorker(
          {
            entry: options.serverEntry,
            start: { ...this.#file.file, dataDir: options.dataDir, hasSandbox: options.hasSandbox },
            fork: (environment) => this.#forkCodec(environment),
          },
          listener,
        ),
      failed: (error) => this.#file.failed(error),
      changed: ({ kind }) => {
        if (kind === 'ready') this.#file.ran();
        this.#show();
      },
      fed: (message) => {
        feeds.take(message);
      },
    });
    const feeds = new FeedSwitch(this.#supervisor);
    this.#windows = new DeskWindows({
      deskUrl,
      folder: app.getPath('userData'),
      server: this.#supervisor,
      feeds,
      serverUrl: () => this.#serverUrl(),
      mayClose: (window) => this.#mayClose(window),
      changed: () => {
        this.#showState();
      },
    });
  }

  /** Starts the application; returns at once. A second instance only brings the window of the first to the front. */
  start(): void {
    if (!app.requestSingleInstanceLock()) {
      app.quit();
      return;
    }
    // A wall of sixteen tiles needs more connections than the default of six per host.
    app.commandLine.appendSwitch('ignore-connections-limit', '127.0.0.1,localhost');
    protocol.registerSchemesAsPrivileged([
      { scheme: DESK_SCHEME, privileges: { standard: true, secure: true, supportFetchAPI: true } },
    ]);
    this.#firstPage = pageOfArguments(process.argv);
    app.on('second-instance', (_event, args) => {
      this.#windows.toFront(pageOfArguments(args));
    });
    // macOS passes links in this event, even before the application is ready.
    app.on('open-url', (event, url) => {
      event.preventDefault();
      const page = pageOfLink(url);
      if (app.isReady()) this.#windows.toFront(page);
      else this.#firstPage = page;
    });
    // macOS passes a double-clicked configuration in this event, before the application is ready.
    app.on('open-file', (event, path) => {
      event.preventDefault();
      if (!app.isReady()) this.#file.open(path);
    });
    app.on('window-all-closed', () => {
      app.quit();
    });
    app.on('will-quit', (event) => {
      if (this.#hasStopped) return;
      event.preventDefault();
      void this.#stop();
    });
    void app.whenReady().then(async () => {
      await this.#file.confirm();
      this.#open();
    });
  }

  #open(): void {
    const folder = fileURLToPath(new URL('../renderer', import.meta.url));
    protocol.handle(DESK_SCHEME, (request) => {
      if (new URL(request.url).pathname !== STATUS_PATH) return answerDeskFile(request.url, folder, this.#serverUrl());
      return new Response(statusPage(this.#supervisor.state, systemClock.now(), textsOfSystem()), {
        headers: deskHeaders('text/html; charset=utf-8'),
      });
    });
    listenOnIpc(this.#windows);
    const texts = textsOfSystem();
    installMenu({
      texts,
      openInBrowser: () => {
        const url = this.#serverUrl();
        if (url) void shell.openExternal(url);
      },
      openDataFolder: () => void shell.openPath(this.#options.dataDir),
      openWall: (bounds) => {
        this.#windows.openWall(bounds);
      },
      login: loginStart(),
      refused: (title, error) => {
        dialog.showErrorBox(title, messageOf(error));
      },
      isPackaged: app.isPackaged,
    });
    // Links of the system must open the installed application, not one that runs from sources.
    if (app.isPackaged) app.setAsDefaultProtocolClient(DESK_SCHEME);
    this.#supervisor.subscribe('streams', (payload) => {
      // This build of the server thread sent the message and has checked it against the schema of the topic.
      this.#onAir.take(payload as TopicPayload<'streams'>);
    });
    this.#supervisor.start();
    this.#startUpdates();
    this.#tray = new DeskTray(this.#options.trayIcon, texts, {
      toFront: () => {
        this.#windows.toFront();
      },
      openWall: () => {
        this.#windows.openWall();
      },
      quit: () => {
        app.quit();
      },
    });
    this.#windows.open(this.#firstPage);
    this.#showState();
  }

  /** Starts the search for updates, if the application is installed and has an update feed. */
  #startUpdates(): void {
    if (!app.isPackaged) return;
    const { log } = this.#options;
    const feedFile = join(process.resourcesPath, 'app-update.yml');
    const builtIn = existsSync(feedFile) ? readFileSync(feedFile, 'utf8') : undefined;
    const feed = updateFeed(process.env['AIRDESK_UPDATES'], builtIn, process.platform);
    if (feed.kind === 'wrong') log.warn(feed.message);
    if (feed.kind !== 'built-in' && feed.kind !== 'address') return;
    this.#updates = new Updates({ clock: systemClock, log, open: () => openUpdater(feed) });
    this.#updates.start();
  }

  #show(): void {
    if (this.#supervisor.state.kind !== 'ready') this.#onAir.clear();
    this.#windows.show();
    this.#showState();
  }

  /** Updates the tray icon and the sleep blocker. */
  #showState(): void {
    const { count } = this.#onAir;
    this.#tray?.update(this.#serverUrl() === undefined ? undefined : count);
    this.#awake.set({ isWallShown: this.#windows.isWallShown, isOnAir: count > 0 });
  }

  /**
   * Starts a codec process. It is a utility process: for a child process, Electron's binary would have to allow running as
   * Node, and then any program could use it as Node.
   */
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

  async #mayClose(window: BrowserWindow): Promise<boolean> {
    if (this.#onAir.count === 0) return true;
    const texts = textsOfSystem();
    const answer = await dialog.showMessageBox(window, {
      type: 'warning',
      message: texts.streamsOnAir,
      detail: texts.quittingEnds,
      buttons: [texts.quit, texts.stay],
      defaultId: 1,
      cancelId: 1,
    });
    return answer.response === 0;
  }

  async #stop(): Promise<void> {
    this.#updates?.close();
    const hasEnded = await this.#supervisor.close(STOP_MS);
    if (!hasEnded) this.#options.log.warn('the server did not stop in time', { limit_ms: STOP_MS });
    this.#hasStopped = true;
    app.exit(0);
  }
}

/** Asks whether to run a configuration that was opened by a double click. */
async function confirmFile(file: string): Promise<boolean> {
  const texts = textsOfSystem();
  const { response } = await dialog.showMessageBox({
    type: 'question',
    message: texts.runFile(file),
    detail: texts.fileDecides,
    buttons: [texts.run, texts.useOwn],
    defaultId: 1,
    cancelId: 1,
  });
  return response === 0;
}

/** Shows the reason why a configuration that was opened by a double click is not used. */
function showRefusedFile(file: string, { code, message }: ErrorValue): void {
  const texts = textsOfSystem();
  void dialog.showMessageBox({
    type: 'warning',
    message: texts.fileRefused(file),
    detail: `${message} (${code})\n\n${texts.ownRuns}`,
    buttons: [texts.goOn],
  });
}

/** Texts in the language of the system, which is also the default language of the desk. */
function textsOfSystem(): DesktopTexts {
  return desktopTexts(app.getLocale());
}

/** Setting "start at login"; undefined if the application is not installed. */
function loginStart(): LoginStart | undefined {
  if (!app.isPackaged) return undefined;
  if (process.platform === 'linux')
    // An AppImage is mounted at a different path at each start. The path of the AppImage itself is in the environment.
    return autostart(process.env['APPIMAGE'] ?? process.execPath, app.getPath('appData'));
  return {
    isOn: () => app.getLoginItemSettings().openAtLogin,
    set: (openAtLogin) => {
      app.setLoginItemSettings({ openAtLogin });
    },
  };
}
