import { ClipDesk } from '../clips/clip-desk.ts';
import { ClipJobs, type ClipJob } from '../clips/clip-job.ts';
import { ClipRunner } from '../clips/clip-runner.ts';
import type { ClipProcesses } from '../codec/clip-processes.ts';
import type { Config } from '../config/config.ts';
import type { KeptJobs } from '../db/kept-jobs.ts';
import { messageOf } from '../lib/error-message.ts';
import type { AdsUnit } from './ads.ts';
import { jobStore } from './job-store.ts';
import type { ServerOptions } from './server-options.ts';
import { locationsOf } from './vod.ts';

/** What makes clips ready to be inserted. */
export interface ClipsUnit {
  readonly desk: ClipDesk;
  close(): Promise<void>;
}

/** What it works with. */
export interface ClipsDeps {
  readonly options: Pick<ServerOptions, 'clock' | 'log' | 'dataFolder'>;
  readonly config: () => Config;
  /** Undefined where jobs cannot be kept. */
  readonly kept: KeptJobs | undefined;
  readonly processes: ClipProcesses;
  /** Opens a file as an advertisement is opened. */
  readonly inspect: AdsUnit['inspect'];
}

/** What was not over begins again so long after the start, in milliseconds: the streams come first. */
const BEGIN_MS = 2000;

/** Opens the preparation of clips. Jobs that were not over when the server ended begin again. */
export function openClips({ options, config, kept, processes, inspect }: ClipsDeps): ClipsUnit {
  const { clock, log, dataFolder } = options;
  const jobs = openJobs();
  const cancel = clock.after(BEGIN_MS, () => {
    jobs?.start();
  });
  return {
    desk: new ClipDesk({
      ...{ clock, jobs },
      locations: () => new Map(locationsOf(config(), dataFolder).map((location) => [location.prefix, location])),
      place: () => config().fileProcessor?.path ?? undefined,
    }),
    async close() {
      cancel();
      await jobs?.close();
    },
  };

  function openJobs(): ClipJobs | undefined {
    if (!kept) return undefined;
    const runner = new ClipRunner({ conform: (input, progress) => processes.run(input, progress), inspect });
    try {
      return new ClipJobs({
        ...{ clock, runner, store: jobStore<ClipJob>(kept) },
        codes: { failed: 'clip_not_made', cancelled: 'clip_cancelled' },
        ended: ({ id, request, status, failure }) => {
          const facts = { id, clip: `${request.location}/${request.outputFile}`, status };
          if (failure) log.warn('a clip was not made', { ...facts, code: failure.code, detail: failure.detail });
          else log.info('a clip was made', facts);
        },
        unstored: (error) => {
          log.error('what happens to clips cannot be stored', { error: messageOf(error) });
        },
      });
    } catch (error) {
      log.error('clips cannot be read', { error: messageOf(error) });
      return undefined;
    }
  }
}
