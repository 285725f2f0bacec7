import type { Config } from '../config/config.ts';
import type { ConfigDocument } from '../config/document.ts';
import type { ConfigChange } from '../config/diff-config.ts';
import type { ChangedBy } from '../operators/caller.ts';

/** How a change is put into force. */
export interface ChangeOptions {
  /** Whether the file gets it too; default true. Without it the change lasts until the next start or reload. */
  readonly isSaved?: boolean;
  /** How long the change is on probation, in milliseconds: it is taken back then, and at a restart, unless it is confirmed. Without it the change is for good. */
  readonly confirmWithinMs?: number | undefined;
  /** Raises what keeps the change from being made; asked when its turn comes, after all changes before it. */
  readonly check?: (() => void) | undefined;
  /** Whether nothing is changed: what keeps the change from being made is raised, and the answer says what it would make. */
  readonly isDryRun?: boolean;
  /** Whether a file with mistakes, or one that others changed, may be overwritten; a copy of it is kept beside it. */
  readonly overwritesFile?: boolean;
}

/** A change that was put into force, or that would be. */
export interface Applied {
  readonly config: Config;
  readonly document: ConfigDocument;
  /** Its number in the history; null where it could not be kept there. */
  readonly versionId: number | null;
  /** What differs from the configuration before. */
  readonly change: ConfigChange;
}

/** A change that waits for its confirmation. */
export interface PendingChange {
  readonly versionId: number | null;
  /** When it is taken back, epoch milliseconds. */
  readonly confirmByMs: number;
  readonly by: ChangedBy;
}
