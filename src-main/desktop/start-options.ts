import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { dataFolder } from '../lib/data-folder.ts';
import type { ThreadStart } from './ipc/thread-messages.ts';

/** File extension associated with the application by the installers. */
const CONFIGURATION = '.airdesk';

/**
 * Reads `--data DIR` and `--config FILE` from the command line, the file of a double click, and the state of Chromium's
 * sandbox. All other arguments belong to Electron.
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
