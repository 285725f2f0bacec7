import type { ConfigChanges } from '../../src-preload/contract/config-language/config-changes.ts';

/** State of a version: permanently in force, on probation until it is confirmed, or rolled back. */
export type ConfigVersionState = 'confirmed' | 'pending' | 'rolled_back';

/** Configuration that was applied. */
export interface ConfigVersion {
  /** Counts up; never used twice. */
  readonly id: number;
  /** Previous version in force; null for the first version. The previous version may have been dropped. */
  readonly parentId: number | null;
  /** Epoch milliseconds. */
  readonly atMs: number;
  /** Author of the change: a login, or another name of the caller. */
  readonly who: string;
  /** Origin of the change: `start`, `file`, `desk`, `api` … */
  readonly fromWhere: string;
  /** Summary of the difference from the previous version, in English. */
  readonly summary: string;
  /** Facts of the summary; null for a version that an earlier release stored. */
  readonly changes: ConfigChanges | null;
  readonly state: ConfigVersionState;
  /** Time of a pending version's rollback, epoch milliseconds; null for other versions. */
  readonly confirmByMs: number | null;
  /** Whether the version was also written to the file. */
  readonly isOnDisk: boolean;
  /** Length of the text in characters. */
  readonly length: number;
}

/** Version that has no number yet. */
export type NewConfigVersion = Omit<ConfigVersion, 'id' | 'length'>;
