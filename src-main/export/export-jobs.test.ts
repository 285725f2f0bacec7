import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { FakeClock } from '../../tests/helpers/fake-clock.ts';
import { settled } from '../../tests/helpers/settled.ts';
import { MAX_QUEUED, type JobOutcome } from '../lib/jobs/job-queue.ts';
import { ExportJobs, type ExportJob } from './export-jobs.ts';
import type { ExportedFile, ExportRequest } from './thread/export-request.ts';

type ExportOutcome = JobOutcome<ExportedFile>;

const REQUEST: ExportRequest = { streams: ['cam'], fromMs: 1000, toMs: 5000, packing: 'mp4' };
const DONE: ExportOutcome = { files: [] };
const FULL: ExportOutcome = { code: 'export_no_room', detail: 'full' };

/** Jobs with a store in memory and a runner whose jobs end when the test decides. `restart` starts the server again. */
class JobsStage {
  readonly clock = new FakeClock();
  readonly stored = new Map<string, ExportJob>();
  readonly ended: (readonly [id: string, status: string, code: string | undefined])[] = [];
  /** Running jobs by id: each function ends its job. */
  readonly running = new Map<string, (outcome: ExportOutcome) => void>();
  /** Jobs with unfinished files on disk. */
  readonly unfinished = new Set<string>();
  isStoreBroken = false;
  unstored = 0;
  jobs: ExportJobs;
  #last = 0;

  constructor() {
    this.jobs = this.open();
  }

  open(): ExportJobs {
    const change = (work: () => void): void => {
      if (this.isStoreBroken) throw new Error('no database');
      work();
    };
    const jobs = new ExportJobs({
      clock: this.clock,
      codes: { failed: 'export_failed', cancelled: 'export_cancelled' },
      store: {
        all: () => [...this.stored.values()],
        put: (job) => {
          change(() => this.stored.set(job.id, job));
        },
        remove: (id) => {
          change(() => this.stored.delete(id));
        },
      },
      runner: {
        run: ({ id }) => {
          const outcome = Promise.withResolvers<ExportOutcome>();
          this.unfinished.add(id);
          this.running.set(id, (how) => {
            this.running.delete(id);
            this.unfinished.delete(id);
            outcome.resolve(how);
          });
          return {
            outcome: outcome.promise,
            stop: async () => {
              this.running.delete(id);
              this.unfinished.delete(id);
              return Promise.resolve();
            },
          };
        },
      },
      ended: ({ id, status, failure }) => void this.ended.push([id, status, failure?.code]),
      unstored: () => this.unstored++,
    });
    return jobs;
  }

  add(): string | undefined {
    const id = `job-${++this.#last}`;
    const task = { ...REQUEST, id, streams: [], reserveBytes: 0 };
    return this.jobs.add(id, REQUEST, task, 'test')?.id;
  }

  /** Stops the server, in order or by a crash, and starts it again. */
  async restart(isKilled: boolean): Promise<void> {
    if (!isKilled) await this.jobs.close();
    this.running.clear();
    this.jobs = this.open();
    this.jobs.start();
  }
}

const anyStep = fc.oneof(
  fc.constant({ step: 'add' as const }),
  fc.record({ step: fc.constant('end' as const), outcome: fc.constantFrom(DONE, FULL) }),
  fc.record({ step: fc.constant('remove' as const), which: fc.nat(20) }),
  fc.record({ step: fc.constant('restart' as const), isKilled: fc.boolean() }),
);

describe('ExportJobs', () => {
  it('runs one job at a time in order, and ends each job exactly once', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(anyStep, { maxLength: 30 }), async (steps) => {
        const stage = new JobsStage();
        stage.jobs.start();
        /** Expected ids, oldest first, with whether each has ended. */
        const model = new Map<string, { isOver: boolean; kills: number }>();
        for (const one of steps) {
          const [first] = [...model].filter(([, { isOver }]) => !isOver);
          if (one.step === 'add') {
            const id = stage.add();
            if (id !== undefined) model.set(id, { isOver: false, kills: 0 });
          } else if (one.step === 'end' && first) {
            stage.running.get(first[0])?.(one.outcome);
            first[1].isOver = true;
          } else if (one.step === 'remove') {
            const id = [...model.keys()][one.which];
            if (id === undefined) continue;
            await stage.jobs.remove(id);
            model.delete(id);
          } else if (one.step === 'restart') {
            if (first && one.isKilled && ++first[1].kills >= 5) first[1].isOver = true;
            await stage.restart(one.isKilled);
          }
          await settled();
          const open = [...model].filter(([, { isOver }]) => !isOver).map(([id]) => id);
          expect([...stage.running.keys()]).toEqual(open.slice(0, 1));
          expect(stage.jobs.list().map(({ id }) => id)).toEqual([...model.keys()]);
          expect([...stage.stored.keys()]).toEqual([...model.keys()]);
          expect(stage.jobs.list().map(({ status }) => status === 'done' || status === 'failed')).toEqual(
            [...model.values()].map(({ isOver }) => isOver),
          );
          expect(new Set(stage.ended.map(([id]) => id)).size).toBe(stage.ended.length);
          expect(stage.jobs.needs('cam', { startMs: 4999, endMs: 6000 })).toBe(open.length > 0);
        }
      }),
      { numRuns: 200 },
    );
  });

  it('refuses a job when too many are queued', () => {
    const stage = new JobsStage();
    const ids = Array.from({ length: MAX_QUEUED + 2 }, () => stage.add());
    expect(ids.filter((id) => id === undefined)).toHaveLength(1);
  });

  it('reports a cancelled job, and leaves nothing on disk', async () => {
    const stage = new JobsStage();
    const id = stage.add() ?? '';
    expect(stage.unfinished).toEqual(new Set([id]));
    await stage.jobs.remove(id);
    expect(stage.unfinished.size).toBe(0);
    expect(stage.ended).toEqual([[id, 'failed', 'export_cancelled']]);
    expect(await stage.jobs.remove(id)).toBeUndefined();
  });

  it('keeps the code of a failed job and starts the next one, and accepts no job without a store', async () => {
    const stage = new JobsStage();
    const [a = '', b = ''] = [stage.add(), stage.add()];
    stage.running.get(a)?.(FULL);
    await settled();
    expect(stage.jobs.get(a)).toMatchObject({ status: 'failed', failure: FULL });
    expect([...stage.running.keys()]).toEqual([b]);
    stage.isStoreBroken = true;
    expect(() => stage.add()).toThrow('no database');
    stage.running.get(b)?.(DONE);
    await settled();
    expect([stage.jobs.get(b)?.status, stage.unstored]).toEqual(['done', 1]);
  });

  it('gives up a job during which the server died five times', async () => {
    const stage = new JobsStage();
    const id = stage.add() ?? '';
    for (let start = 0; start < 4; start++) await stage.restart(true);
    expect(stage.jobs.get(id)).toMatchObject({ status: 'running', attempts: 5 });
    await stage.restart(true);
    expect(stage.jobs.get(id)).toMatchObject({ status: 'failed', failure: { code: 'export_failed' } });
  });

  it('is not affected by late work of a stopped server', async () => {
    const stage = new JobsStage();
    const id = stage.add() ?? '';
    for (let start = 0; start < 8; start++) await stage.restart(false);
    expect(stage.jobs.get(id)).toMatchObject({ status: 'running', attempts: 1 });
  });
});
