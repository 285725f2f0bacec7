import type { ArchiveBlock } from '../archive-block.ts';
import type { ArchiveBlockReader } from '../archive-block-reader.ts';
import type { ArchiveChange } from '../archive-block-writer.ts';
import type { DatabaseWorker } from './database-worker.ts';

/** Function of the reader, called on the thread. */
type ThreadCall<Name extends keyof ArchiveBlockReader> = (
  ...question: Parameters<ArchiveBlockReader[Name]>
) => Promise<ReturnType<ArchiveBlockReader[Name]>>;

/** Maximum time for an answer, in milliseconds, because the disk of the catalog may hang. */
const ANSWER_MS = 15_000;

/**
 * Catalog of archives on the database thread. Queries raise `database_unavailable` without an answer in 15 s; changes wait
 * without limit.
 */
export class CatalogOnThread {
  readonly #worker: Pick<DatabaseWorker, 'call'>;

  constructor(worker: Pick<DatabaseWorker, 'call'>) {
    this.#worker = worker;
  }

  /** Applies changes in order, all or none. An existing block is replaced. */
  async write(changes: readonly ArchiveChange[]): Promise<void> {
    await this.#worker.call('catalog-write', changes);
  }

  /** Calls `ArchiveBlockReader.storedRanges`. */
  readonly storedRanges: ThreadCall<'storedRanges'> = async (...question) =>
    this.#worker.call('catalog-ranges', question, ANSWER_MS);

  /** Calls `ArchiveBlockReader.times`. */
  readonly times: ThreadCall<'times'> = async (...question) => this.#worker.call('catalog-times', question, ANSWER_MS);

  /** Blocks by their numbers, in that order; undefined for each removed one. */
  async blocks(ids: readonly number[]): Promise<readonly (ArchiveBlock | undefined)[]> {
    return this.#worker.call('catalog-blocks', ids, ANSWER_MS);
  }

  /** Calls `ArchiveBlockReader.paths`. */
  readonly paths: ThreadCall<'paths'> = async (...question) => this.#worker.call('catalog-paths', question, ANSWER_MS);

  /** Calls `ArchiveBlockReader.find`. */
  readonly find: ThreadCall<'find'> = async (...question) => this.#worker.call('catalog-find', question, ANSWER_MS);

  /** Calls `ArchiveBlockReader.usage`. */
  readonly usage: ThreadCall<'usage'> = async (...question) => this.#worker.call('catalog-usage', question, ANSWER_MS);

  /** Calls `ArchiveBlockReader.extent` for each of some streams. */
  async extents(streams: readonly string[]): Promise<readonly ReturnType<ArchiveBlockReader['extent']>[]> {
    return this.#worker.call('catalog-extents', streams, ANSWER_MS);
  }
}
