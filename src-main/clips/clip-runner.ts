import { rename, stat, statfs, unlink } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { ClipFile } from '../../src-preload/contract/api/file-processor-object.ts';
import { AirdeskError } from '../../src-preload/contract/errors.ts';
import { because } from '../../src-preload/contract/explanations/explanations.ts';
import { differences, type ComparedClip } from '../ads/clips/clip-fit.ts';
import type { RunningConform } from '../codec/clip-processes.ts';
import type { CodedSound, ConformInput, ConformProgress } from '../codec/clip/clip-target.ts';
import { explained } from '../lib/error-message.ts';
import type { JobOutcome, JobRunner, RunningJob } from '../lib/jobs/job-queue.ts';
import type { ClipTask } from './clip-job.ts';

export interface ClipRunnerOptions {
  readonly conform: (input: ConformInput, progress: (progress: ConformProgress) => void) => RunningConform;
  /** Recent sound of a stream; undefined while there is not enough to measure its loudness. */
  readonly soundOf: (stream: string) => Promise<CodedSound | undefined>;
  /** Waits between two requests for the sound. */
  readonly pause: () => Promise<void>;
  /** Opens a file of a VOD location like an advertisement. Resolves with `detail`, the reason, if that fails. */
  readonly inspect: (name: string) => Promise<ComparedClip | { readonly detail: string }>;
}

/** Minimum free space of a disk, in bytes. */
const RESERVE_BYTES = 64 << 20;

/** Maximum number of requests for the sound of a stream. */
const MAX_TRIES = 12;

/** Runs clip jobs. */
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
        // Files of an earlier attempt.
        await remove(unfinished);
        const loudness = await this.#loudness(task, () => isStopped);
        await requireRoom(dirname(unfinished));
        if (isStopped) throw new AirdeskError('clip_cancelled', because('clip_stopped'));
        running = this.#options.conform({ ...task, loudness, output: unfinished }, progress);
        const output = await running.outcome;
        const clip = await this.#options.inspect(task.unfinishedName);
        if ('detail' in clip) throw new AirdeskError('clip_not_made', clip);
        const file = {
          ...output,
          sizeBytes: (await stat(unfinished)).size,
          differences: differences(clip, task.stream),
        };
        if (isStopped) throw new AirdeskError('clip_cancelled', because('clip_stopped'));
        await rename(unfinished, task.output);
        return { files: [file] };
      } catch (error) {
        await remove(unfinished);
        return { code: error instanceof AirdeskError ? error.code : 'clip_not_made', ...explained(error) };
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

  /** Removes the remains of a job that was interrupted by the end of the server and is not run again. */
  async forget(task: Pick<ClipTask, 'output'>): Promise<void> {
    await remove(unfinishedPath(task));
  }

  async #loudness({ loudness }: ClipTask, isStopped: () => boolean): Promise<ConformInput['loudness']> {
    if (typeof loudness !== 'object') return loudness === undefined ? undefined : { lufs: loudness };
    // A stream that has just started will soon have more sound.
    for (let tries = 0; tries < MAX_TRIES && !isStopped(); tries++) {
      if (tries > 0) await this.#options.pause();
      const like = await this.#options.soundOf(loudness.stream);
      if (like) return { like };
    }
    throw new AirdeskError('clip_not_made', because('stream_without_sound', { stream: loudness.stream }));
  }
}

/**
 * Throws `clip_no_room` if the disk of a folder is nearly full, and `vod_path_not_found` if there is no such folder.
 */
export async function requireRoom(folder: string): Promise<void> {
  const room = await statfs(folder).catch(() => undefined);
  if (!room) throw new AirdeskError('vod_path_not_found', because('clip_folder_missing'), { pointer: '/path' });
  if (room.bsize * room.bavail < RESERVE_BYTES)
    throw new AirdeskError('clip_no_room', because('free_space_low', { bytes: RESERVE_BYTES }));
}

/** Path of a clip until it is complete. */
export function unfinishedPath({ output }: Pick<ConformInput, 'output'>): string {
  return `${output}.tmp`;
}

async function remove(path: string): Promise<void> {
  await unlink(path).catch(() => undefined);
}
