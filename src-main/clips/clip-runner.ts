import { rename, stat, unlink } from 'node:fs/promises';
import { AirdeskError } from '../../src-preload/contract/errors.ts';
import { differences, type ComparedClip } from '../ads/clip-fit.ts';
import type { RunningConform } from '../codec/clip-processes.ts';
import type { ConformInput, ConformProgress } from '../codec/clip/clip-target.ts';
import { messageOf } from '../lib/error-message.ts';
import type { JobOutcome, JobRunner, RunningJob } from '../lib/jobs/job-queue.ts';
import type { ClipFile, ClipTask } from './clip-job.ts';

/** What clips are made with. */
export interface ClipRunnerOptions {
  readonly conform: (input: ConformInput, progress: (progress: ConformProgress) => void) => RunningConform;
  /** Opens a file of a VOD location as an advertisement is opened; a detail where it cannot be. */
  readonly inspect: (name: string) => Promise<ComparedClip | { readonly detail: string }>;
}

/** Carries out preparations of clips. */
export class ClipRunner implements JobRunner<ClipTask, ClipFile, ConformProgress> {
  readonly #options: ClipRunnerOptions;

  constructor(options: ClipRunnerOptions) {
    this.#options = options;
  }

  run(task: ClipTask, progress: (progress: ConformProgress) => void): RunningJob<ClipFile> {
    const unfinished = unfinishedPath(task);
    let running: RunningConform | undefined;
    let isStopped = false;
    const work = async (): Promise<JobOutcome<ClipFile>> => {
      try {
        // What an earlier attempt began.
        await remove(unfinished);
        if (isStopped) throw new AirdeskError('clip_cancelled', 'It was cancelled');
        running = this.#options.conform({ ...task, output: unfinished }, progress);
        const { durationMs } = await running.outcome;
        const clip = await this.#options.inspect(task.unfinishedName);
        if ('detail' in clip) throw new AirdeskError('clip_not_made', `It cannot be played: ${clip.detail}`);
        const file = {
          durationMs,
          sizeBytes: (await stat(unfinished)).size,
          differences: differences(clip, task.stream),
        };
        if (isStopped) throw new AirdeskError('clip_cancelled', 'It was cancelled');
        await rename(unfinished, task.output);
        return { files: [file] };
      } catch (error) {
        await remove(unfinished);
        return { code: error instanceof AirdeskError ? error.code : 'clip_not_made', detail: messageOf(error) };
      }
    };
    const outcome = work();
    return {
      outcome,
      async stop() {
        isStopped = true;
        await running?.stop();
        await outcome;
      },
    };
  }
}

/** Where a clip lies until it is whole. */
export function unfinishedPath({ output }: Pick<ConformInput, 'output'>): string {
  return `${output}.tmp`;
}

async function remove(path: string): Promise<void> {
  await unlink(path).catch(() => undefined);
}
