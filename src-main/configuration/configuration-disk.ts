import { AirdeskError } from '../../src-preload/contract/errors.ts';
import type { ConfigFile } from '../config/config-file.ts';
import { ConfigDocument } from '../config/document.ts';
import { timeInFileName, type Clock } from '../lib/clock.ts';
import { documentOfFile } from './changed-document.ts';
import { describeFailure } from './configuration-error.ts';
import type { ConfigurationReports } from './configuration-reports.ts';
import { ConfigFileWatch } from './file-watch.ts';

export interface ConfigurationDiskOptions {
  readonly file: ConfigFile;
  readonly clock: Clock;
  readonly reports: ConfigurationReports;
}

/** State of the configuration file: whether it is readable, and whether it equals the configuration in force. */
export class ConfigurationDisk {
  readonly #file: ConfigFile;
  readonly #clock: Clock;
  readonly #reports: ConfigurationReports;
  readonly #watch: ConfigFileWatch;
  #error: string | null;
  #isOnDisk: boolean;

  /** @param error mistake in the file at the start; null if the file is in force */
  constructor({ file, clock, reports }: ConfigurationDiskOptions, error: string | null) {
    this.#file = file;
    this.#clock = clock;
    this.#reports = reports;
    this.#watch = new ConfigFileWatch(file, clock);
    this.#error = error;
    this.#isOnDisk = error === null;
  }

  /** Mistake in the file; null while it is readable. */
  get error(): string | null {
    return this.#error;
  }

  /** Whether the file equals the configuration in force, as far as is known. */
  get isOnDisk(): boolean {
    return this.#isOnDisk;
  }

  /** Whether the file was edited since this server read or wrote it, as far as is known. */
  get isNewer(): boolean {
    return this.#watch.isNewer;
  }

  /** Records whether the file equals the configuration in force from now on. */
  setOnDisk(isOnDisk: boolean): void {
    this.#isOnDisk = isOnDisk;
  }

  /**
   * Reads and parses the file without changing the recorded state; undefined if there is no file.
   *
   * @param previous similar document whose parts are reused
   */
  async peek(previous: ConfigDocument): Promise<ConfigDocument | undefined> {
    const text = await this.#file.peek();
    return text === undefined ? undefined : ConfigDocument.parseInTurns(text, previous);
  }

  /**
   * Reads the file for an application. Mistakes are reported, stored in `error`, and raised.
   * @param previous similar document whose parts are reused
   */
  async load(previous: ConfigDocument): Promise<ConfigDocument> {
    try {
      const text = await this.#file.load();
      this.#watch.settle();
      const document = await documentOfFile(this.#file, text, previous);
      this.#error = null;
      return document;
    } catch (cause) {
      this.#error = describeFailure(cause);
      this.#isOnDisk = false;
      this.#reports.refused(cause, this.#error);
      throw cause;
    }
  }

  /**
   * Writes the file.
   * @param overwritesFile true to overwrite a file with mistakes or external edits, after copying it; if false, external edits
   * raise an error
   */
  async save(text: string, overwritesFile: boolean): Promise<void> {
    if (overwritesFile && (this.#error !== null || (await this.#file.isChangedOnDisk())))
      this.#reports.overwriting(await this.#file.copyAside(timeInFileName(this.#clock.now())));
    await this.#file.save(text);
    this.#watch.settle();
    this.#error = null;
    this.#isOnDisk = true;
  }

  /** Raises `config_file_broken` while the file has mistakes. */
  requireReadable(): void {
    if (this.#error !== null)
      throw new AirdeskError(
        'config_file_broken',
        `The configuration file has a mistake and is not overwritten. Correct the file, or overwrite it explicitly. ${this.#error}`,
      );
  }

  /** Raises an error if the file was edited since this server read or wrote it. */
  async requireUnchanged(): Promise<void> {
    await this.#file.requireUnchanged();
  }

  /** Stops watching the file. */
  close(): void {
    this.#watch.close();
  }
}
