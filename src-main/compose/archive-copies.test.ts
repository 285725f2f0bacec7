import { describe, expect, it } from 'vitest';
import { FakeClock } from '../../tests/helpers/fake-clock.ts';
import type { ArchiveCopies } from '../dvr/copies/archive-copies.ts';
import type { ArchiveJobs } from '../dvr/keep/archive-jobs.ts';
import { CopyPasses } from './archive-copies.ts';

const HOUR_MS = 3_600_000;
const FIRST_MS = 30_000;

/** Search passes of a server whose storages the test can change. */
function searches() {
  const clock = new FakeClock(0);
  const copies = { storages: ['a'], isNeeded: true };
  const job = { status: 'done' };
  const startedMs: number[] = [];
  const jobs = {
    state: () => job,
    start: () => {
      startedMs.push(clock.now());
    },
  };
  const passes = new CopyPasses(clock, copies as unknown as ArchiveCopies, jobs as unknown as ArchiveJobs);
  return { clock, copies, job, startedMs, passes };
}

describe('searches for missing archive copies', () => {
  it('run soon after the start, and then every hour', () => {
    const { clock, startedMs } = searches();
    clock.advance(2 * HOUR_MS);
    expect(startedMs).toEqual([FIRST_MS, HOUR_MS, 2 * HOUR_MS]);
  });

  it('run again soon after the last of several changes of the storages', () => {
    const { clock, copies, startedMs, passes } = searches();
    clock.advance(FIRST_MS);
    passes.apply();
    clock.advance(FIRST_MS);
    copies.storages = ['b'];
    passes.apply();
    clock.advance(FIRST_MS - 1);
    copies.storages = ['c'];
    passes.apply();
    clock.advance(2 * FIRST_MS);
    expect(startedMs).toEqual([FIRST_MS, 4 * FIRST_MS - 1]);
  });

  it('do not run if no storage has copies', () => {
    const { clock, copies, startedMs } = searches();
    copies.isNeeded = false;
    clock.advance(2 * HOUR_MS);
    expect(startedMs).toEqual([]);
  });

  it('pause after an operator stops them, except after a change of the storages', () => {
    const { clock, copies, job, startedMs, passes } = searches();
    clock.advance(FIRST_MS);
    job.status = 'stopped';
    clock.advance(HOUR_MS);
    copies.storages = ['b'];
    passes.apply();
    clock.advance(FIRST_MS);
    job.status = 'done';
    clock.advance(HOUR_MS);
    expect(startedMs).toEqual([FIRST_MS, HOUR_MS + 2 * FIRST_MS, 2 * HOUR_MS]);
  });

  it('end with the server', () => {
    const { clock, startedMs, passes } = searches();
    passes.close();
    clock.advance(2 * HOUR_MS);
    expect(startedMs).toEqual([]);
  });
});
