import type { AsRunField, AsRunObject } from '../../../src-preload/contract/api/as-run/as-run-object.ts';
import type { LogCondition, LogQuery } from '../../../src-preload/contract/api/log-query.ts';
import type { DatabaseWorker } from './database-worker.ts';

/** Maximum time for an answer, in milliseconds, because the disk may hang. */
const ANSWER_MS = 15_000;

/** Log of advertisements on a database thread. Raises `database_unavailable` without an answer in 15 s. */
export class AsRunOnThread {
  readonly #worker: Pick<DatabaseWorker, 'call'>;

  constructor(worker: Pick<DatabaseWorker, 'call'>) {
    this.#worker = worker;
  }

  /** Calls `AsRunTable.write`. */
  async write(rows: readonly AsRunObject[]): Promise<void> {
    await this.#worker.call('as-run-write', rows, ANSWER_MS);
  }

  /** Calls `AsRunTable.rows`. */
  async rows(query: LogQuery<AsRunField>): Promise<readonly AsRunObject[]> {
    return this.#worker.call('as-run-rows', query, ANSWER_MS);
  }

  /** Calls `AsRunTable.count`. */
  async count(conditions: readonly LogCondition<AsRunField>[]): Promise<number> {
    return this.#worker.call('as-run-count', conditions, ANSWER_MS);
  }

  /** Calls `AsRunTable.removeBefore`. */
  async removeBefore(timeMs: number): Promise<number> {
    return this.#worker.call('as-run-remove', timeMs, ANSWER_MS);
  }
}
