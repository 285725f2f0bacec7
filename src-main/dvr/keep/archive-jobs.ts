import type { Clock } from '../../lib/clock.ts';
import type { Retention } from '../retention.ts';
import { auditArchives, type ArchiveAuditOptions } from './archive-audit.ts';
import { ArchiveJob, type ArchiveJobState } from './archive-job.ts';

/** A job on all archives: the catalog made again from the disks, the two compared, everything deleted that is past its limits, and blocks copied that are to be on other disks. */
export type ArchiveJobName = 'rebuild' | 'check' | 'cleanup' | 'copies';

/** What the jobs need. */
export interface ArchiveJobsOptions extends ArchiveAuditOptions {
  readonly clock: Clock;
  readonly retention: Pick<Retention, 'round'>;
  /** One pass over the storages whose blocks are copied or moved. */
  readonly copies: { pass(job: ArchiveJob): Promise<void> };
  /** A job ended. */
  readonly ended: (name: ArchiveJobName, state: ArchiveJobState) => void;
}

/** Rounds of a cleanup, at most: each deletes thousands of blocks of each stream. */
const MAX_ROUNDS = 1000;

/** The jobs on archives. Rebuilding and comparing go over the same disks: one of them runs at a time. */
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
        for (let round = 0; round < MAX_ROUNDS && run.goesOn; round++) {
          const { count, bytes, failures } = await retention.round();
          run.count(count, bytes);
          if (failures > 0) throw new Error(`${failures} disks could not be cleaned; the log says why`);
          if (count === 0) return;
        }
      }),
      copies: job('copies', async (run) => copies.pass(run)),
    };
  }

  /** Starts a job. @param isDeep whether every byte is read @returns its state; undefined where it runs, or one that is in its way */
  start(name: ArchiveJobName, { isDeep }: { readonly isDeep: boolean }): ArchiveJobState | undefined {
    const { rebuild, check } = this.#jobs;
    const isAudit = name === 'rebuild' || name === 'check';
    if (isAudit && [rebuild, check].some(({ state }) => state?.status === 'running')) return undefined;
    if (isAudit) this.#isDeep = isDeep;
    return this.#jobs[name].start();
  }

  /** How a job does, or did; undefined before it was started first. */
  state(name: ArchiveJobName): ArchiveJobState | undefined {
    return this.#jobs[name].state;
  }

  /** Stops a job; resolves when it does nothing any more. @returns whether it ran */
  async stop(name: ArchiveJobName): Promise<boolean> {
    return this.#jobs[name].stop();
  }

  /** Stops all of them. */
  async close(): Promise<void> {
    await Promise.all(Object.values(this.#jobs).map(async (job) => job.stop()));
  }
}
