import type { ClipJobObject } from '../../../src-preload/contract/api/file-processor-object.ts';
import { AirdeskError } from '../../../src-preload/contract/errors.ts';
import type { ShownClipJob, ShownClips } from '../clip-port.ts';
import { valueAt, type JsonObject, type ObjectSource } from './object-source.ts';

const STATUSES = { queued: 'new', running: 'running', done: 'done', failed: 'error' } as const;

/** The preparations of clips, as the collection API shows them. */
export class ClipObjects implements ObjectSource<ShownClipJob> {
  readonly #clips: ShownClips | undefined;

  constructor(clips: ShownClips | undefined) {
    this.#clips = clips;
  }

  rows(): readonly ShownClipJob[] {
    return this.#clips?.list() ?? [];
  }

  find(id: string): ShownClipJob | undefined {
    return this.#clips?.get(id);
  }

  getter(path: string): (job: ShownClipJob) => unknown {
    const keys = path.split('.');
    return (job) => valueAt(this.object(job), keys);
  }

  *texts({ id, request, by }: ShownClipJob): Iterable<string> {
    yield* [id, by, request.outputFile, ...request.inputFiles];
  }

  object({ id, request, by, status, createdMs, startedMs, finishedMs, failure, files }: ShownClipJob): JsonObject {
    const { inputFiles, filters, leadInMs, location, outputFile } = request;
    const [file] = files;
    const part = status === 'done' ? 1 : status === 'running' ? (this.#clips?.progress(id)?.part ?? 0) : 0;
    const object: ClipJobObject = {
      ...{ id, input_files: [...inputFiles], output_file: outputFile, clip: `${location}/${outputFile}` },
      ...{ filters: [...filters], lead_in: leadInMs, status: STATUSES[status], progress: Math.round(part * 1000) / 10 },
      ...{ size: file?.sizeBytes ?? null, duration: file?.durationMs ?? null },
      errors: failure ? [{ error: failure.code, detail: failure.detail }] : [],
      differences: [...(file?.differences ?? [])],
      ...{ created_at: createdMs, created_by: by, started_at: startedMs, finished_at: finishedMs },
    };
    // JSON by its schema; what a filter leaves out is undefined here, and not in the answer.
    return object as unknown as JsonObject;
  }
}

/** The preparations of clips; raises `unavailable` where there can be none. */
export function requireClips({ clips }: { readonly clips?: ShownClips | undefined }): ShownClips {
  if (!clips) throw new AirdeskError('unavailable', 'Clips cannot be made here');
  return clips;
}
