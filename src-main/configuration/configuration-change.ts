import type { Config } from '../config/schema/config.ts';
import type { ConfigDocument } from '../config/document.ts';
import type { ConfigChange } from '../config/diff-config.ts';
import type { ChangedBy } from '../operators/caller.ts';

/** Options for putting a change into force. */
export interface ChangeOptions {
  /** Whether the file is written too; default true. Otherwise the change lasts until the next start or reload. */
  readonly isSaved?: boolean;
  /**
   * Probation of the change, in milliseconds: unless it is confirmed, it is rolled back then, and at a restart. Permanent if
   * absent.
   */
  readonly confirmWithinMs?: number | undefined;
  /** Raises a reason against the change. Called in its turn, after all earlier changes. */
  readonly check?: (() => void) | undefined;
  /** Raises a reason against the result, before anything is changed. */
  readonly checkResult?: ((before: Config, after: Config) => void) | undefined;
  /** Whether nothing is changed: all checks run, and the answer is the result that the change would have. */
  readonly isDryRun?: boolean;
  /** Whether a file with mistakes, or one that others changed, may be overwritten. A copy of it is kept in the same folder. */
  readonly overwritesFile?: boolean;
  /** Whether it is a version of the history, which was in force before; default false. */
  readonly wasInForce?: boolean;
}

/** Change that was put into force, or the result of a dry run. */
export interface Applied {
  readonly config: Config;
  readonly document: ConfigDocument;
  /** Number in the history; null if it could not be stored. */
  readonly versionId: number | null;
  /** Difference from the previous configuration. */
  readonly change: ConfigChange;
}

/** Change that waits for its confirmation. */
export interface PendingChange {
  readonly versionId: number | null;
  /** Time of the rollback, epoch milliseconds. */
  readonly confirmByMs: number;
  readonly by: ChangedBy;
}
