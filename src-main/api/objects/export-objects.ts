import type { ExportJobObject } from '../../../src-preload/contract/api/export-job-object.ts';
import { AirdeskError } from '../../../src-preload/contract/errors.ts';
import type { Clock } from '../../lib/clock.ts';
import type { ShownExport, ShownExports } from '../export-port.ts';
import { valueAt, type JsonObject, type ObjectSource } from './object-source.ts';

/** The exports, as the collection API shows them. */
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
    return exportObject(job, this.#progressOf(job));
  }

  #progressOf({ id, status, request, startedMs }: ShownExport): ExportJobObject['progress'] {
    if (status !== 'running') return null;
    const known = this.#exports?.progress(id);
    const { writtenBytes = 0, totalBytes = 0, doneMs = 0 } = known ?? {};
    const now = this.#clock.now();
    const passedMs = now - (startedMs ?? now);
    const part = totalBytes > 0 ? Math.min(1, writtenBytes / totalBytes) : 0;
    const lengthMs = (request.toMs - request.fromMs) * request.streams.length;
    return {
      percent: Math.round(part * 1000) / 10,
      bytes: writtenBytes,
      total_bytes: totalBytes > 0 ? totalBytes : null,
      done: Math.min(doneMs, lengthMs),
      speed: passedMs > 0 && doneMs > 0 ? Math.round((doneMs / passedMs) * 10) / 10 : null,
      estimated_end_at: part > 0 ? Math.round(now + (passedMs * (1 - part)) / part) : null,
    };
  }
}

function exportObject(job: ShownExport, progress: ExportJobObject['progress']): JsonObject {
  const { id, request, by, status, createdMs, startedMs, finishedMs, failure, files } = job;
  const { streams, fromMs, toMs, packing, trackIds, path, isExact = false } = request;
  const object: ExportJobObject = {
    ...{ id, name: streams[0] ?? '', names: [...streams], from: fromMs, duration: toMs - fromMs, path: path ?? null },
    ...{ packing, exact: isExact, filter: trackIds ? { tracks: trackIds.join('') } : null, status, progress },
    ...{ created_at: createdMs, created_by: by, started_at: startedMs, finished_at: finishedMs },
    ...{ error: failure?.code ?? null, detail: failure?.detail ?? null },
    files: files.map(({ stream, path: place, sizeBytes, sha256, gapCount, ...file }) => ({
      ...{ name: stream, path: place, bytes: sizeBytes, sha256, from: file.fromMs, duration: file.durationMs },
      gaps: file.gaps.map(({ atMs, durationMs }) => ({ at: atMs, duration: durationMs })),
      gap_count: gapCount,
      chapters: file.chapters.map(({ atMs, title }) => ({ at: atMs, title })),
    })),
  };
  return object;
}

/** The exports; raises `unavailable` where there can be none. */
export function requireExports({ exports }: { readonly exports?: ShownExports | undefined }): ShownExports {
  if (!exports) throw new AirdeskError('unavailable', 'The catalog of archives cannot be opened');
  return exports;
}
