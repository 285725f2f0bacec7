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
import { PersonRepository } from '../db/person-repository.ts';
import { TokenUseRepository } from '../db/token-use-repository.ts';
import { TransmissionRepository } from '../db/transmission-repository.ts';
import { WallRepository } from '../db/wall-repository.ts';
import { FileSeal, sealKeyFile } from '../db/text-seal.ts';
import { CatalogOnThread } from '../db/thread/catalog-on-thread.ts';
import { DatabaseWorker } from '../db/thread/database-worker.ts';
import type { CatalogStore } from '../dvr/catalog/catalog-store.ts';
import type { ServerOptions } from './server-options.ts';
import { messageOf } from '../lib/error-message.ts';
import type { Log } from '../lib/log.ts';

/** Repositories of the database. If it cannot be opened, video continues without records. */
export interface Storage {
  /** Every configuration that was in force; undefined without a database. */
  readonly versions: VersionStore | undefined;
  /** Answers to repeatable requests; undefined without a database. */
  readonly answerRepository: AnswerRepository | undefined;
  /** Last uses of API tokens; undefined without a database. */
  readonly tokenUses: TokenUseRepository | undefined;
  /** Sessions of browsers' desks; undefined without a database. */
  readonly deskSessions: DeskSessionRepository | undefined;
  /** Named logins; undefined without a database. */
  readonly people: PersonRepository | undefined;
  /** Locks of archives; undefined without a database. */
  readonly archiveLocks: LockRepository | undefined;
  /**
   * Identity of this database, with which the copies of locks and episodes on the disks are compared; undefined without a
   * database.
   */
  readonly archiveProtection: ArchiveProtectionReader | undefined;
  /** Notes of operators in archives; undefined without a database. */
  readonly archiveNotes: NoteRepository | undefined;
  /** Cases of archives; undefined without a database. */
  readonly archiveCases: CaseRepository | undefined;
  /** Banned addresses and users; undefined without a database. */
  readonly bans: BanRepository | undefined;
  /** Episodes of archives; undefined without a database. */
  readonly episodes: EpisodeRepository | undefined;
  /** Exports of archives; undefined without a database. */
  readonly exportJobs: JobRepository | undefined;
  /** Preparations of clips; undefined without a database. */
  readonly clipJobs: JobRepository | undefined;
  /** Exports of operations logs; undefined without a database. */
  readonly operationExportJobs: JobRepository | undefined;
  /** History of alarms, and the loudness of streams; undefined without a database. */
  readonly alarms: { readonly history: AlarmRepository; readonly loudness: LoudnessRepository } | undefined;
  /** Log of the transmissions of pushes; undefined without a database. */
  readonly transmissions: TransmissionRepository | undefined;
  /** Walls of the desk; undefined without a database. */
  readonly walls: WallRepository | undefined;
  /** Encrypts secrets in the databases. */
  readonly seal: FileSeal;
  /** Reason why the database could not be opened; null if it is open. */
  readonly fault: string | null;
  close(): void;
}

/** Opens the database of the data folder. A failure is in `fault` and in the log. */
export function openStorage(options: Pick<ServerOptions, 'dataFolder' | 'clock' | 'log'>): Storage {
  const { dataFolder, clock, log } = options;
  const now = (): number => clock.now();
  let texts = (): readonly Uint8Array[] => [];
  const seal = new FileSeal(sealKeyFile(join(dataFolder, 'airdesk.key'), { log, now }), {
    texts: () => texts(),
    hasOther: () => existsSync(join(dataFolder, 'subscribers.db')),
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
      people: new PersonRepository(database.connection),
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
      transmissions: new TransmissionRepository(database.connection),
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
      people: undefined,
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
      transmissions: undefined,
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
    // The versions are listed without their texts, because the operator may restore the key.
    log.error('the texts in the history of the configuration cannot be decrypted', { error: messageOf(error) });
  }
  return { reader: new ConfigVersionReader(connection, seal), writer: new ConfigVersionWriter(connection, seal) };
}

/**
 * Catalog of archives. It is a separate database, because it grows with the archives and can be rebuilt from them. It
 * runs on a database thread.
 */
export interface CatalogFile {
  /** Resolves with the store when it is open, and with undefined if it cannot be opened. Never rejects. */
  readonly store: Promise<CatalogStore | undefined>;
  /**
   * Registers a listener, which is called each time the catalog was created because its file was missing, empty or damaged; at
   * once if that has already happened.
   */
  onCreated(listener: () => void): void;
  /** Resolves when all writes are on the disk, in bounded time. */
  close(): Promise<void>;
}

/** Starts the database thread and opens the catalog of the data folder there. Failures are logged. */
export function openCatalog(
  options: Pick<ServerOptions, 'dataFolder' | 'clock' | 'log' | 'databaseThreadEntry' | 'mediaThreads'>,
): CatalogFile {
  const { dataFolder, clock, log, databaseThreadEntry, mediaThreads } = options;
  let wasCreated = false;
  let reported = (): void => {
    wasCreated = true;
  };
  const worker = new DatabaseWorker({
    entry: mediaThreads === 0 ? undefined : databaseThreadEntry,
    clock,
    log,
    onCatalogCreated: () => {
      reported();
    },
  });
  const open = async (): Promise<CatalogStore | undefined> => {
    try {
      await worker.open('catalog-open', join(dataFolder, 'catalog.db'));
      return new CatalogOnThread(worker);
    } catch (error) {
      log.error('the catalog of archives cannot be opened; recordings are not listed', {
        error: messageOf(error),
      });
      return undefined;
    }
  };
  return {
    store: open(),
    onCreated(listener) {
      reported = listener;
      if (wasCreated) listener();
    },
    close: async () => worker.close(),
  };
}
