import { join } from 'node:path';
import { ClipService } from '../clips/clip-service.ts';
import { ClipJobs, type ClipJob } from '../clips/clip-job.ts';
import { ClipRunner } from '../clips/clip-runner.ts';
import { TestBackends } from '../clips/test-backends.ts';
import { VodUploads } from '../clips/vod-uploads.ts';
import type { ClipProcesses } from '../codec/clip-processes.ts';
import type { Config } from '../config/schema/config.ts';
import type { EventEmitter } from '../events/event-bus.ts';
import type { JobRepository } from '../db/job-repository.ts';
import { FileTurns } from '../lib/file-turns.ts';
import { messageOf } from '../lib/error-message.ts';
import { decodableSound, soundUnits } from '../packaging/mp4/sound-units.ts';
import type { SegmentWindow } from '../segment/segment-window.ts';
import type { VodLocation } from '../vod/vod-location.ts';
import type { AdsUnit } from './ads.ts';
import { jobStore } from './job-store.ts';
import type { ServerOptions } from './server-options.ts';
import { locationsOf } from './vod.ts';

/** Preparation of clips for insertion. */
export interface ClipsUnit {
  readonly service: ClipService;
  readonly uploads: VodUploads;
  readonly backends: TestBackends;
  close(): Promise<void>;
}

/** Dependencies of `openClips`. */
export interface ClipsDeps {
  readonly options: Pick<ServerOptions, 'clock' | 'log' | 'dataFolder'>;
  readonly config: () => Config;
  readonly events: EventEmitter;
  /** Store of the jobs; undefined if jobs cannot be stored. */
  readonly repository: JobRepository | undefined;
  readonly processes: ClipProcesses;
  readonly streams: { get(name: string): { readonly window: SegmentWindow } | undefined };
  /** Opens a file like an advertisement. */
  readonly inspect: AdsUnit['inspect'];
}

/** Delay after the start before unfinished jobs restart, in milliseconds: streams come first. */
const RESTART_DELAY_MS = 2000;
/** Length of a stream's sound for the measurement of its loudness, in milliseconds. */
const SAMPLE_MS = 60_000;
/** Minimum length of sound for a measurement, in milliseconds. */
const MIN_SAMPLE_MS = 2000;
/** Interval between two checks for more sound, in milliseconds. */
const PAUSE_MS = 500;

/** Opens the preparation of clips. Unfinished jobs of the previous run of the server restart. */
export function openClips({ options, config, events, repository, processes, streams, inspect }: ClipsDeps): ClipsUnit {
  const { clock, log, dataFolder } = options;
  const jobs = openJobs();
  const cancel = clock.after(RESTART_DELAY_MS, () => {
    jobs?.start();
  });
  const locations = (): Map<string, VodLocation> =>
    new Map(locationsOf(config(), dataFolder).map((location) => [location.prefix, location]));
  const service = new ClipService({
    clock,
    jobs,
    locations,
    survey: async (input) => processes.survey(input),
    outputPath: () => config().fileProcessor?.path ?? undefined,
  });
  const isBeingMade = (path: string): boolean => service.isMaking(path);
  return {
    backends: new TestBackends(join(dataFolder, 'test-backends')),
    uploads: new VodUploads({ clock, locations, files: new FileTurns({ clock, limit: 2 }), isBeingMade }),
    service,
    async close() {
      cancel();
      await jobs?.close();
    },
  };

  function openJobs(): ClipJobs | undefined {
    if (!repository) return undefined;
    const runner = new ClipRunner({
      conform: (input, progress) => processes.run(input, progress),
      pause: async () => new Promise((resolve) => clock.after(PAUSE_MS, resolve)),
      soundOf: async (name) => {
        const window = streams.get(name)?.window;
        const fromMs = (window?.bounds()?.toMs ?? 0) - SAMPLE_MS;
        const sound = window && (await soundUnits(window, fromMs));
        if (!sound) return undefined;
        const { samplesPerFrame, sampleRate } = sound.track;
        const isEnough = (sound.units.sizes.length * samplesPerFrame * 1000) / sampleRate >= MIN_SAMPLE_MS;
        return isEnough ? decodableSound(sound) : undefined;
      },
      inspect,
    });
    try {
      return new ClipJobs({
        clock,
        runner,
        store: jobStore<ClipJob>(repository),
        codes: { failed: 'clip_not_made', cancelled: 'clip_cancelled' },
        maxRunning: () => config().fileProcessor?.jobs ?? 1,
        ended: (job) => {
          if (job.failure) void runner.forget(job.task);
          emitEnded(events, job);
        },
        unstored: (error) => {
          log.error('jobs that convert clips cannot be stored', { error: messageOf(error) });
        },
      });
    } catch (error) {
      log.error('clips cannot be read', { error: messageOf(error) });
      return undefined;
    }
  }
}

function emitEnded(events: EventEmitter, { id, by, request, files: [file], failure }: ClipJob): void {
  events.emit('clip_job_finished', {
    id,
    by,
    clip: `${request.location}/${request.outputFile}`,
    bytes: file?.sizeBytes ?? 0,
    duration_ms: file?.durationMs ?? 0,
    differences: file?.differences.length ?? 0,
    code: failure?.code ?? null,
    detail: failure?.detail ?? null,
    explanation: failure?.explanation,
  });
}
