import type { JobRepository } from '../db/job-repository.ts';
import type { JobStore } from '../lib/jobs/job-queue.ts';

/** Stores the jobs of a queue in a table of the database. */
export function jobStore<Job extends { readonly id: string }>(repository: JobRepository): JobStore<Job> {
  return {
    // Only `put` has written these texts, so they contain jobs of this type.
    all: () => repository.all().map((text) => JSON.parse(text) as Job),
    put: (job) => {
      repository.put(job.id, JSON.stringify(job));
    },
    remove: (id) => {
      repository.remove(id);
    },
  };
}
