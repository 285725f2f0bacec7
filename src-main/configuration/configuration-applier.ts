import { summarize, summarizeVersion } from '../config/change-summary.ts';
import type { ConfigChange } from '../config/diff-config.ts';
import type { ConfigDocument } from '../config/document.ts';
import type { NewConfigVersion } from '../db/config-version.ts';
import { nextTurn } from '../lib/turns.ts';
import type { ChangedBy } from '../operators/caller.ts';
import type { Applied, ChangeOptions } from './configuration-change.ts';
import type { ConfigurationDisk } from './configuration-disk.ts';
import { ConfigurationError } from './configuration-error.ts';
import type { ConfigurationInForce } from './configuration-in-force.ts';
import type { ConfigurationOptions } from './configuration-options.ts';
import type { ConfigurationProbation } from './configuration-probation.ts';

export interface ApplierOptions extends Pick<ConfigurationOptions, 'history' | 'clock' | 'check'> {
  readonly disk: ConfigurationDisk;
  readonly inForce: ConfigurationInForce;
  readonly probation: ConfigurationProbation;
}

/**
 * Writes a complete document to the history and to the file, and applies it, in this order. Only one call may run at a time.
 */
export class ConfigurationApplier {
  readonly #options: ApplierOptions;

  constructor(options: ApplierOptions) {
    this.#options = options;
  }

  /** Applies a changed document. Raises its mistakes, or the rule that forbids it; then nothing has changed. */
  async apply(document: ConfigDocument, by: ChangedBy, options: ChangeOptions): Promise<Applied> {
    const { history, clock, disk, inForce, probation } = this.#options;
    const { config, text } = document;
    const { isSaved = true, confirmWithinMs, overwritesFile = false, isDryRun = false, wasInForce = false } = options;
    probation.requireNone();
    if (!config) throw new ConfigurationError(document.errors);
    options.checkResult?.(inForce.config, config);
    await this.#options.check?.(inForce.config, config, by, wasInForce);
    if (isSaved && !overwritesFile) disk.requireReadable();
    const change = await inForce.diff(config);
    const unchanged = { config, document, versionId: inForce.versionId, change };
    // An unchanged text creates no version, unless it must be written to a file with another text.
    if (text === inForce.document.text && (disk.isOnDisk || !isSaved)) return unchanged;
    const isOnProbation = confirmWithinMs !== undefined;
    if (isDryRun) {
      if (isSaved && !isOnProbation && !overwritesFile) await disk.requireUnchanged();
      return unchanged;
    }
    const confirmByMs = clock.now() + (confirmWithinMs ?? 0);
    // From here on the version is in the history. After a crash, the next start reads from the file whether the version took
    // effect.
    await nextTurn();
    const versionId = await history.add(
      { ...this.#version(document, change, by), state: 'pending', confirmByMs, isOnDisk: isSaved },
      text,
    );
    if (isSaved && !isOnProbation) {
      await disk.save(text, overwritesFile).catch((cause: unknown) => {
        history.remove(versionId);
        throw cause;
      });
    }
    await nextTurn();
    if (isOnProbation) probation.start(confirmWithinMs, { versionId, confirmByMs, by, isSaved });
    else history.settle(versionId, 'confirmed');
    if (!isSaved || isOnProbation) disk.setOnDisk(false);
    return inForce.put({ document, versionId, change, by, state: isOnProbation ? 'pending' : 'confirmed' });
  }

  /** Reads the file and applies it. If the file has mistakes, raises them and keeps the previous configuration. */
  async reload(by: ChangedBy): Promise<Applied> {
    const { history, disk, inForce, probation } = this.#options;
    probation.requireNone();
    const wasBroken = disk.error !== null;
    const document = await disk.load(inForce.document);
    // A repaired file has the text of the version in force, so it is not a new version.
    const isNew = document.text !== inForce.document.text || (!disk.isOnDisk && !wasBroken);
    const change = await inForce.diff(document.config);
    const versionId = isNew
      ? await history.add(
          { ...this.#version(document, change, by), state: 'confirmed', confirmByMs: null, isOnDisk: true },
          document.text,
        )
      : inForce.versionId;
    disk.setOnDisk(true);
    return inForce.put({ document, versionId, change, by, state: 'confirmed' });
  }

  #version(
    { text }: ConfigDocument,
    change: ConfigChange,
    { who, fromWhere }: ChangedBy,
  ): Pick<NewConfigVersion, 'parentId' | 'atMs' | 'who' | 'fromWhere' | 'summary' | 'changes'> {
    const { clock, inForce } = this.#options;
    const summary = text === inForce.document.text ? summarizeVersion('saved') : summarize(change);
    return { parentId: inForce.versionId, atMs: clock.now(), who, fromWhere, ...summary };
  }
}
