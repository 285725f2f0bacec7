import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { parseArgs } from 'node:util';
import { fileURLToPath } from 'node:url';
import { consoleLog } from './lib/console-log.ts';
import { systemClock } from './lib/clock.ts';
import { dataFolder } from './lib/data-folder.ts';
import { siblingEntry } from './lib/sibling-entry.ts';
import { AirdeskServer } from './server.ts';

// Entry of the server without a window: `npm run serve -- --config FILE --data DIR`.
const { values } = parseArgs({ options: { config: { type: 'string' }, data: { type: 'string' }, 'log-level': { type: 'string' } } });
const log = consoleLog(values['log-level'] ?? process.env['AIRDESK_LOG_LEVEL'] ?? 'info');
const root = new URL(import.meta.url.endsWith('.ts') ? '..' : '../..', import.meta.url);
const deskFolder = fileURLToPath(new URL('out/renderer', root));
// package.json is part of the application, so its version is there.
const { version } = JSON.parse(await readFile(new URL('package.json', root), 'utf8')) as { version: string };

const server = new AirdeskServer({
  dataFolder: values.data ?? dataFolder(process.platform, process.env, homedir()),
  ...(values.config === undefined ? {} : { configFile: values.config }),
  version,
  resources: fileURLToPath(new URL('resources', root)),
  ...(existsSync(deskFolder) ? { deskFolder } : {}),
  mediaThreadEntry: siblingEntry('media-thread', import.meta.url),
  codecProcessEntry: siblingEntry('codec-process', import.meta.url),
  clock: systemClock,
  log,
});

let isStopping = false;
async function stop(exitCode: number): Promise<void> {
  if (isStopping) return;
  isStopping = true;
  await server.close();
  process.exit(exitCode);
}
process.on('SIGTERM', () => void stop(0));
process.on('SIGINT', () => void stop(0));

try {
  await server.start();
  console.log(`airdesk ready ${server.url}`);
} catch (error) {
  console.error(`airdesk cannot start: ${error instanceof Error ? error.message : String(error)}`);
  await stop(1);
}
