import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { dataFolder } from '../lib/data-folder.ts';
import type { ThreadStart } from './ipc/thread-messages.ts';

/** Extension of configuration files. The installers associate it with the application. */
const CONFIGURATION = '.airdesk';

/**
 * Reads `--data DIR`, `--config FILE`, a double-clicked configuration file and the state of Chromium's sandbox from the
 * command line and the environment. All other arguments belong to Electron.
 */
export function startOptions(
  args: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
  home: string,
): ThreadStart {
  const { values, positionals } = parseArgs({
    args: [...args],
    strict: false,
    options: { data: { type: 'string' }, config: { type: 'string' } },
  });
  const { data } = values;
  const config = values.config ?? positionals.find((file) => file.endsWith(CONFIGURATION));
  return {
    dataDir: typeof data === 'string' ? resolve(data) : dataFolder(process.platform, env, home),
    hasSandbox: values['no-sandbox'] === undefined && !env['ELECTRON_DISABLE_SANDBOX'],
    configFile: typeof config === 'string' ? resolve(config) : null,
    isConfigOpened: values.config === undefined && config !== undefined,
  };
}
