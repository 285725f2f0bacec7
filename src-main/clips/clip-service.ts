import { randomUUID } from 'node:crypto';
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { ClipFilter, ClipJobBody } from '../../src-preload/contract/api/file-processor-object.ts';
import { AirdeskError } from '../../src-preload/contract/errors.ts';
import { because } from '../../src-preload/contract/explanations/explanations.ts';
import type { ClipEdit, ConformProgress } from '../codec/clip/clip-target.ts';
import type { SurveyInput, SurveyOutput } from '../codec/jobs/survey.ts';
import type { Clock } from '../lib/clock.ts';
import { MAX_QUEUED } from '../lib/jobs/job-queue.ts';
import { findBelow, readVodPath, type VodLocation } from '../vod/vod-location.ts';
import type { ClipJob, ClipJobs } from './clip-job.ts';
import { requireRoom, unfinishedPath } from './clip-runner.ts';
import { targetFormat } from './target-format.ts';

export interface ClipDeskDeps {
  readonly clock: Clock;
  /** Undefined if jobs cannot be stored. */
  readonly jobs: ClipJobs | undefined;
  /** VOD locations by prefix. */
  readonly locations: () => ReadonlyMap<string, VodLocation>;
  /** `path` of `file_processor`; undefined if not configured. */
  readonly outputPath: () => string | undefined;
  /** Creates an overview of a file. */
  readonly survey: (input: SurveyInput) => Promise<SurveyOutput>;
}

/** Number of pictures and loudness peaks in an overview of a file. */
const OVERVIEW_PICTURES = 10;
const OVERVIEW_PEAKS = 400;

/** Jobs that prepare clips for advertisements. */
export class ClipService {
  readonly #deps: ClipDeskDeps;

  constructor(deps: ClipDeskDeps) {
    this.#deps = deps;
  }

  /** All jobs in order of creation. */
  list(): readonly ClipJob[] {
    return this.#deps.jobs?.list() ?? [];
  }

  get(id: string): ClipJob | undefined {
    return this.#deps.jobs?.get(id);
  }

  /** Progress of a running job; undefined before the first report. */
  progress(id: string): ConformProgress | undefined {
    return this.#deps.jobs?.progress(id);
  }

  /**
   * Finds the location of a `path` of `file_processor`: the location with this prefix, otherwise a location with this folder.
   * Throws `vod_not_found`, `vod_storage_not_supported`.
   */
  requireLocation(path: string): VodLocation & { readonly root: string } {
    const locations = this.#deps.locations();
    const found = locations.get(path) ?? [...locations.values()].find(({ roots }) => roots.includes(path));
    const pointer = { pointer: '/path' };
    if (!found)
      throw new AirdeskError('vod_not_found', because('location_unknown', { path: path.slice(0, 200) }), pointer);
    const [root] = found.roots;
    if (root === undefined) throw new AirdeskError('vod_storage_not_supported', because('location_not_local'), pointer);
    return { ...found, root };
  }

