import type { Config } from '../config/schema/config.ts';
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

/** Configuration of the server: the text in force, the file and the versions. Its parts share one queue of changes. */
export class Configuration {
  readonly history: ConfigurationHistory;
  readonly changes: ConfigurationChanges;
  /** Confirms or rolls back the change on probation. */
  readonly probation: Pick<ConfigurationProbation, 'confirm' | 'rollback'>;
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

  /**
   * Loads the configuration and its history. `findStart` selects the configuration to run. If the file is invalid, `error` has
   * its first mistake.
   */
  static async load(options: ConfigurationOptions): Promise<Configuration> {
    return new Configuration(options, await findStart(options));
  }

  /** Configuration in force. */
  get config(): Config {
    return this.#inForce.config;
  }

  /** Text in force, with its parts. Contains secrets. */
  get document(): ConfigDocument {
    return this.#inForce.document;
  }

  /** Number of the version in force; null if it is not in the history. */
  get versionId(): number | null {
    return this.#inForce.versionId;
  }

  /**
   * Start of the server in epoch milliseconds, and number of changes since then. Compared in this order, the pair increases
   * with every change.
   */
  get revision(): readonly [startedMs: number, applied: number] {
    return this.#inForce.revision;
  }

  /** Mistake in the file; null while it is readable. */
  get error(): string | null {
    return this.#disk.error;
  }

  /** Whether the file equals the configuration in force, as far as is known. */
  get isOnDisk(): boolean {
    return this.#disk.isOnDisk;
  }

  /** Whether the file was edited since this server read or wrote it, as far as is known. */
  get isFileNewer(): boolean {
    return this.#disk.isNewer;
  }

  get pending(): PendingChange | null {
    return this.#probation.pending;
  }

  /** Whether the unchanged demonstration runs. */
  get isDemo(): boolean {
    return this.#inForce.isDemo;
  }

  /** Parses the file on disk, with its mistakes; undefined if there is none. Contains secrets. */
  fileDocument(): Promise<ConfigDocument | undefined> {
    return this.#disk.peek(this.#inForce.document);
  }

  /** Stops the timers; a change on probation is rolled back at the next start. Resolves when no change is in progress. */
  async close(): Promise<void> {
    this.#disk.close();
    this.#probation.close();
    await this.#queue.idle();
  }
}
