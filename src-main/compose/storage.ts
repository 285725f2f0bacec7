import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { VersionStore } from '../configuration/configuration-history.ts';
import { ArchiveProtectionReader } from '../db/archive-protection-reader.ts';
import { ConfigVersionReader, newestTexts } from '../db/config-version-reader.ts';
import { ConfigVersionWriter } from '../db/config-version-writer.ts';
import { Database } from '../db/database.ts';
import { AlarmRepository } from '../db/alarm-repository.ts';
import { AnswerRepository } from '../db/answer-repository.ts';
import { CaseRepository } from '../db/case-repository.ts';
import { LockRepository } from '../db/lock-repository.ts';
import { NoteRepository } from '../db/note-repository.ts';
import { BanRepository } from '../db/ban-repository.ts';
import { EpisodeRepository } from '../db/episode-repository.ts';
import { LoudnessRepository } from '../db/loudness-repository.ts';
import { JobRepository } from '../db/job-repository.ts';
import { DeskSessionRepository } from '../db/desk-session-repository.ts';
import { TokenUseRepository } from '../db/token-use-repository.ts';
import { WallRepository } from '../db/wall-repository.ts';
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
  readonly answerRepository: AnswerRepository | undefined;
  /** When API tokens were used last; undefined where it cannot be kept. */
  readonly tokenUses: TokenUseRepository | undefined;
  /** Sessions of desks in browsers; undefined where they cannot be kept. */
  readonly deskSessions: DeskSessionRepository | undefined;
  /** What is locked in archives; undefined where it cannot be kept. */
  readonly archiveLocks: LockRepository | undefined;
  /** Identity of this database, which copies of locks and episodes are held against; undefined where it cannot be kept. */
  readonly archiveProtection: ArchiveProtectionReader | undefined;
  /** What operators wrote at moments of archives; undefined where it cannot be kept. */
  readonly archiveNotes: NoteRepository | undefined;
  /** Cases of archives; undefined where they cannot be kept. */
  readonly archiveCases: CaseRepository | undefined;
  /** Addresses and users that are kept out; undefined where they cannot be kept. */
  readonly bans: BanRepository | undefined;
  /** Episodes of archives; undefined where they cannot be kept. */
  readonly episodes: EpisodeRepository | undefined;
  /** Exports of archives; undefined where they cannot be kept. */
  readonly exportJobs: JobRepository | undefined;
  /** Preparations of clips; undefined where they cannot be kept. */
  readonly clipJobs: JobRepository | undefined;
  /** Exports of operations logs; undefined where they cannot be kept. */
  readonly operationExportJobs: JobRepository | undefined;
  /** The history of alarms, and the loudness of streams; undefined where they cannot be kept. */
  readonly alarms: { readonly history: AlarmRepository; readonly loudness: LoudnessRepository } | undefined;
  /** Walls of the desk; undefined where they cannot be kept. */
  readonly walls: WallRepository | undefined;
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
      answerRepository: new AnswerRepository(database.connection),
      tokenUses: new TokenUseRepository(database.connection),
      deskSessions: new DeskSessionRepository(database.connection),
      archiveLocks: new LockRepository(database.connection),
      archiveProtection: new ArchiveProtectionReader(database.connection, database.isNew),
      archiveNotes: new NoteRepository(database.connection),
      archiveCases: new CaseRepository(database.connection),
      bans: new BanRepository(database.connection),
      episodes: new EpisodeRepository(database.connection),
      exportJobs: new JobRepository(database.connection, 'export_job'),
      clipJobs: new JobRepository(database.connection, 'clip_job'),
      operationExportJobs: new JobRepository(database.connection, 'operation_export_job'),
      alarms: {
        history: new AlarmRepository(database.connection),
        loudness: new LoudnessRepository(database.connection),
      },
      walls: new WallRepository(database.connection),
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
      answerRepository: undefined,
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
    entry: mediaThreads === 0 ? undefined : databaseThreadEntry,
    clock,
    log,
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
