import { join } from 'node:path';
import { ConfigFile } from '../../src-main/config/config-file.ts';
import { Configuration } from '../../src-main/configuration/configuration.ts';
import { ConfigurationHistory } from '../../src-main/configuration/configuration-history.ts';
import { ConfigVersionReader } from '../../src-main/db/config-version-reader.ts';
import { ConfigVersionWriter } from '../../src-main/db/config-version-writer.ts';
import { Database } from '../../src-main/db/database.ts';
import { TextSeal } from '../../src-main/db/text-seal.ts';
import { systemClock } from '../../src-main/lib/clock.ts';
import { silentLog } from '../../src-main/lib/log.ts';

/** Configuration of a folder with its database, as a server opens it at the start. */
export async function openConfiguration(
  folder: string,
): Promise<{ readonly configuration: Configuration; readonly database: Database }> {
  const database = Database.open(join(folder, 'airdesk.db'), { log: silentLog, now: () => systemClock.now() });
  const seal = TextSeal.ofFile(join(folder, 'airdesk.key'));
  const history = new ConfigurationHistory(
    {
      reader: new ConfigVersionReader(database.connection, seal),
      writer: new ConfigVersionWriter(database.connection, seal),
    },
    silentLog,
  );
  const file = new ConfigFile(join(folder, 'airdesk.conf'));
  return {
    database,
    configuration: await Configuration.load({
      file,
      history,
      demoText: 'http 8080;\n',
      apply: () => Promise.resolve(),
      clock: systemClock,
      log: silentLog,
    }),
  };
}

// Program: changes the configuration of a folder endlessly, and reports its fourth change.
const folder = process.argv[2];
if (process.argv[1]?.endsWith('configuration-changer.ts') && folder !== undefined) {
  const { configuration } = await openConfiguration(folder);
  for (let count = 0; ; count++) {
    await configuration.changes.merge(
      { streams: { cam: { title: `Title ${process.pid} ${count}` } } },
      { who: 'changer', fromWhere: 'api' },
    );
    if (count === 3) process.stdout.write('changing');
  }
}
