import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { systemClock } from '../../src-main/lib/clock.ts';
import { silentLog } from '../../src-main/lib/log.ts';
import { AirdeskServer } from '../../src-main/server.ts';

type Options = ConstructorParameters<typeof AirdeskServer>[0];

/**
 * Server from the sources, in this process, not started yet.
 *
 * @param folder data folder, which also contains the configuration
 * @param more further options
 */
export function sourceServer(folder: string, configuration: string, more: Partial<Options> = {}): AirdeskServer {
  const root = new URL('../..', import.meta.url);
  writeFileSync(join(folder, 'airdesk.conf'), configuration);
  return new AirdeskServer({
    dataFolder: folder,
    version: '0.0.0',
    resources: fileURLToPath(new URL('resources', root)),
    playerLibraryFolder: folder,
    mediaThreadEntry: new URL('src-main/media-thread.ts', root),
    databaseThreadEntry: new URL('src-main/database-thread.ts', root),
    codecProcessEntry: new URL('src-main/codec-process.ts', root),
    exportThreadEntry: new URL('src-main/export-thread.ts', root),
    indexThreadEntry: new URL('src-main/index-thread.ts', root),
    mediaThreads: 0,
    clock: systemClock,
    log: silentLog,
    ...more,
  });
}
