import { AirdeskError } from '../../src-preload/contract/errors.ts';
import type { Config } from '../config/schema/config.ts';
import { diffConfigInSteps, type ConfigChange } from '../config/diff-config.ts';
import type { ConfigDocument } from '../config/document.ts';
import type { ConfigVersionState } from '../db/config-version.ts';
import { runInTurns } from '../lib/turns.ts';
import type { ChangedBy } from '../operators/caller.ts';
import type { Applied } from './configuration-change.ts';
import type { ConfigurationReports } from './configuration-reports.ts';
import type { StartingPoint } from './configuration-start.ts';

export interface NextInForce extends Pick<Applied, 'document' | 'versionId' | 'change'> {
  readonly by: ChangedBy;
  /** State of the version: permanent, on probation, or restored after a probation. */
  readonly state: ConfigVersionState;
}

export interface InForceOptions {
  /** Applies a configuration and touches only the differences from the previous one. */
  readonly apply: (config: Config) => Promise<void>;
  readonly reports: ConfigurationReports;
  /** Configuration of the demonstration, for a server that has no configuration yet. */
  readonly demoText: string;
  /** Start of the server, epoch milliseconds. */
  readonly startedMs: number;
}

/** Text in force and its version. */
export class ConfigurationInForce {
  readonly #options: InForceOptions;
  #document: ConfigDocument;
  #config: Config;
  #versionId: number | null;
  #applied = 0;

  constructor(options: InForceOptions, { document, versionId }: StartingPoint) {
    if (!document.config) throw new AirdeskError('internal', 'A configuration with mistakes cannot be in force');
    this.#options = options;
    this.#document = document;
    this.#config = document.config;
    this.#versionId = versionId;
  }

  get config(): Config {
    return this.#config;
  }

  /** Contains secrets. */
  get document(): ConfigDocument {
    return this.#document;
  }

  /** Number of the version in force; null if it is not in the history. */
  get versionId(): number | null {
    return this.#versionId;
  }

  /** Whether the unchanged demonstration is in force. */
  get isDemo(): boolean {
    return this.#document.text === this.#options.demoText;
  }

  /**
   * Start of the server in epoch milliseconds, and number of changes since then. Compared in this order, the pair increases
   * with every change.
   */
  get revision(): readonly [startedMs: number, applied: number] {
    return [this.#options.startedMs, this.#applied];
  }

  /** Difference from another configuration. */
  diff(config = this.#config): Promise<ConfigChange> {
    return runInTurns(diffConfigInSteps(this.#config, config));
  }

  /** Applies a document. Resolves when every part of the server has applied it or failed to. */
  async put({ document, versionId, change, by, state }: NextInForce): Promise<Applied> {
    const { apply, reports } = this.#options;
    const config = document.config ?? this.#config;
    reports.warnings(document, this.#document);
    this.#document = document;
    this.#config = config;
    this.#versionId = versionId;
    this.#applied++;
    // The change is in force and on the disk. A failure of one stream does not undo the change.
    await apply(config).catch((cause: unknown) => {
      reports.partFailed(cause);
    });
    const applied = { config, document, versionId, change };
    reports.applied(applied, by, state);
    return applied;
  }
}
