import { EventEmitter } from 'node:events';

type Handler = (event: object, ...args: unknown[]) => unknown;

/** `ipcMain` of Electron. */
class IpcMain extends EventEmitter {
  readonly #handlers = new Map<string, Handler>();

  handle(channel: string, handler: Handler): void {
    if (this.#handlers.has(channel)) throw new Error(`Attempted to register a second handler for '${channel}'`);
    this.#handlers.set(channel, handler);
  }

  /** Answers an `invoke` of a page. */
  async answer(channel: string, event: object, args: readonly unknown[]): Promise<unknown> {
    const handler = this.#handlers.get(channel);
    if (!handler) throw new Error(`No handler registered for '${channel}'`);
    // Only structured clones are transferred to a page.
    return structuredClone(await handler(event, ...args));
  }
}

/** The only instance, as in Electron. */
export const ipcMain = new IpcMain();
