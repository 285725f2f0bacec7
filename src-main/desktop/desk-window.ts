import { fileURLToPath } from 'node:url';
import { BrowserWindow, type Session, shell } from 'electron';
import { hasSameOrigin } from './ipc/desk-origin.ts';
import { isPermitted } from './permissions.ts';
import type { WindowState } from './window-state.ts';

export interface DeskWindowOptions {
  /** Address of the desk; the window never shows another site. */
  readonly deskUrl: string;
  /** Position and size; undefined for the default. */
  readonly state: WindowState | undefined;
  /** Address of the server while it is ready. Links to it open in the default browser. */
  readonly serverUrl: () => string | undefined;
  /** Called when the page opens another page of the desk in a new window. */
  readonly openWindow: (url: string) => void;
  /** Called before the window closes; resolves with false to keep it open. */
  readonly mayClose: () => Promise<boolean>;
}

/** Pause before a crashed page is reloaded, in milliseconds. */
const RELOAD_MS = 1_000;

/** Opens a window with a sandbox and without Node, restricted to the address of the desk. */
export function openDeskWindow(options: DeskWindowOptions): BrowserWindow {
  const { state } = options;
  const window = new BrowserWindow({
    ...(state?.bounds ?? { width: 1440, height: 900 }),
    minWidth: 720,
    minHeight: 480,
    show: false,
    title: 'Airdesk',
    backgroundColor: '#101418',
    webPreferences: {
      preload: fileURLToPath(new URL('../preload/index.cjs', import.meta.url)),
      sandbox: true,
      contextIsolation: true,
      nodeIntegration: false,
      webSecurity: true,
      webviewTag: false,
      spellcheck: false,
      // The wall must play before the user clicks.
      autoplayPolicy: 'no-user-gesture-required',
    },
  });
  if (state?.isMaximized) window.maximize();
  if (state?.isFullScreen) window.setFullScreen(true);
  window.once('ready-to-show', () => {
    window.show();
  });
  confine(window, options);
  denyPermissions(window.webContents.session, options.deskUrl);
  confirmClose(window, options);
  return window;
}

/** Position, size and state of a window, in the form that is stored. */
export function stateOf(window: BrowserWindow): WindowState {
  return { bounds: window.getNormalBounds(), isMaximized: window.isMaximized(), isFullScreen: window.isFullScreen() };
}

/** Restricts the window to the desk: no navigation to other sites, no webviews, and new windows show the desk only. */
function confine(window: BrowserWindow, options: DeskWindowOptions): void {
  const contents = window.webContents;
  contents.setWindowOpenHandler(({ url }) => {
    const server = options.serverUrl();
    if (hasSameOrigin(url, options.deskUrl)) options.openWindow(url);
    else if (server !== undefined && hasSameOrigin(url, server)) void shell.openExternal(url);
    return { action: 'deny' };
  });
  const blockOtherSites = (event: { preventDefault(): void; readonly url: string }): void => {
    if (!hasSameOrigin(event.url, options.deskUrl)) event.preventDefault();
  };
  contents.on('will-navigate', blockOtherSites);
  contents.on('will-redirect', blockOtherSites);
  contents.on('will-frame-navigate', blockOtherSites);
  contents.on('will-attach-webview', (event) => {
    event.preventDefault();
  });
  contents.on('render-process-gone', (_event, details) => {
    if (details.reason === 'clean-exit') return;
    setTimeout(() => {
      if (!window.isDestroyed()) contents.reload();
    }, RELOAD_MS);
  });
}

function denyPermissions(session: Session, deskUrl: string): void {
  session.setPermissionRequestHandler((_contents, permission, decide, details) => {
    decide(isPermitted(permission, details.requestingUrl, deskUrl));
  });
  session.setPermissionCheckHandler((_contents, permission, origin) => isPermitted(permission, origin, deskUrl));
}

function confirmClose(window: BrowserWindow, options: DeskWindowOptions): void {
  let isConfirmed = false;
  window.on('close', (event) => {
    if (isConfirmed) return;
    event.preventDefault();
    void options.mayClose().then((mayClose) => {
      if (!mayClose) return;
      isConfirmed = true;
      if (!window.isDestroyed()) window.close();
    });
  });
}
