import { hostname } from 'node:os';
import { EventServices } from '../control/system/event-services.ts';
import type { ClosingStack } from './closing-stack.ts';
import { openDataFolder, type DataFolder } from './data-folder.ts';
import type { ServerOptions } from './server-options.ts';
import { openCatalog, openStorage, type CatalogFile, type Storage } from './storage.ts';
import { openSubscribers, type SubscribersUnit } from './subscribers.ts';

/** Content of the data folder: its lock, the databases and the queues of events. */
export interface Databases {
  readonly folder: DataFolder;
  readonly storage: Storage;
  readonly catalog: CatalogFile;
  readonly subscribers: SubscribersUnit;
  readonly events: EventServices;
}

/** Opens the data folder and its content. Rejects with the reason if this server cannot use the folder. */
export async function openDatabases(options: ServerOptions, closing: ClosingStack): Promise<Databases> {
  const { dataFolder, version, clock, log } = options;
  const folder = closing.use('data folder', await openDataFolder(options));
  const events = closing.use(
    'event queues',
    await EventServices.open({ dataFolder, server: hostname(), version, clock, log }),
  );
  const storage = closing.use('database', openStorage(options));
  return {
    folder,
    events,
    storage,
    catalog: closing.use('catalog', openCatalog(options)),
    subscribers: closing.use('subscribers', openSubscribers(options, storage, events.bus)),
  };
}
