import { AirdeskError } from '../../src-preload/contract/errors.ts';
import { ConfigDocument } from '../config/document.ts';
import type { ChangedBy } from '../operators/caller.ts';
import type { ChangeQueue } from './change-queue.ts';
import type { ConfigurationApplier } from './configuration-applier.ts';
import type { Applied, ChangeOptions } from './configuration-change.ts';
import { ConfigurationError } from './configuration-error.ts';
import type { ConfigurationHistory } from './configuration-history.ts';
import type { ConfigurationInForce } from './configuration-in-force.ts';

export interface VersionsOptions {
  readonly queue: ChangeQueue;
  readonly history: ConfigurationHistory;
  readonly inForce: Pick<ConfigurationInForce, 'document' | 'versionId'>;
  readonly applier: ConfigurationApplier;
}

/** Versions of the history as documents, and their restoration. */
export class ConfigurationVersions {
  readonly #options: VersionsOptions;

  constructor(options: VersionsOptions) {
    this.#options = options;
  }

  /** Parses a version of the history. Contains secrets. Raises `config_version_not_found`. */
  async document(id: number): Promise<ConfigDocument> {
    const { history, inForce } = this.#options;
    return ConfigDocument.parseInTurns(await history.text(id), inForce.document);
  }

  /** Applies a version of the history. Raises `config_version_not_found`. */
  restore(id: number, by: ChangedBy, options: ChangeOptions = {}): Promise<Applied> {
    return this.#options.queue.run(() => this.#restore(id, by, options));
  }

  /**
   * Undoes the change that created a version: applies the previous version. Raises `config_changed_since` if another
   * version is in force already, and `config_version_not_found`.
   */
  undo(id: number, by: ChangedBy): Promise<Applied> {
    const { queue, history, inForce } = this.#options;
    return queue.run(async () => {
      const { parentId } = history.get(id);
      if (inForce.versionId !== id)
        throw new AirdeskError(
          'config_changed_since',
          `Version ${id} is no longer in force: the configuration has changed since`,
        );
      if (parentId === null)
        throw new AirdeskError('config_version_not_found', `Version ${id} has no previous version`);
      return this.#restore(parentId, by, {});
    });
  }

  async #restore(id: number, by: ChangedBy, options: ChangeOptions): Promise<Applied> {
    const document = await this.document(id);
    if (!document.config) throw new ConfigurationError(document.errors);
    options.check?.();
    return this.#options.applier.apply(document, by, { ...options, wasInForce: true });
  }
}
