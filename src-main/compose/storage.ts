import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { VersionStore } from '../configuration/configuration-history.ts';
import { ArchiveProtectionReader } from '../db/archive-protection-reader.ts';
import { ConfigVersionReader, newestTexts } from '../db/config-version-reader.ts';
import { ConfigVersionWriter } from '../db/config-version-writer.ts';
import { Database } from '../db/database.ts';
import { KeptAlarms } from '../db/kept-alarms.ts';
import { KeptAnswers } from '../db/kept-answers.ts';
import { KeptArchiveCases } from '../db/kept-archive-cases.ts';
import { KeptArchiveLocks } from '../db/kept-archive-locks.ts';
import { KeptArchiveNotes } from '../db/kept-archive-notes.ts';
import { KeptBans } from '../db/kept-bans.ts';
import { KeptEpisodes } from '../db/kept-episodes.ts';
import { KeptLoudness } from '../db/kept-loudness.ts';
import { KeptJobs } from '../db/kept-jobs.ts';
import { KeptDeskSessions } from '../db/kept-desk-sessions.ts';
import { KeptTokenUses } from '../db/kept-token-uses.ts';
import { KeptWalls } from '../db/kept-walls.ts';
import { FileSeal, sealKeyFile } from '../db/text-seal.ts';
import { CatalogOnThread } from '../db/thread/catalog-on-thread.ts';
import { DatabaseWorker } from '../db/thread/database-worker.ts';
import type { CatalogStore } from '../dvr/catalog/catalog-store.ts';
import type { ServerOptions } from './server-options.ts';
import { messageOf } from '../lib/error-message.ts';
import type { Log } from '../lib/log.ts';

/** What is kept in the database. Where it cannot be opened video goes on, and what happens is not recorded. */
export interface Storage {
  /** Every configuration that was in force; undefined where they cannot be kept. */
  readonly versions: VersionStore | undefined;
  /** Answers to requests that may be repeated; undefined where they cannot be kept. */
  readonly keptAnswers: KeptAnswers | undefined;
  /** When API tokens were used last; undefined where it cannot be kept. */
  readonly tokenUses: KeptTokenUses | undefined;
  /** Sessions of desks in browsers; undefined where they cannot be kept. */
  readonly deskSessions: KeptDeskSessions | undefined;
  /** What is locked in archives; undefined where it cannot be kept. */
  readonly archiveLocks: KeptArchiveLocks | undefined;
  /** Identity of this database, which copies of locks and episodes are held against; undefined where it cannot be kept. */
  readonly archiveProtection: ArchiveProtectionReader | undefined;
  /** What operators wrote at moments of archives; undefined where it cannot be kept. */
  readonly archiveNotes: KeptArchiveNotes | undefined;
  /** Cases of archives; undefined where they cannot be kept. */
  readonly archiveCases: KeptArchiveCases | undefined;
  /** Addresses and users that are kept out; undefined where they cannot be kept. */
  readonly bans: KeptBans | undefined;
  /** Episodes of archives; undefined where they cannot be kept. */
  readonly episodes: KeptEpisodes | undefined;
  /** Exports of archives; undefined where they cannot be kept. */
  readonly exportJobs: KeptJobs | undefined;
  /** Preparations of clips; undefined where they cannot be kept. */
  readonly clipJobs: KeptJobs | undefined;
  /** Exports of operations logs; undefined where they cannot be kept. */
  readonly operationExportJobs: KeptJobs | undefined;
  /** The history of alarms, and the loudness of streams; undefined where they cannot be kept. */
  readonly alarms: { readonly history: KeptAlarms; readonly loudness: KeptLoudness } | undefined;
  /** Walls of the desk; undefined where they cannot be kept. */
  readonly walls: KeptWalls | undefined;
  /** Seals what is secret in the databases. */
  readonly seal: FileSeal;
  /** Why the database did not open; null where it did. */
  readonly fault: string | null;
  close(): void;
}

