import type { ClipJobObject } from '../../../src-preload/contract/api/file-processor-object.ts';
import type { ShownClipJob, ShownClips } from './clip-port.ts';

const STATUSES = { queued: 'new', running: 'running', done: 'done', failed: 'error' } as const;

/** Job that prepares a clip, as the collection API and the desk show it. */
export function clipJobObject(
  { id, request, by, status, createdMs, startedMs, finishedMs, failure, files }: ShownClipJob,
  clips: Pick<ShownClips, 'progress'> | undefined,
): ClipJobObject {
  const { inputFiles, filters, leadInMs, loudness = null, slate = null, location, outputFile } = request;
  const [file] = files;
  const part = status === 'done' ? 1 : status === 'running' ? (clips?.progress(id)?.part ?? 0) : 0;
  return {
    id,
    input_files: [...inputFiles],
    output_file: outputFile,
    clip: `${location}/${outputFile}`,
    filters: [...filters],
    lead_in: leadInMs,
    status: STATUSES[status],
    progress: Math.round(part * 1000) / 10,
    size: file?.sizeBytes ?? null,
    duration: file?.durationMs ?? null,
    loudness,
    slate,
    measured_loudness: file?.loudness ? { target: file.loudness.lufs, files: [...file.loudness.ofInputs] } : null,
    errors: failure ? [{ error: failure.code, detail: failure.detail, explanation: failure.explanation ?? null }] : [],
    differences: [...(file?.differences ?? [])],
    created_at: createdMs,
    created_by: by,
    started_at: startedMs,
    finished_at: finishedMs,
  };
}
