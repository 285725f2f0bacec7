import { join } from 'node:path';
import type { VersionStore } from '../configuration/configuration-history.ts';
import { ArchiveBlockReader } from '../db/archive-block-reader.ts';
import { ArchiveBlockWriter } from '../db/archive-block-writer.ts';
import { ConfigVersionReader } from '../db/config-version-reader.ts';
import { ConfigVersionWriter } from '../db/config-version-writer.ts';
import { Database } from '../db/database.ts';
import { KeptAnswers } from '../db/kept-answers.ts';
import { KeptArchiveLocks } from '../db/kept-archive-locks.ts';
import { KeptTokenUses } from '../db/kept-token-uses.ts';
import { CATALOG_MIGRATIONS } from '../db/migrations.ts';
import { TextSeal } from '../db/text-seal.ts';
import type { CatalogStore } from '../dvr/catalog/catalog-store.ts';
import type { ServerOptions } from './server-options.ts';
import { messageOf } from '../lib/error-message.ts';

/** What is kept in the database. Where it cannot be opened video goes on, and what happens is not recorded. */
export interface Storage {
  /** Every configuration that was in force; undefined where they cannot be kept. */
  readonly versions: VersionStore | undefined;
  /** Answers to requests that may be repeated; undefined where they cannot be kept. */
  readonly keptAnswers: KeptAnswers | undefined;
  /** When API tokens were used last; undefined where it cannot be kept. */
  readonly tokenUses: KeptTokenUses | undefined;
  /** What is locked in archives; undefined where it cannot be kept. */
  readonly archiveLocks: KeptArchiveLocks | undefined;
  /** Why the database did not open; null where it did. */
  readonly fault: string | null;
  close(): void;
}

/** Opens the database of the data folder. What is wrong with it is in `fault` and in the log. */
export function openStorage(options: Pick<ServerOptions, 'dataFolder' | 'clock' | 'log'>): Storage {
  const { dataFolder, clock, log } = options;
  try {
    const database = Database.open(join(dataFolder, 'airdesk.db'), { log, now: () => clock.now() });
    return {
      versions: openVersions(database, options),
      keptAnswers: new KeptAnswers(database.connection),
      tokenUses: new KeptTokenUses(database.connection),
      archiveLocks: new KeptArchiveLocks(database.connection),
      fault: null,
      close: () => {
        database.close();
      },
    };
  } catch (error) {
    const fault = messageOf(error);
    log.error('the database cannot be opened; nothing is recorded', { error: fault });
    return {
      versions: undefined,
      keptAnswers: undefined,
      tokenUses: undefined,
      archiveLocks: undefined,
      fault,
      close() {},
    };
  }
}

function openVersions(
  { connection }: Database,
  { dataFolder, log }: Pick<ServerOptions, 'dataFolder' | 'log'>,
): VersionStore | undefined {
  try {
    const seal = TextSeal.ofFile(join(dataFolder, 'airdesk.key'));
    return { reader: new ConfigVersionReader(connection, seal), writer: new ConfigVersionWriter(connection, seal) };
  } catch (error) {
    log.error('the history of the configuration cannot be opened', {
      error: messageOf(error),
    });
    return undefined;
  }
}

/** The catalog of archives: a database of its own, because it grows with them and can be made again from them. */
export interface CatalogFile {
  /** Undefined where it cannot be opened. */
  readonly store: CatalogStore | undefined;
  close(): void;
}

/** Opens the catalog of the data folder; what is wrong with it is in the log. */
export function openCatalog({
  dataFolder,
  clock,
  log,
}: Pick<ServerOptions, 'dataFolder' | 'clock' | 'log'>): CatalogFile {
  try {
    const database = Database.open(join(dataFolder, 'catalog.db'), {
      log,
      now: () => clock.now(),
      migrations: CATALOG_MIGRATIONS,
      canBeRemade: true,
    });
    const writer = new ArchiveBlockWriter(database.connection);
    const reader = new ArchiveBlockReader(database.connection);
    return {
      store: {
        write: (changes) => {
          writer.write(changes);
        },
        stretches: (...asked) => reader.stretches(...asked),
        block: (id) => reader.block(id),
        paths: (...asked) => reader.paths(...asked),
        find: (...asked) => reader.find(...asked),
        usage: (...asked) => reader.usage(...asked),
        extent: (stream) => reader.extent(stream),
      },
      close: () => {
        database.close();
      },
    };
  } catch (error) {
    log.error('the catalog of archives cannot be opened; what is recorded is not listed', { error: messageOf(error) });
    return { store: undefined, close() {} };
  }
}
