import { EventEmitter } from 'node:events';

/** Calls a function of the page; its name is the last part of the name in the page. */
type RunInPage = (name: 'Open' | 'Send', ...args: unknown[]) => void;

/** Ports of the main process whose other end is in a page, by number. */
export const openPorts = new Map<number, MainPort>();
let lastId = 0;

/** End of the channel in the main process. Messages sent before `start` are lost; Electron would keep them. */
class MainPort extends EventEmitter {
  readonly #id = ++lastId;
  #runInPage: RunInPage | undefined;

  connect(runInPage: RunInPage, channel: string): void {
    this.#runInPage = runInPage;
    runInPage('Open', this.#id, channel);
  }

  start(): void {
    openPorts.set(this.#id, this);
  }

  postMessage(message: unknown): void {
    // Messages are transferred to the page as JSON.
    const data = message instanceof ArrayBuffer ? { base64: Buffer.from(message).toString('base64') } : message;
    this.#runInPage?.('Send', this.#id, data);
  }

  close(): void {
    if (openPorts.delete(this.#id)) this.emit('close');
  }
}

/** End of the channel for a page. */
export class PagePort {
  readonly #near: MainPort;

  constructor(near: MainPort) {
    this.#near = near;
  }

  connect(runInPage: RunInPage, channel: string): void {
    this.#near.connect(runInPage, channel);
  }
}

/** `MessageChannelMain` of Electron. */
export class MessageChannelMain {
  readonly port1 = new MainPort();
  readonly port2 = new PagePort(this.port1);
}
