// Module `electron` in the main process of the stand-in. An import of a name that is missing here fails with that name.
import { schemes } from './scheme-server.ts';

export { ipcMain } from './ipc-main.ts';
export { MessageChannelMain } from './message-channel.ts';
export { app } from './stand-in-app.ts';
export { BrowserWindow } from './stand-in-window.ts';
export { utilityProcess } from './utility-process.ts';

interface MessageBox {
  readonly message: string;
  readonly detail?: string;
}

/** Prints the texts of dialogs, and answers each dialog with its first button. */
export const dialog = {
  showMessageBox: (...shown: readonly unknown[]): Promise<{ response: number }> => {
    // The first argument may be a window.
    const { message, detail = '' } = shown.at(-1) as MessageBox;
    process.stdout.write(`dialog: ${message}\n${detail}\n`);
    return Promise.resolve({ response: 0 });
  },
  showErrorBox: (): void => {},
};

/** Menu without a display. */
export const Menu = { buildFromTemplate: (template: unknown): unknown => template, setApplicationMenu: (): void => {} };

/** Tray icon without a display. */
export class Tray {
  setContextMenu(): void {}
  setToolTip(): void {}
  on(): void {}
}

/** Does not block power saving. */
export const powerSaveBlocker = { start: (): number => 1, stop: (): void => {} };

/** Custom schemes, served over HTTP. */
export const protocol = {
  registerSchemesAsPrivileged: (): void => {},
  handle: (scheme: string, handler: (request: Request) => Response | Promise<Response>): void => {
    schemes.handle(scheme, handler);
  },
};

const SCREEN = { x: 0, y: 0, width: 1920, height: 1080 };

/** One screen with a common size. */
export const screen = { getAllDisplays: () => [{ bounds: SCREEN, workArea: SCREEN }], on: (): void => {} };

/** Opens no other programs. */
export const shell = {
  openExternal: (): Promise<void> => Promise.resolve(),
  openPath: (): Promise<string> => Promise.resolve(''),
};
