import { conform } from './jobs/conform.ts';
import { cutPictures } from './jobs/cut-pictures.ts';
import { probe } from './jobs/probe.ts';
import { picture } from './jobs/picture.ts';
import { readUrl } from './jobs/read-url.ts';
import { sprite } from './jobs/sprite.ts';
import { survey } from './jobs/survey.ts';
import { testPicture } from './jobs/test-picture.ts';

/**
 * Jobs of a codec process by name: functions from a plain value to a plain value or a promise, which may report progress. Only
 * the child runs them; the parent uses only their types.
 */
export const JOBS = {
  picture,
  probe,
  'cut-pictures': cutPictures,
  sprite,
  'test-picture': testPicture,
  'read-url': readUrl,
  conform,
  survey,
};

/** Name of a job. */
export type JobKind = keyof typeof JOBS;

/** Name of a job that gets its own process. */
type LastingJobKind = 'read-url' | 'conform' | 'survey';

/** Name of a job that a pool runs; each process of a pool runs one job at a time. */
export type ShortJobKind = Exclude<JobKind, LastingJobKind>;

/** Input of a job. */
export type JobInput<Kind extends JobKind> = Parameters<(typeof JOBS)[Kind]>[0];

/** Output of a job. */
export type JobOutput<Kind extends JobKind> = Awaited<ReturnType<(typeof JOBS)[Kind]>>;
