import type { Clock } from '../../lib/clock.ts';
import type { Retention } from './retention.ts';
import { auditArchives, type ArchiveAuditOptions } from './archive-audit.ts';
import { ArchiveJob, type ArchiveJobState } from '../archive-job.ts';
import { because } from '../../../src-preload/contract/explanations/explanations.ts';
import { ExplainedError } from '../../lib/error-message.ts';

/**
 * Job on all archives: rebuild the catalog from the disks, compare both, delete everything beyond its limits, or copy
 * blocks that are missing on other disks.
 */
export type ArchiveJobName = 'rebuild' | 'check' | 'cleanup' | 'copies';

export interface ArchiveJobsOptions extends ArchiveAuditOptions {
  readonly clock: Clock;
  readonly retention: Pick<Retention, 'round'>;
  /** One pass over the storages whose blocks are copied or moved. */
  readonly copies: { pass(job: ArchiveJob): Promise<void> };
  /** Called when a job ended. */
  readonly ended: (name: ArchiveJobName, state: ArchiveJobState) => void;
}

/** Maximum rounds of a cleanup: each deletes thousands of blocks of each stream. */
const MAX_ROUNDS = 1000;

/** Jobs on archives. Rebuilding and comparing read the same disks, so only one of them runs at a time. */
export class ArchiveJobs {
  readonly #jobs: Readonly<Record<ArchiveJobName, ArchiveJob>>;
  #isDeep = false;

  constructor(options: ArchiveJobsOptions) {
    const { clock, retention, copies, ended } = options;
    const job = (name: ArchiveJobName, work: (job: ArchiveJob) => Promise<void>): ArchiveJob =>
      new ArchiveJob(clock, work, (state) => {
        ended(name, state);
      });
    const audit = async (run: ArchiveJob, isRepaired: boolean): Promise<void> =>
      auditArchives(options, { isRepaired, isDeep: this.#isDeep }, run);
    this.#jobs = {
      rebuild: job('rebuild', async (run) => audit(run, true)),
      check: job('check', async (run) => audit(run, false)),
      cleanup: job('cleanup', async (run) => {
        for (let round = 0; round < MAX_ROUNDS && run.isRunning; round++) {
          const { count, bytes, failures } = await retention.round();
          run.count(count, bytes);
          if (failures > 0) throw new ExplainedError(because('disks_not_cleaned', { count: failures }));
          if (count === 0) return;
        }
      }),
      copies: job('copies', async (run) => copies.pass(run)),
    };
  }

  /**
   * Starts a job.
   *
   * @param isDeep whether every byte is read
   * @returns its state; undefined if it, or one that excludes it, is running
   */
  start(name: ArchiveJobName, { isDeep }: { readonly isDeep: boolean }): ArchiveJobState | undefined {
    const { rebuild, check } = this.#jobs;
    const isAudit = name === 'rebuild' || name === 'check';
    if (isAudit && [rebuild, check].some(({ state }) => state?.status === 'running')) return undefined;
    if (isAudit) this.#isDeep = isDeep;
    return this.#jobs[name].start();
  }

  /** Current or last state of a job; undefined before its first start. */
  state(name: ArchiveJobName): ArchiveJobState | undefined {
    return this.#jobs[name].state;
  }

  /** Stops a job; resolves when it has ended. @returns whether it was running */
  async stop(name: ArchiveJobName): Promise<boolean> {
    return this.#jobs[name].stop();
  }

  /** Stops all jobs. */
  async close(): Promise<void> {
    await Promise.all(Object.values(this.#jobs).map(async (job) => job.stop()));
  }
}
