import { AirdeskError } from '../../src-preload/contract/errors.ts';
import type { ConfigFile } from '../config/config-file.ts';
import { ConfigDocument } from '../config/document.ts';
import { timeInFileName, type Clock } from '../lib/clock.ts';
import { documentOfFile } from './changed-document.ts';
import { describeFailure } from './configuration-error.ts';
import type { ConfigurationReports } from './configuration-reports.ts';
import { ConfigFileWatch } from './file-watch.ts';

/** What the file is read and written with. */
export interface ConfigurationDiskOptions {
  readonly file: ConfigFile;
  readonly clock: Clock;
  readonly reports: ConfigurationReports;
}

/** The configuration file, and what is known of it: whether it can be read, and whether it says what is in force. */
export class ConfigurationDisk {
  readonly #file: ConfigFile;
  readonly #clock: Clock;
  readonly #reports: ConfigurationReports;
  readonly #watch: ConfigFileWatch;
  #error: string | null;
  #isOnDisk: boolean;

  /** @param error what is wrong with the file at the start; null where it says what is in force */
  constructor({ file, clock, reports }: ConfigurationDiskOptions, error: string | null) {
    this.#file = file;
    this.#clock = clock;
    this.#reports = reports;
    this.#watch = new ConfigFileWatch(file, clock);
    this.#error = error;
    this.#isOnDisk = error === null;
  }

  /** What is wrong with the file; null while it can be read. */
  get error(): string | null {
    return this.#error;
  }

  /** Whether the file says what is in force, as far as is known. */
  get isOnDisk(): boolean {
    return this.#isOnDisk;
  }

  /** Whether the file was edited since it was read or written here, as far as is known. */
  get isNewer(): boolean {
    return this.#watch.isNewer;
  }

  /** Records whether the file says what is in force from now on. */
  setOnDisk(isOnDisk: boolean): void {
    this.#isOnDisk = isOnDisk;
  }

  /** The file with its mistakes, without taking note of it; undefined where there is none. @param previous most likely has much in common */
  async peek(previous: ConfigDocument): Promise<ConfigDocument | undefined> {
    const text = await this.#file.peek();
    return text === undefined ? undefined : ConfigDocument.parseInTurns(text, previous);
  }

  /** Reads the file to put it into force. Raises what is wrong with it, which is reported and in `error` then. @param previous most likely has much in common */
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

  /** Writes the file. @param overwritesFile whether it may have mistakes or edits of others, of which a copy is kept then; otherwise edits of others raise */
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
        `The configuration file is invalid and is not overwritten: ${this.#error}`,
      );
  }

  /** Raises where others changed the file since it was read or written here. */
  async requireUnchanged(): Promise<void> {
    await this.#file.requireUnchanged();
  }

  /** Looks at the file no more. */
  close(): void {
    this.#watch.close();
  }
}
