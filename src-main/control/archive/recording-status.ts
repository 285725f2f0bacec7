import { inSeconds, readableLocks } from './archive-operations.ts';
import type { ArchiveService } from './archive-service.ts';

/** Maximum number of ranges, and of locks, in an answer. */
const MAX_RANGES = 1000;
const LATEST_MS = 8_640_000_000_000;

/** Recordings of a stream, as players read them: in seconds since 1970, and bytes. */
export interface RecordingStatus {
  readonly stream: string;
  /** Start of the archive, and its age; null if nothing is recorded. */
  readonly from: number | null;
  readonly depth: number | null;
  /** Recorded seconds of the requested time, without gaps. */
  readonly duration: number;
  /** Size of all finished blocks. */
  readonly bytes: number;
  readonly ranges: readonly { readonly from: number; readonly duration: number }[];
  readonly locks: readonly { readonly from: number; readonly duration: number }[];
}

/**
 * Body of `recording_status.json`.
 * @param query `from` and `to` in seconds since 1970, `to` may be `now`; default: the complete archive. With `request`, a list
 * of `ranges` and `locks`, the answer has the older form: a list with one stream that has only these fields
 */
export async function recordingStatus(
  archive: Pick<ArchiveService, 'ranges' | 'extent' | 'locks'>,
  stream: string,
  query: string,
  nowMs: number,
): Promise<RecordingStatus | readonly Partial<RecordingStatus>[]> {
  const parameters = new URLSearchParams(query);
  const to = parameters.get('to');
  // A range without an end includes media that was recorded before the clock was set back.
  const endMs = to === 'now' ? nowMs : (secondsOf(to) ?? LATEST_MS);
  const time = { startMs: secondsOf(parameters.get('from')) ?? 0, endMs };
  const { ranges } = await archive.ranges(stream, time, MAX_RANGES);
  const extent = await archive.extent(stream);
  const starts = [extent, ranges[0]].flatMap((one) => one?.startMs ?? []);
  const startMs = starts.length === 0 ? undefined : Math.min(...starts);
  const listed = ranges.map(inSeconds);
  const locks = readableLocks(archive, stream, time).slice(0, MAX_RANGES).map(inSeconds);
  const names = parameters.get('request')?.split(',');
  if (names)
    return [
      {
        stream,
        ...(names.includes('ranges') ? { ranges: listed } : {}),
        ...(names.includes('locks') ? { locks } : {}),
      },
    ];
  return {
    stream,
    from: startMs === undefined ? null : Math.floor(startMs / 1000),
    depth: startMs === undefined ? null : Math.max(0, Math.floor((nowMs - startMs) / 1000)),
    duration: listed.reduce((sum, { duration }) => sum + duration, 0),
    bytes: extent?.bytes ?? 0,
    ranges: listed,
    locks,
  };
}

/** Milliseconds of a whole number of seconds; undefined for any other text. */
function secondsOf(text: string | null): number | undefined {
  return text !== null && /^[0-9]{1,12}$/.test(text) ? Math.min(Number(text) * 1000, LATEST_MS) : undefined;
}
