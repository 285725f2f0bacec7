import type { ErrorValue } from '../../src-preload/contract/index.ts';
import type { ThreadStart } from './ipc/thread-messages.ts';

/** Configuration file for the start of the server. */
export type StartFile = Pick<ThreadStart, 'configFile' | 'isConfigOpened'>;

/** The configuration in the data folder. */
const DEFAULT_FILE: StartFile = { configFile: null, isConfigOpened: false };

export interface OpenedFileOptions {
  /** Asks the user whether to run the file. */
  readonly confirm: (file: string) => Promise<boolean>;
  /** Called if the server cannot start with the file. */
  readonly refused: (file: string, error: ErrorValue) => void;
}

/**
 * Chooses the configuration file of the server. A file that was opened by a double click is used only with the consent
 * of the user. Without consent, or if the server cannot start with it, the server uses the configuration in the data
 * folder.
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

  /** Sets a file that was opened by a double click. Call it before the server starts. */
  open(configFile: string): void {
    this.#file = { configFile, isConfigOpened: true };
  }

  /** Asks for consent, if the file was opened by a double click. */
  async confirm(): Promise<void> {
    const { configFile, isConfigOpened } = this.#file;
    if (configFile !== null && isConfigOpened && !(await this.#options.confirm(configFile))) this.#file = DEFAULT_FILE;
  }

  /** Records that the server has started with the file. Later failures have other causes. */
  ran(): void {
    this.#hasRun = true;
  }

  /** Handles a failed start. Returns true if the server should start again with another file. */
  failed(error: ErrorValue): boolean {
    const { configFile, isConfigOpened } = this.#file;
    if (configFile === null || !isConfigOpened || this.#hasRun) return false;
    this.#file = DEFAULT_FILE;
    this.#options.refused(configFile, error);
    return true;
  }
}
