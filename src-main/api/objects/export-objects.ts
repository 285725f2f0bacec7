import { AirdeskError } from '../../../src-preload/contract/errors.ts';
import type { Clock } from '../../lib/clock.ts';
import { exportJobObject } from '../../control/archive/export-job-object.ts';
import type { ShownExport, ShownExports } from '../../control/archive/export-port.ts';
import { valueAt, type JsonObject, type ObjectSource } from './object-source.ts';

/** Exports in the collection API. */
export class ExportObjects implements ObjectSource<ShownExport> {
  readonly #exports: ShownExports | undefined;
  readonly #clock: Clock;

  constructor(exports: ShownExports | undefined, clock: Clock) {
    this.#exports = exports;
    this.#clock = clock;
  }

  rows(): readonly ShownExport[] {
    return this.#exports?.list() ?? [];
  }

  find(id: string): ShownExport | undefined {
    return this.#exports?.get(id);
  }

  getter(path: string): (job: ShownExport) => unknown {
    const keys = path.split('.');
    return (job) => valueAt(this.object(job), keys);
  }

  *texts({ id, request, by }: ShownExport): Iterable<string> {
    yield* [id, by, ...request.streams];
    if (request.path !== undefined) yield request.path;
  }

  object(job: ShownExport): JsonObject {
    return { ...exportJobObject(job, this.#exports, this.#clock.now()) };
  }
}

/** Raises `unavailable` if there can be no exports. */
export function requireExports({ exports }: { readonly exports?: ShownExports | undefined }): ShownExports {
  if (!exports) throw new AirdeskError('unavailable', 'The catalog of archives cannot be opened');
  return exports;
}
