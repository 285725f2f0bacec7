import type { ArchiveBlock } from '../archive-block.ts';
import type { ArchiveBlockReader } from '../archive-block-reader.ts';
import type { ArchiveChange } from '../archive-block-writer.ts';
import type { DatabaseWorker } from './database-worker.ts';

/** The same as a function of the reader, on the thread. */
type Asked<Name extends keyof ArchiveBlockReader> = (
  ...question: Parameters<ArchiveBlockReader[Name]>
) => Promise<ReturnType<ArchiveBlockReader[Name]>>;

/** An answer is waited for at most so long, in milliseconds: the disk of the catalog may hang. */
const ANSWER_MS = 15_000;

/** The catalog of archives on the database thread. Questions raise `database_unavailable` where there is no answer in 15 s; changes wait for as long as it takes. */
export class CatalogOnThread {
  readonly #worker: Pick<DatabaseWorker, 'ask'>;

  constructor(worker: Pick<DatabaseWorker, 'ask'>) {
    this.#worker = worker;
  }

  /** Puts changes in, in their order, all or none. A block that is there already is replaced. */
  async write(changes: readonly ArchiveChange[]): Promise<void> {
    await this.#worker.ask('catalog-write', changes);
  }

  /** As `ArchiveBlockReader.ranges`. */
  readonly storedRanges: Asked<'storedRanges'> = async (...question) =>
    this.#worker.ask('catalog-ranges', question, ANSWER_MS);

  /** As `ArchiveBlockReader.times`. */
  readonly times: Asked<'times'> = async (...question) => this.#worker.ask('catalog-times', question, ANSWER_MS);

  /** Blocks by their numbers, in that order; undefined for each that is no more. */
  async blocks(ids: readonly number[]): Promise<readonly (ArchiveBlock | undefined)[]> {
    return this.#worker.ask('catalog-blocks', ids, ANSWER_MS);
  }

  /** As `ArchiveBlockReader.paths`. */
  readonly paths: Asked<'paths'> = async (...question) => this.#worker.ask('catalog-paths', question, ANSWER_MS);

  /** As `ArchiveBlockReader.find`. */
  readonly find: Asked<'find'> = async (...question) => this.#worker.ask('catalog-find', question, ANSWER_MS);

  /** As `ArchiveBlockReader.usage`. */
  readonly usage: Asked<'usage'> = async (...question) => this.#worker.ask('catalog-usage', question, ANSWER_MS);

  /** `ArchiveBlockReader.extent` of each of some streams. */
  async extents(streams: readonly string[]): Promise<readonly ReturnType<ArchiveBlockReader['extent']>[]> {
    return this.#worker.ask('catalog-extents', streams, ANSWER_MS);
  }
}
