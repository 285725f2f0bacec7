import type { Config } from '../config/schema/config.ts';
import type { ConfigFile } from '../config/config-file.ts';
import type { EventEmitter } from '../events/event-bus.ts';
import type { Clock } from '../lib/clock.ts';
import type { Log } from '../lib/log.ts';
import type { ChangedBy } from '../operators/caller.ts';
import type { ConfigurationHistory } from './configuration-history.ts';

export interface ConfigurationOptions {
  readonly file: ConfigFile;
  readonly history: ConfigurationHistory;
  /** Configuration of the demonstration, for a server that has no configuration yet. */
  readonly demoText: string;
  /** Applies a configuration and touches only the differences from the previous one. */
  readonly apply: (config: Config) => Promise<void>;
  readonly clock: Clock;
  readonly log: Log;
  /**
   * Raises the reason that forbids a change through the APIs or the desk.
   * @param wasInForce true if `after` is a version of the history
   */
  readonly check?: (before: Config, after: Config, by: ChangedBy, wasInForce: boolean) => Promise<void>;
  /** Receives the changes as events, if given. */
  readonly events?: EventEmitter;
}
