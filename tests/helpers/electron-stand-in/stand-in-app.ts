import { EventEmitter } from 'node:events';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Event whose effect a listener can prevent. */
export interface PreventableEvent {
  readonly isPrevented: boolean;
  preventDefault(): void;
}

/** Creates an event whose effect can be prevented, with additional fields. */
export function preventable<T extends object>(fields: T): T & PreventableEvent {
  let isPrevented = false;
  return {
    ...fields,
    get isPrevented() {
      return isPrevented;
    },
    preventDefault() {
      isPrevented = true;
    },
  };
}

/** Window with the methods that are needed to quit. */
interface ClosableWindow {
  close(): void;
  isDestroyed(): boolean;
}

function flagOf(name: string): string | undefined {
  return process.argv.find((argument) => argument.startsWith(`--${name}=`))?.slice(name.length + 3);
}

/** `app` of Electron: lifecycle and paths. */
class StandInApp extends EventEmitter {
  readonly isPackaged = false;
  readonly windows = new Set<ClosableWindow>();
  /** Functions that end processes of the stand-in; awaited before the process ends. */
  readonly cleanUps: (() => Promise<void>)[] = [];
  readonly userData = flagOf('user-data-dir') ?? mkdtempSync(join(tmpdir(), 'airdesk-stand-in-'));
  readonly remoteDebuggingPort = flagOf('remote-debugging-port');
  readonly #ready = Promise.withResolvers<void>();
  #isQuitting = false;

  whenReady(): Promise<void> {
    return this.#ready.promise;
  }

  becomeReady(): void {
    this.emit('ready');
    this.#ready.resolve();
  }

  /**
   * Records switches. A browser reads switches only at its start, and the browser of the stand-in is a separate
   * process.
   */
  readonly commandLine = {
    switches: [] as string[],
    appendSwitch(name: string, value = ''): void {
      this.switches.push(`${name}=${value}`);
    },
  };

  requestSingleInstanceLock(): boolean {
    return true;
  }

  /** Set by `--lang=de`, as with Electron. */
  getLocale(): string {
    return flagOf('lang') ?? 'en-US';
  }

  getPath(name: string): string {
    return join(this.userData, name === 'userData' ? '' : name);
  }

  /**
   * Quits like Electron: emits `before-quit`, closes the windows, emits `will-quit`, and ends the process unless a
   * listener prevents it.
   */
  quit(): void {
    const before = preventable({});
    this.emit('before-quit', before);
    if (before.isPrevented) return;
    this.#isQuitting = true;
    if (this.windows.size === 0) this.#willQuit();
    else for (const window of [...this.windows]) window.close();
  }

  /** Handles the end of a window. */
  windowClosed(window: ClosableWindow): void {
    this.windows.delete(window);
    if (this.windows.size > 0) return;
    if (this.#isQuitting) this.#willQuit();
    else if (!this.emit('window-all-closed')) this.quit();
  }

  #willQuit(): void {
    const event = preventable({});
    this.emit('will-quit', event);
    if (!event.isPrevented) this.exit(0);
  }

  exit(code: number): void {
    this.emit('quit', {}, code);
    void Promise.allSettled(this.cleanUps.map((cleanUp) => cleanUp())).then(() => process.exit(code));
  }
}

/** The only instance, as in Electron. */
export const app = new StandInApp();

process.on('SIGTERM', () => {
  app.quit();
});
process.on('SIGINT', () => {
  app.quit();
});
