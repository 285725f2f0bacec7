import { conform } from './jobs/conform.ts';
import { cutPictures } from './jobs/cut-pictures.ts';
import { look } from './jobs/look.ts';
import { picture } from './jobs/picture.ts';
import { readUrl } from './jobs/read-url.ts';
import { sprite } from './jobs/sprite.ts';
import { survey } from './jobs/survey.ts';
import { testPicture } from './jobs/test-picture.ts';

/**
 * Every job that a codec process can do, by name: a function from a plain value to a plain value (or a promise of one),
 * which may report how far it is.
 * Runs in the child only; the parent takes its types from here and nothing else.
 */
export const JOBS = {
  picture,
  look,
  'cut-pictures': cutPictures,
  sprite,
  'test-picture': testPicture,
  'read-url': readUrl,
  conform,
  survey,
};

/** Name of a job. */
export type JobKind = keyof typeof JOBS;

/** A job that has a process of its own for as long as it lasts. */
type LastingJobKind = 'read-url' | 'conform' | 'survey';

/** A job that the processes of a pool do one after the other. */
export type ShortJobKind = Exclude<JobKind, LastingJobKind>;

/** What a job takes. */
export type JobInput<Kind extends JobKind> = Parameters<(typeof JOBS)[Kind]>[0];

/** What a job gives. */
export type JobOutput<Kind extends JobKind> = Awaited<ReturnType<(typeof JOBS)[Kind]>>;