/** Opens the database of the data folder. What is wrong with it is in `fault` and in the log. */
export function openStorage(options: Pick<ServerOptions, 'dataFolder' | 'clock' | 'log'>): Storage {
  const { dataFolder, clock, log } = options;
  const now = (): number => clock.now();
  let texts = (): readonly Uint8Array[] => [];
  const seal = new FileSeal(sealKeyFile(join(dataFolder, 'airdesk.key'), { log, now }), {
    texts: () => texts(),
    isElsewhere: () => existsSync(join(dataFolder, 'subscribers.db')),
  });
  try {
    const database = Database.open(join(dataFolder, 'airdesk.db'), { log, now });
    texts = () => newestTexts(database.connection);
    return {
      seal,
      versions: openVersions(database, seal, log),
      keptAnswers: new KeptAnswers(database.connection),
      tokenUses: new KeptTokenUses(database.connection),
      deskSessions: new KeptDeskSessions(database.connection),
      archiveLocks: new KeptArchiveLocks(database.connection),
      archiveProtection: new ArchiveProtectionReader(database.connection, database.isNew),
      archiveNotes: new KeptArchiveNotes(database.connection),
      archiveCases: new KeptArchiveCases(database.connection),
      bans: new KeptBans(database.connection),
      episodes: new KeptEpisodes(database.connection),
      exportJobs: new KeptJobs(database.connection, 'export_job'),
      clipJobs: new KeptJobs(database.connection, 'clip_job'),
      operationExportJobs: new KeptJobs(database.connection, 'operation_export_job'),
      alarms: { history: new KeptAlarms(database.connection), loudness: new KeptLoudness(database.connection) },
      walls: new KeptWalls(database.connection),
      fault: null,
      close: () => {
        database.close();
      },
    };
  } catch (error) {
    const fault = messageOf(error);
    log.error('the database cannot be opened; nothing is recorded', { error: fault });
    return {
      seal,
      versions: undefined,
      keptAnswers: undefined,
      tokenUses: undefined,
      deskSessions: undefined,
      archiveLocks: undefined,
      archiveProtection: undefined,
      archiveNotes: undefined,
      archiveCases: undefined,
      bans: undefined,
      episodes: undefined,
      exportJobs: undefined,
      clipJobs: undefined,
      operationExportJobs: undefined,
      alarms: undefined,
      walls: undefined,
      fault,
      close() {},
    };
  }
}

function openVersions({ connection }: Database, seal: FileSeal, log: Log): VersionStore {
  try {
    seal.check();
  } catch (error) {
    // The versions are still listed, and the key may be restored.
    log.error('the texts of the history of the configuration cannot be opened', { error: messageOf(error) });
  }
  return { reader: new ConfigVersionReader(connection, seal), writer: new ConfigVersionWriter(connection, seal) };
}

/** The catalog of archives: a database of its own, because it grows with them and can be made again from them. It lies on the database thread. */
export interface CatalogFile {
  /** Resolves when it is open: undefined where it cannot be opened. Never rejects. */
  readonly store: Promise<CatalogStore | undefined>;
  /** Calls a listener each time the catalog was made anew, because its file was missing, empty or damaged; at once where it was already. */
  onMade(listener: () => void): void;
  /** Resolves when what was written is on the disk, in bounded time. */
  close(): Promise<void>;
}

/** Starts the database thread and opens the catalog of the data folder there; what is wrong with it is in the log. */
export function openCatalog(
  options: Pick<ServerOptions, 'dataFolder' | 'clock' | 'log' | 'databaseThreadEntry' | 'mediaThreads'>,
): CatalogFile {
  const { dataFolder, clock, log, databaseThreadEntry, mediaThreads } = options;
  let wasMade = false;
  let heard = (): void => {
    wasMade = true;
  };
  const worker = new DatabaseWorker({
    ...{ entry: mediaThreads === 0 ? undefined : databaseThreadEntry, clock, log },
    catalogMade: () => {
      heard();
    },
  });
  const open = async (): Promise<CatalogStore | undefined> => {
    try {
      await worker.open('catalog-open', join(dataFolder, 'catalog.db'));
      return new CatalogOnThread(worker);
    } catch (error) {
      log.error('the catalog of archives cannot be opened; what is recorded is not listed', {
        error: messageOf(error),
      });
      return undefined;
    }
  };
  return {
    store: open(),
    onMade(listener) {
      heard = listener;
      if (wasMade) listener();
    },
    close: async () => worker.close(),
  };
}
