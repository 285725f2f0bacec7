import type { ErrorValue } from '../../src-preload/contract/index.ts';
import type { ThreadStart } from './ipc/thread-messages.ts';

/** Configuration that the server is started with. */
export type StartFile = Pick<ThreadStart, 'configFile' | 'isConfigOpened'>;

const OWN: StartFile = { configFile: null, isConfigOpened: false };

export interface OpenedFileOptions {
  /** Shows the path of the file; resolves with true for consent to run it. */
  readonly ask: (file: string) => Promise<boolean>;
  /** Called if the server could not start with the file, with the reason. */
  readonly refused: (file: string, error: ErrorValue) => void;
}

/**
 * Configuration file of the server. One of a double click is run after consent only; without consent, or if the server
 * cannot start with it, the configuration of the data folder is used.
 */
export class OpenedFile {
  readonly #options: OpenedFileOptions;
  #file: StartFile;
  #hasRun = false;

  constructor({ configFile, isConfigOpened }: StartFile, options: OpenedFileOptions) {
    this.#file = { configFile, isConfigOpened };
    this.#options = options;
  }

  get file(): StartFile {
    return this.#file;
  }

  /** Takes the file of a double click, before the server is started. */
  open(configFile: string): void {
    this.#file = { configFile, isConfigOpened: true };
  }

  /** Asks for consent, if there is a file of a double click. */
  async confirm(): Promise<void> {
    const { configFile, isConfigOpened } = this.#file;
    if (configFile !== null && isConfigOpened && !(await this.#options.ask(configFile))) this.#file = OWN;
  }

  /** The server has started: later failures are not those of the file. */
  ran(): void {
    this.#hasRun = true;
  }

  /** Handles a failed start. Returns true if the next start uses another file. */
  failed(error: ErrorValue): boolean {
    const { configFile, isConfigOpened } = this.#file;
    if (configFile === null || !isConfigOpened || this.#hasRun) return false;
    this.#file = OWN;
    this.#options.refused(configFile, error);
    return true;
  }
}
