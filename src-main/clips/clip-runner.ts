import { rename, stat, statfs, unlink } from 'node:fs/promises';
import { dirname } from 'node:path';
import { AirdeskError } from '../../src-preload/contract/errors.ts';
import { differences, type ComparedClip } from '../ads/clip-fit.ts';
import type { RunningConform } from '../codec/clip-processes.ts';
import type { CodedSound, ConformInput, ConformProgress } from '../codec/clip/clip-target.ts';
import { messageOf } from '../lib/error-message.ts';
import type { JobOutcome, JobRunner, RunningJob } from '../lib/jobs/job-queue.ts';
import type { ClipFile, ClipTask } from './clip-job.ts';

/** What clips are made with. */
export interface ClipRunnerOptions {
  readonly conform: (input: ConformInput, progress: (progress: ConformProgress) => void) => RunningConform;
  /** Opens a file of a VOD location as an advertisement is opened; a detail where it cannot be. */
  /** The sound that a stream just had; undefined where that is not enough yet to know how loud it is. */
  readonly soundOf: (stream: string) => Promise<CodedSound | undefined>;
  /** Resolves when it is worth asking for that sound again. */
  readonly pause: () => Promise<void>;
  readonly inspect: (name: string) => Promise<ComparedClip | { readonly detail: string }>;
}

/** Bytes that are left free on a disk. */
const RESERVE_BYTES = 64 << 20;

/** How often the sound of a stream is asked for until there is enough. */
const MOST_TRIES = 12;

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
        const loudness = await this.#loudness(task, () => isStopped);
        await requireRoom(dirname(unfinished));
        if (isStopped) throw new AirdeskError('clip_cancelled', 'It was cancelled');
        running = this.#options.conform({ ...task, loudness, output: unfinished }, progress);
        const made = await running.outcome;
        const clip = await this.#options.inspect(task.unfinishedName);
        if ('detail' in clip) throw new AirdeskError('clip_not_made', `It cannot be played: ${clip.detail}`);
        const file = {
          ...made,
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

  /** Removes what a job began that is not carried out again: the server ended in the middle of it. */
  async forget(task: Pick<ClipTask, 'output'>): Promise<void> {
    await remove(unfinishedPath(task));
  }

  async #loudness({ loudness }: ClipTask, isStopped: () => boolean): Promise<ConformInput['loudness']> {
    if (typeof loudness !== 'object') return loudness === undefined ? undefined : { lufs: loudness };
    // A stream that has only begun soon has more.
    for (let tries = 0; tries < MOST_TRIES && !isStopped(); tries++) {
      if (tries > 0) await this.#options.pause();
      const like = await this.#options.soundOf(loudness.stream);
      if (like) return { like };
    }
    throw new AirdeskError('clip_not_made', `${loudness.stream} has no sound now that could be measured`);
  }
}

/** Raises `clip_no_room` where hardly anything is free on the disk of a folder, and `vod_path_not_found`. */
export async function requireRoom(folder: string): Promise<void> {
  const room = await statfs(folder).catch(() => undefined);
  if (!room) throw new AirdeskError('vod_path_not_found', 'The folder of the clips is not there', { pointer: '/path' });
  if (room.bsize * room.bavail < RESERVE_BYTES)
    throw new AirdeskError('clip_no_room', `Less than ${RESERVE_BYTES} bytes are free`);
}

/** Where a clip lies until it is whole. */
export function unfinishedPath({ output }: Pick<ConformInput, 'output'>): string {
  return `${output}.tmp`;
}

async function remove(path: string): Promise<void> {
  await unlink(path).catch(() => undefined);
}
