import type { MediaBytes } from '../segment/media-bytes.ts';
import type { ArchiveTime, Session } from '../sessions/session.ts';
import type { ArchiveSpan } from './archive-span.ts';
import type { MediaResource } from './media-address.ts';
import type { MediaErrorCode } from './media-error.ts';
import type { StreamOutput } from './stream-output.ts';

/** Request to an archive. */
export type RecordedRequest =
  /** A time range; of any length for a file, which is read in order. */
  | { readonly kind: 'span'; readonly span: ArchiveSpan; readonly isFile?: boolean }
  /** Segment that starts at this time, in epoch milliseconds; without an id, of any track. */
  | { readonly kind: 'segment'; readonly startMs: number; readonly trackId?: string }
  | { readonly kind: 'init'; readonly trackId: string; readonly initId: number };

/** Reason why an archive or a file cannot be played. */
export interface RecordedRefusal {
  readonly code: MediaErrorCode;
  readonly detail: string;
}

/** Source of recordings. Rejects if the catalog cannot be read. */
export type Recorded = (
  stream: string,
  request: RecordedRequest,
  session: Session | undefined,
) => Promise<StreamOutput | RecordedRefusal>;

/** An unchanged file. */
interface DownloadedFile {
  readonly media: MediaBytes;
  /** Version string, which changes with the content. */
  readonly version: string;
}

/** Files that are played like streams. */
export interface FileSource {
  /** Reports whether a name belongs to a location. The file need not exist. */
  covers(name: string): boolean;
  /** Reports whether a covered file may be downloaded unchanged. */
  mayDownload(name: string): boolean;
  /** A file that is open, unchanged; undefined if several files are played as one. */
  stored(name: string): DownloadedFile | undefined;
  /**
   * Opens a file to be served, and reads it again if it has changed.
   *
   * @param signal aborted when the viewer has disconnected
   * @param peer address of the viewer; addresses take turns for files without an index
   */
  open(name: string, signal: AbortSignal, peer: string): Promise<StreamOutput | RecordedRefusal>;
}

/** Maximum time after the end of the live window at which requested media is still expected, in milliseconds. */
const MAX_AHEAD_MS = 20_000;

/** Archive request of a resource; undefined if the live window answers it. */
export function recordedRequest(
  resource: MediaResource,
  query: string,
  live: StreamOutput | undefined,
): RecordedRequest | undefined {
  switch (resource.kind) {
    case 'multivariant':
    case 'ts-playlist':
    case 'mpd':
    case 'json-manifest':
    case 'mpegts':
    case 'mp4':
    case 'media-playlist': {
      const span = resource.interstitial === undefined ? (resource.span ?? spanOfQuery(resource, query)) : undefined;
      const isFile = resource.kind === 'mpegts' || resource.kind === 'mp4';
      return span && { kind: 'span', span, ...(isFile ? { isFile } : {}) };
    }
    case 'recorded-picture':
    case 'preview-file':
      return resource.atSeconds === undefined
        ? undefined
        : { kind: 'segment', startMs: Math.round(resource.atSeconds * 1000) };
    case 'media-info': {
      const atSeconds = secondsOf('from', query);
      return atSeconds === undefined ? undefined : { kind: 'segment', startMs: atSeconds * 1000 };
    }
    case 'sprite':
      return { kind: 'segment', startMs: resource.fromSeconds * 1000 };
    case 'thumbnails': {
      const { fromSeconds, durationSeconds } = resource;
      const name = `archive-${fromSeconds}-${durationSeconds}`;
      return { kind: 'span', span: { name, isMuxed: false, kind: 'range', fromSeconds, durationSeconds } };
    }
    case 'segment':
    case 'ts-segment': {
      const { address } = resource;
      const startMs = Number(address);
      // Media after the start of the live window is in the window or will be soon. Media far after its end was
      // recorded before the clock was set back.
      const { fromMs, toMs } = live?.window.bounds() ?? { fromMs: Infinity, toMs: -Infinity };
      if (!Number.isInteger(startMs) || (startMs >= fromMs && startMs <= toMs + MAX_AHEAD_MS)) return undefined;
      if (resource.kind === 'ts-segment') return { kind: 'segment', startMs };
      if (live?.window.segmentByAddress(resource.trackId, address)) return undefined;
      return { kind: 'segment', startMs, trackId: resource.trackId };
    }
    case 'init': {
      const { trackId, initId, addressPrefix } = resource;
      if (addressPrefix !== '' || live?.window.init(trackId, initId)) return undefined;
      return { kind: 'init', trackId, initId };
    }
    default:
      return undefined;
  }
}

/** Requested time of the archive, for the session of the viewer; undefined for live. */
export function requestedTimeOf(
  resource: MediaResource,
  query: string,
  recorded: RecordedRequest | undefined,
  nowMs: number,
): ArchiveTime | undefined {
  if (resource.kind !== 'recording-status') return recorded && archiveTimeOf(recorded, nowMs);
  // Only viewers who may play this range of the archive may get the list of its recordings.
  const boundOf = (name: string): number | undefined => {
    const digits = new RegExp(`(?:^|&)${name}=([0-9]{1,12})(?:&|$)`).exec(query)?.[1];
    return digits === undefined ? undefined : Number(digits);
  };
  const [fromSeconds = 0, toSeconds = Infinity] = [boundOf('from'), boundOf('to')];
  return { fromSeconds, durationSeconds: Math.max(0, toSeconds - fromSeconds) };
}

/** Time of a request; undefined for an init segment, which is not media. */
function archiveTimeOf(request: RecordedRequest, nowMs: number): ArchiveTime | undefined {
  const ago = (seconds: number): ArchiveTime => ({
    fromSeconds: Math.floor(nowMs / 1000) - seconds,
    durationSeconds: Infinity,
  });
  switch (request.kind) {
    case 'init':
      return undefined;
    case 'segment':
      return { fromSeconds: Math.floor(request.startMs / 1000), durationSeconds: 1 };
    case 'span': {
      const { span } = request;
      if (span.kind === 'range') return { fromSeconds: span.fromSeconds, durationSeconds: span.durationSeconds };
      return span.kind === 'delayed-from'
        ? { fromSeconds: span.fromSeconds, durationSeconds: Infinity }
        : ago(span.seconds);
    }
  }
}

/** Span of `dvr=3600` after a live address: number of seconds before the live edge. */
function spanOfQuery({ kind }: MediaResource, query: string): ArchiveSpan | undefined {
  if (kind === 'mpegts' || kind === 'mp4' || !query.includes('dvr=')) return undefined;
  const seconds = secondsOf('dvr', query);
  return seconds === undefined ? undefined : { name: 'index', isMuxed: false, kind: 'rewind', seconds };
}

/** Number of seconds in a query; undefined if there is none. */
export function secondsOf(name: 'dvr' | 'from', query: string): number | undefined {
  if (!query.includes(`${name}=`)) return undefined;
  const digits = new RegExp(`(?:^|&)${name}=([0-9]{1,10})(?:&|$)`).exec(query)?.[1];
  return digits === undefined ? undefined : Number(digits);
}
