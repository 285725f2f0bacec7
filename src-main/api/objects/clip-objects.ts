import { AirdeskError } from '../../../src-preload/contract/errors.ts';
import { clipJobObject } from '../../control/clips/clip-job-object.ts';
import type { ShownClipJob, ShownClips } from '../../control/clips/clip-port.ts';
import { valueAt, type JsonObject, type ObjectSource } from './object-source.ts';

/** Preparations of clips in the collection API. */
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

  object(job: ShownClipJob): JsonObject {
    // JSON by its schema: fields that a filter leaves out are undefined here and absent in the answer.
    return clipJobObject(job, this.#clips) as unknown as JsonObject;
  }
}

/** Raises `unavailable` if clips cannot be prepared. */
export function requireClips({ clips }: { readonly clips?: ShownClips | undefined }): ShownClips {
  if (!clips) throw new AirdeskError('unavailable', 'This server cannot convert clips');
  return clips;
}
