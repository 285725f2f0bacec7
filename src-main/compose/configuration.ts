import type { Fault } from '../../src-preload/contract/api/alarm-faults.ts';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Config } from '../config/schema/config.ts';
import { ConfigFile } from '../config/config-file.ts';
import { Configuration } from '../configuration/configuration.ts';
import { ConfigurationHistory } from '../configuration/configuration-history.ts';
import { checkOpened } from '../configuration/opened-configuration.ts';
import { checkPaths } from '../configuration/path-policy.ts';
import type { EventEmitter } from '../events/event-bus.ts';
import { messageOf } from '../lib/error-message.ts';
import { worldReadable } from '../lib/data-folder.ts';
import type { ServerOptions } from './server-options.ts';
import type { Storage } from './storage.ts';

/** Dependencies of `openConfiguration`. */
export interface ConfigurationDeps {
  readonly options: ServerOptions;
  readonly storage: Pick<Storage, 'versions'>;
  readonly events: EventEmitter;
  /** Applies a configuration on every unit. */
  readonly apply: (config: Config) => Promise<void>;
}

/** Configuration of the server. */
export interface ConfigurationUnit {
  readonly configuration: Configuration;
  /** Fault in the permissions of the file; null if there is none. */
  readonly rightsFault: Fault | null;
  /**
   * Reads the file again and applies it. If it has mistakes, logs them and rejects; the previous configuration
   * stays in force.
   */
  reload(): Promise<void>;
  close(): Promise<void>;
}

/** Reads the configuration and its history. */
export async function openConfiguration({
  options,
  storage,
  events,
  apply,
}: ConfigurationDeps): Promise<ConfigurationUnit> {
  const { dataFolder, resources, clock, log } = options;
  const defaultPath = join(dataFolder, 'airdesk.conf');
  const path = options.configFile ?? defaultPath;
  if (options.isConfigOpened === true && path !== defaultPath)
    await checkOpened(await readFile(path, 'utf8'), await readFile(defaultPath, 'utf8').catch(() => ''), dataFolder);
  const demoText = await readFile(join(resources, 'default.conf'), 'utf8');
  const rightsFault = await worldReadable(path);
  if (rightsFault !== null) log.warn(rightsFault);
  const configuration = await Configuration.load({
    file: new ConfigFile(path),
    history: new ConfigurationHistory(storage.versions, log),
    demoText,
    apply,
    check: (before, after, by, wasInForce) => checkPaths(before, after, by, { dataFolder, wasInForce }),
    clock,
    log,
    events,
  });
  return {
    configuration,
    rightsFault: rightsFault === null ? null : { fault: 'config_open_to_all', facts: { path } },
    async reload() {
      try {
        await configuration.changes.reload({ who: 'server', fromWhere: 'signal' });
      } catch (error) {
        log.error('the configuration was not reloaded', {
          error: messageOf(error),
        });
        throw error;
      }
    },
    close: () => configuration.close(),
  };
}