  /**
   * Queues a clip. Throws `file_processor_not_found`, `vod_not_found`, `vod_file_not_found`, `path_not_allowed`,
   * `bad_value`, `clip_target_not_supported`, `clip_no_room` and `clip_queue_full`.
   * @param by login of the caller, or another description of it
   */
  async create(body: ClipJobBody, by: string): Promise<ClipJob> {
    const { jobs } = this.#deps;
    const path = this.#deps.outputPath();
    if (path === undefined) throw new AirdeskError('file_processor_not_found', because('clips_without_location'));
    if (!jobs) throw new AirdeskError('unavailable', because('clips_without_database'));
    const { root, prefix } = this.requireLocation(path);
    const { input_files: inputFiles, filters, lead_in: leadInMs = 0, loudness, slate } = body;
    const transcoders = filters.flatMap((filter, index) =>
      filter.group === 'transcoder' ? [targetFormat(filter.transcoder, `/filters/${index}/transcoder`)] : [],
    );
    const [format] = transcoders;
    if (!format || transcoders.length > 1)
      throw new AirdeskError('bad_value', because('clip_without_stream'), {
        pointer: '/filters',
      });
    const edits = editsOf(filters);
    if (edits.length > 0 && inputFiles.length > 1)
      throw new AirdeskError('bad_value', because('clip_of_many_files'), {
        pointer: '/filters',
      });
    const inputs: string[] = [];
    for (const [index, name] of inputFiles.entries())
      inputs.push(await this.#inputPath(name, prefix, `/input_files/${index}`));
    const slateTask = slate && {
      multipleMs: slate.multiple,
      path: slate.file === undefined ? undefined : await this.#inputPath(slate.file, prefix, '/slate/file'),
    };
    await requireRoom(root);
    const outputFile = await this.#outputName(stemOf(body.output_file), root, prefix);
    const output = join(root, outputFile);
    const id = randomUUID();
    const task = {
      ...format,
      inputs,
      output,
      edits,
      leadInMs,
      ...(loudness === undefined ? {} : { loudness }),
      ...(slateTask ? { slate: slateTask } : {}),
      unfinishedName: unfinishedPath({ output: `${prefix}/${outputFile}` }),
    };
    const job = jobs.add(
      id,
      { inputFiles, filters, leadInMs, loudness, slate, location: prefix, outputFile },
      task,
      by,
    );
    if (!job) throw new AirdeskError('clip_queue_full', because('clip_queue_length', { count: MAX_QUEUED }));
    return job;
  }

  /** Removes a job and cancels it if it is not over; a complete clip stays. Throws `job_not_found`. */
  async remove(id: string): Promise<void> {
    if (!(await this.#deps.jobs?.remove(id)))
      throw new AirdeskError('job_not_found', because('clip_unknown', { id: id.slice(0, 200) }));
  }

  /** Whether a running job is creating a file, by its location and the path in it. */
  isMaking(path: string): boolean {
    return this.list().some(({ status, task }) => status === 'running' && task.unfinishedName === path);
  }

  /**
   * Creates an overview of a file of a VOD location. Throws `path_not_allowed`, `vod_file_not_found`, and
   * `clip_not_made` if the file cannot be read.
   */
  async survey(name: string): Promise<SurveyOutput> {
    const path = await this.#inputPath(name, '', '/path');
    return this.#deps.survey({ path, pictures: OVERVIEW_PICTURES, peaks: OVERVIEW_PEAKS });
  }

  /**
   * Path of an input file: in the VOD location with which its name starts, otherwise in the VOD location of the
   * clips.
   */
  async #inputPath(name: string, prefix: string, pointer: string): Promise<string> {
    if (name.startsWith('/') || /^[a-z][a-z0-9+.-]*:/i.test(name) || name.split('/').includes('..'))
      throw new AirdeskError('path_not_allowed', because('clip_source_by_location'), { pointer });
    const locations = this.#deps.locations();
    for (const found of [readVodPath(locations, name), readVodPath(locations, `${prefix}/${name}`)])
      for (const root of found?.location.roots ?? []) {
        const file = await findBelow(root, found?.steps ?? []);
        if (file && !file.isFolder) return file.path;
      }
    throw new AirdeskError('vod_file_not_found', because('file_unknown', { path: name.slice(0, 200) }), { pointer });
  }

  /** Name that neither a file nor another job has. */
  async #outputName(stem: string, root: string, prefix: string): Promise<string> {
    for (let seconds = Math.floor(this.#deps.clock.now() / 1000); ; seconds++) {
      const name = `${stem}_processed_${seconds}.mp4`;
      const isTaken = this.list().some(({ request }) => request.location === prefix && request.outputFile === name);
      if (!isTaken && !(await stat(join(root, name)).catch(() => undefined))) return name;
    }
  }
}

function stemOf(name: string): string {
  const pointer = { pointer: '/output_file' };
  const stem = name.replace(/\.mp4$/i, '');
  if (/[/\\\0]/.test(name) || stem.startsWith('.') || stem.trim() === '')
    throw new AirdeskError('bad_value', because('name_with_folder'), pointer);
  if (/\.(mov|mkv|webm|ts|m4v|avi|flv|tmp)$/i.test(stem))
    throw new AirdeskError('bad_value', because('name_not_mp4'), pointer);
  return stem;
}

function editsOf(filters: readonly ClipFilter[]): ClipEdit[] {
  return filters.flatMap((filter, index): ClipEdit[] => {
    const refuse = (): AirdeskError =>
      new AirdeskError('bad_value', because('clip_end_before_start'), {
        pointer: `/filters/${index}/${filter.group}`,
      });
    switch (filter.group) {
      case 'crop': {
        const { start: startMs, stop: stopMs } = filter.crop;
        if (stopMs <= startMs) throw refuse();
        return [{ kind: 'crop', startMs, stopMs }];
      }
      case 'mute': {
        const { start: startMs = 0, stop: stopMs } = filter.mute ?? {};
        if (stopMs !== undefined && stopMs <= startMs) throw refuse();
        return [{ kind: 'mute', startMs, ...(stopMs === undefined ? {} : { stopMs }) }];
      }
      case 'overlay': {
        const { x1, y1, x2, y2 } = filter.overlay;
        if (x2 <= x1 || y2 <= y1) throw refuse();
        return [{ kind: 'overlay', x1, y1, x2, y2 }];
      }
      case 'transcoder':
        return [];
    }
  });
}
