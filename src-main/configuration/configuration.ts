import type { Config } from '../config/config.ts';
import type { ConfigDocument } from '../config/document.ts';
import { ChangeQueue } from './change-queue.ts';
import { ConfigurationApplier } from './configuration-applier.ts';
import type { PendingChange } from './configuration-change.ts';
import { ConfigurationChanges } from './configuration-changes.ts';
import { ConfigurationDisk } from './configuration-disk.ts';
import type { ConfigurationHistory } from './configuration-history.ts';
import { ConfigurationInForce } from './configuration-in-force.ts';
import type { ConfigurationOptions } from './configuration-options.ts';
import { ConfigurationProbation } from './configuration-probation.ts';
import { ConfigurationReports } from './configuration-reports.ts';
import { findStart, type StartingPoint } from './configuration-start.ts';
import { ConfigurationVersions } from './configuration-versions.ts';

/** The configuration of the server: the text in force, the file, the versions. Joins the parts that know how; they share one queue of changes. */
export class Configuration {
  readonly history: ConfigurationHistory;
  /** Changes of what is in force. */
  readonly changes: ConfigurationChanges;
  /** Confirms or takes back the change that waits for it. */
  readonly probation: Pick<ConfigurationProbation, 'confirm' | 'rollback'>;
  /** Brings versions of the history back. */
  readonly versions: ConfigurationVersions;
  readonly #queue = new ChangeQueue();
  readonly #disk: ConfigurationDisk;
  readonly #inForce: ConfigurationInForce;
  readonly #probation: ConfigurationProbation;

  private constructor(options: ConfigurationOptions, start: StartingPoint) {
    const reports = new ConfigurationReports(options);
    const inForce = new ConfigurationInForce({ ...options, reports, startedMs: options.clock.now() }, start);
    const disk = new ConfigurationDisk({ ...options, reports }, start.error);
    const parts = { ...options, queue: this.#queue, disk, inForce, reports };
    const probation = new ConfigurationProbation(parts);
    const applier = new ConfigurationApplier({ ...parts, probation });
    this.history = options.history;
    this.probation = probation;
    this.changes = new ConfigurationChanges({ ...parts, applier });
    this.versions = new ConfigurationVersions({ ...parts, applier });
    this.#disk = disk;
    this.#inForce = inForce;
    this.#probation = probation;
  }

  /** Reads the configuration and its history. What is wrong with the file is in `error`; see `findStart` for what runs then. */
  static async load(options: ConfigurationOptions): Promise<Configuration> {
    return new Configuration(options, await findStart(options));
  }

  /** What is in force. */
  get config(): Config {
    return this.#inForce.config;
  }

  /** The text in force, with what is known of its parts. There are secrets in it. */
  get document(): ConfigDocument {
    return this.#inForce.document;
  }

  /** Number of the version in force; null where it is not in the history. */
  get versionId(): number | null {
    return this.#inForce.versionId;
  }

  /** Rises with everything that is put into force, also over restarts: compare the first number, then the second. */
  get revision(): readonly [startedMs: number, applied: number] {
    return this.#inForce.revision;
  }

  /** What is wrong with the file on disk; null while it can be read. */
  get error(): string | null {
    return this.#disk.error;
  }

  /** Whether the file says what is in force, as far as is known. */
  get isOnDisk(): boolean {
    return this.#disk.isOnDisk;
  }

  /** Whether the file was edited since it was read or written here, as far as is known. */
  get isFileNewer(): boolean {
    return this.#disk.isNewer;
  }

  /** The change that waits for its confirmation. */
  get pending(): PendingChange | null {
    return this.#probation.pending;
  }

  /** Whether the demonstration runs as it was shipped. */
  get isDemo(): boolean {
    return this.#inForce.isDemo;
  }

  /** The file on disk, with its mistakes; undefined where there is no file. There are secrets in it. */
  fileDocument(): Promise<ConfigDocument | undefined> {
    return this.#disk.peek(this.#inForce.document);
  }

  /** Ends the timers; a change on probation is taken back at the next start. Resolves when no change is under way. */
  async close(): Promise<void> {
    this.#disk.close();
    this.#probation.close();
    await this.#queue.idle();
  }
}
