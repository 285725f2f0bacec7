import type { Config } from '../config/schema/config.ts';
import type { ConfigDocument } from '../config/document.ts';
import type { ConfigChange } from '../config/diff-config.ts';
import type { ChangedBy } from '../operators/caller.ts';

export interface ChangeOptions {
  /** Whether the file is written too; default true. Otherwise the change lasts until the next start or reload. */
  readonly isSaved?: boolean;
  /**
   * Duration of the probation in milliseconds. Unless the change is confirmed in time, it is rolled back, and also at a
   * restart. Permanent if absent.
   */
  readonly confirmWithinMs?: number | undefined;
  /** Raises the error that forbids the change. Called after all earlier changes were applied. */
  readonly check?: (() => void) | undefined;
  /** Raises the error that forbids the resulting configuration. Called before anything is changed. */
  readonly checkResult?: ((before: Config, after: Config) => void) | undefined;
  /** Whether only the checks run. The answer is then the result that the change would have. */
  readonly isDryRun?: boolean;
  /** Whether a file with mistakes or external edits may be overwritten. A copy of it is kept in the same folder. */
  readonly overwritesFile?: boolean;
  /** Whether the text is a version of the history; default false. */
  readonly wasInForce?: boolean;
}

/** Change that was applied, or the result of a dry run. */
export interface Applied {
  readonly config: Config;
  readonly document: ConfigDocument;
  /** Number in the history; null if it could not be stored. */
  readonly versionId: number | null;
  /** Difference from the previous configuration. */
  readonly change: ConfigChange;
}

/** Change that awaits confirmation. */
export interface PendingChange {
  readonly versionId: number | null;
  /** Time of the rollback, epoch milliseconds. */
  readonly confirmByMs: number;
  readonly by: ChangedBy;
}
