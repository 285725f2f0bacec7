import type { Config } from '../config/config.ts';
import type { ConfigFile } from '../config/config-file.ts';
import type { EventEmitter } from '../events/event-bus.ts';
import type { Clock } from '../lib/clock.ts';
import type { Log } from '../lib/log.ts';
import type { ChangedBy } from '../operators/caller.ts';
import type { ConfigurationHistory } from './configuration-history.ts';

/** What the configuration works with. */
export interface ConfigurationOptions {
  readonly file: ConfigFile;
  readonly history: ConfigurationHistory;
  /** The configuration of a server that has none yet. */
  readonly demoText: string;
  /** Puts a configuration into force: only what differs from the one before is touched. */
  readonly apply: (config: Config) => Promise<void>;
  readonly clock: Clock;
  readonly log: Log;
  /** Raises what forbids a change that came through the APIs or the desk. */
  readonly check?: (before: Config, after: Config, by: ChangedBy) => Promise<void>;
  /** Where changes are shown; nowhere without it. */
  readonly events?: EventEmitter;
}
