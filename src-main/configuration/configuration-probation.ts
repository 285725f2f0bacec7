import { AirdeskError } from '../../src-preload/contract/errors.ts';
import type { ConfigDocument } from '../config/document.ts';
import type { Clock } from '../lib/clock.ts';
import type { ChangedBy } from '../operators/caller.ts';
import type { ChangeQueue } from './change-queue.ts';
import type { Applied, ChangeOptions, PendingChange } from './configuration-change.ts';
import type { ConfigurationDisk } from './configuration-disk.ts';
import type { ConfigurationHistory } from './configuration-history.ts';
import type { ConfigurationInForce } from './configuration-in-force.ts';
import type { ConfigurationReports } from './configuration-reports.ts';

export interface ProbationOptions {
  readonly clock: Clock;
  readonly queue: ChangeQueue;
  readonly disk: ConfigurationDisk;
  readonly history: ConfigurationHistory;
  readonly inForce: ConfigurationInForce;
  readonly reports: ConfigurationReports;
}

/** Change that awaits confirmation, and the configuration that a rollback restores. */
interface Waiting extends PendingChange {
  readonly before: ConfigDocument;
  readonly beforeId: number | null;
  readonly wasOnDisk: boolean;
  readonly isSaved: boolean;
  readonly cancelTimer: () => void;
}

/** Change that awaits confirmation. Unless it is confirmed in time, it is rolled back. There is at most one. */
export class ConfigurationProbation {
  readonly #options: ProbationOptions;
  #waiting: Waiting | undefined;
  #isClosed = false;

  constructor(options: ProbationOptions) {
    this.#options = options;
  }

  /** Null if no change waits. */
  get pending(): PendingChange | null {
    if (!this.#waiting) return null;
    const { versionId, confirmByMs, by } = this.#waiting;
    return { versionId, confirmByMs, by };
  }

  /** Raises `config_unconfirmed` while a change waits. */
  requireNone(): void {
    if (this.#waiting)
      throw new AirdeskError(
        'config_unconfirmed',
        'Another change awaits confirmation. Confirm it or roll it back first',
        { version: this.#waiting.versionId },
      );
  }

  /**
   * Starts the probation of a change that is about to be applied.
   *
   * @param change with `isSaved`: whether the confirmation writes the file
   */
  start(withinMs: number, change: PendingChange & { readonly isSaved: boolean }): void {
    const { clock, queue, disk, inForce } = this.#options;
    const waiting: Waiting = {
      ...change,
      before: inForce.document,
      beforeId: inForce.versionId,
      wasOnDisk: disk.isOnDisk,
      cancelTimer: clock.after(withinMs, () => {
        void queue.run(async () => {
          if (this.#waiting === waiting && !this.#isClosed)
            await this.#rollback(waiting, { who: 'server', fromWhere: 'timer' });
        });
      }),
    };
    this.#waiting = waiting;
  }

  /** Makes the change permanent, and writes the file if the change is to be saved. Raises `config_not_pending`. */
  confirm(by: ChangedBy, { overwritesFile = false }: Pick<ChangeOptions, 'overwritesFile'> = {}): Promise<void> {
    const { queue, disk, inForce, reports } = this.#options;
    return queue.run(async () => {
      const waiting = this.#require();
      if (waiting.isSaved) await disk.save(inForce.document.text, overwritesFile);
      this.#end(waiting, 'confirmed');
      reports.confirmed(waiting.versionId, by);
    });
  }

  /** Rolls the change back. Raises `config_not_pending`. */
  rollback(by: ChangedBy): Promise<Applied> {
    return this.#options.queue.run(async () => this.#rollback(this.#require(), by));
  }

  /** Stops the timer. A waiting change is rolled back at the next start. */
  close(): void {
    this.#isClosed = true;
    this.#waiting?.cancelTimer();
  }

  async #rollback(waiting: Waiting, by: ChangedBy): Promise<Applied> {
    const { disk, inForce, reports } = this.#options;
    this.#end(waiting, 'rolled_back');
    disk.setOnDisk(waiting.wasOnDisk);
    reports.rollingBack(waiting.versionId, by);
    const { before: document, beforeId: versionId } = waiting;
    const change = await inForce.diff(document.config);
    return inForce.put({ document, versionId, change, by, state: 'rolled_back' });
  }

  #end(waiting: Waiting, state: 'confirmed' | 'rolled_back'): void {
    waiting.cancelTimer();
    this.#waiting = undefined;
    this.#options.history.settle(waiting.versionId, state);
  }

  #require(): Waiting {
    if (!this.#waiting) throw new AirdeskError('config_not_pending');
    return this.#waiting;
  }
}
