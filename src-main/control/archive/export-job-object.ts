import type { ExportJobObject } from '../../../src-preload/contract/api/export-job-object.ts';
import type { ShownExport, ShownExports } from './export-port.ts';

/** Export as the collection API and the desk show it. */
export function exportJobObject(
  job: ShownExport,
  exports: Pick<ShownExports, 'progress'> | undefined,
  nowMs: number,
): ExportJobObject {
  const { id, request, by, status, createdMs, startedMs, finishedMs, failure, files } = job;
  const { streams, fromMs, toMs, packing, trackIds, path, isExact = false } = request;
  return {
    id,
    name: streams[0] ?? '',
    names: [...streams],
    from: fromMs,
    duration: toMs - fromMs,
    path: path ?? null,
    case: request.case ? { id: request.case.id, title: request.case.title } : null,
    packing,
    exact: isExact,
    filter: trackIds ? { tracks: trackIds.join('') } : null,
    status,
    progress: status === 'running' ? progressOf(job, exports, nowMs) : null,
    created_at: createdMs,
    created_by: by,
    started_at: startedMs,
    finished_at: finishedMs,
    error: failure?.code ?? null,
    detail: failure?.detail ?? null,
    explanation: failure?.explanation ?? null,
    files: files.map(({ stream, path: filePath, sizeBytes, sha256, gapCount, ...file }) => ({
      name: stream,
      path: filePath,
      bytes: sizeBytes,
      sha256,
      from: file.fromMs,
      duration: file.durationMs,
      gaps: file.gaps.map(({ atMs, durationMs }) => ({ at: atMs, duration: durationMs })),
      gap_count: gapCount,
      chapters: file.chapters.map(({ atMs, title }) => ({ at: atMs, title })),
    })),
  };
}

function progressOf(
  { id, request, startedMs }: ShownExport,
  exports: Pick<ShownExports, 'progress'> | undefined,
  nowMs: number,
): ExportJobObject['progress'] {
  const { writtenBytes = 0, totalBytes = 0, doneMs = 0 } = exports?.progress(id) ?? {};
  const passedMs = nowMs - (startedMs ?? nowMs);
  const part = totalBytes > 0 ? Math.min(1, writtenBytes / totalBytes) : 0;
  const lengthMs = request.case?.lengthMs ?? (request.toMs - request.fromMs) * request.streams.length;
  return {
    percent: Math.round(part * 1000) / 10,
    bytes: writtenBytes,
    total_bytes: totalBytes > 0 ? totalBytes : null,
    done: Math.min(doneMs, lengthMs),
    speed: passedMs > 0 && doneMs > 0 ? Math.round((doneMs / passedMs) * 10) / 10 : null,
    estimated_end_at: part > 0 ? Math.round(nowMs + (passedMs * (1 - part)) / part) : null,
  };
}
