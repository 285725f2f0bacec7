/** What became of a configuration: in force for good, on probation until it is confirmed, or taken back. */
export type ConfigVersionState = 'confirmed' | 'pending' | 'rolled_back';

/** One configuration that was put into force. */
export interface ConfigVersion {
  /** Counts up; never used twice. */
  readonly id: number;
  /** The version that was in force before; null for the first. It may have been forgotten meanwhile. */
  readonly parentId: number | null;
  /** Epoch milliseconds. */
  readonly atMs: number;
  /** Author of the change: a login, or what the server knows of the caller. */
  readonly who: string;
  /** By which way it came: `start`, `file`, `desk`, `api` … */
  readonly fromWhere: string;
  /** The difference to the parent in a few words. */
  readonly summary: string;
  readonly state: ConfigVersionState;
  /** When a pending version is taken back, epoch milliseconds; null for others. */
  readonly confirmByMs: number | null;
  /** Whether it was written into the file, too. */
  readonly isOnDisk: boolean;
  /** Characters of the text. */
  readonly length: number;
}

/** A version before it has a number. */
export type NewConfigVersion = Omit<ConfigVersion, 'id' | 'length'>;
