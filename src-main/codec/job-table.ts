import { picture } from './jobs/picture.ts';
import { testPicture } from './jobs/test-picture.ts';

/**
 * Every job that a codec process can do, by name: a function from a plain value to a plain value (or a promise of one).
 * Runs in the child only; the parent takes its types from here and nothing else.
 */
export const JOBS = {
  picture,
  'test-picture': testPicture,
};

/** Name of a job. */
export type JobKind = keyof typeof JOBS;

/** What a job takes. */
export type JobInput<Kind extends JobKind> = Parameters<(typeof JOBS)[Kind]>[0];

/** What a job gives. */
export type JobOutput<Kind extends JobKind> = Awaited<ReturnType<(typeof JOBS)[Kind]>>;
