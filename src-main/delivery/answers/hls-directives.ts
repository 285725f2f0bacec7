import { interstitialName } from '../../packaging/hls/interstitials.ts';
import { lastPosition, targetDuration } from '../../packaging/hls/media-playlist.ts';
import type { ImagePlaylist } from '../../packaging/hls/multivariant-playlist.ts';
import type { SegmentWindow } from '../../segment/segment-window.ts';
import type { ArchiveSpan } from '../archive-span.ts';
import type { ConnectionSession } from '../connection-session.ts';
import type { Exchange } from '../exchange.ts';
import { errorReply } from '../media-error.ts';
import type { StreamOutput } from '../stream-output.ts';
import { badStep, thumbnailStep } from './thumbnail-answers.ts';

/** Delivery directives of a playlist request (RFC 8216bis 6.2.5). */
export interface HlsDirectives {
  /** `_HLS_msn`: wait for this media sequence number. */
  readonly msn?: number;
  /** `_HLS_part`: wait for this part of the segment. */
  readonly part?: number;
  /** `_HLS_skip`: a delta update is accepted. */
  readonly isDelta: boolean;
  /** Query without the directives. */
  readonly query: string;
}

/** Maximum number of remembered playlists per connection. */
const MAX_REMEMBERED = 16;

const NO_DIRECTIVES: HlsDirectives = { isDelta: false, query: '' };

/**
 * Parses the directives of a query string.
 * @returns undefined if one of them is invalid
 */
export function readDirectives(query: string): HlsDirectives | undefined {
  if (query === '') return NO_DIRECTIVES;
  if (!query.includes('_HLS_')) return { isDelta: false, query };
  let msn: number | undefined;
  let part: number | undefined;
  let isDelta = false;
  const others: string[] = [];
  for (const pair of query.split('&')) {
    const [name, value = ''] = pair.split('=', 2);
    if (name === '_HLS_msn') msn = /^\d{1,15}$/.test(value) ? Number(value) : Number.NaN;
    else if (name === '_HLS_part') part = /^\d{1,6}$/.test(value) ? Number(value) : Number.NaN;
    else if (name === '_HLS_skip') isDelta = value === 'YES' || value === 'v2';
    else if (pair !== '') others.push(pair);
  }
  if (Number.isNaN(msn) || Number.isNaN(part) || (part !== undefined && msn === undefined)) return undefined;
  return {
    ...(msn === undefined ? {} : { msn }),
    ...(part === undefined ? {} : { part }),
    isDelta,
    query: others.join('&'),
  };
}

/**
 * Requested window: the window of an output, or the media of an interstitial with the name of its playlists. Undefined, after an
 * error reply, if the interstitial no longer exists.
 */
export function requestedWindow(
  exchange: Exchange,
  { name: stream, window }: StreamOutput,
  interstitial: string | undefined,
): { readonly window: SegmentWindow; readonly name?: string } | undefined {
  if (interstitial === undefined) return { window };
  const found = window.interstitial?.(interstitial);
  if (found) return { window: found, name: interstitialName(interstitial) };
  exchange.reply(errorReply('segment_gone', `${stream} has no break ${interstitial}`));
  return undefined;
}

/**
 * Sends the playlist of a track, at once or when it contains the requested position (blocking reload, RFC 8216bis
 * 6.2.5.2).
 */
export function whenReached(
  exchange: Exchange,
  output: StreamOutput,
  trackId: string,
  { msn, part, isDelta }: HlsDirectives,
  now: () => number,
  send: () => void,
): void {
  const { window } = output;
  if (!hasTrack(window, trackId)) {
    exchange.reply(errorReply('track_not_found', `${output.name} has no track ${trackId}`));
    return;
  }
  if (msn === undefined) {
    whenNew(exchange, output, { trackId, isDelta }, now, send);
    return;
  }
  if (isReached(window, trackId, msn, part)) {
    send();
    return;
  }
  if (isTooFarAhead(window, trackId, msn, part)) {
    const position = `_HLS_msn=${msn}${part === undefined ? '' : `&_HLS_part=${part}`}`;
    exchange.reply(errorReply('bad_delivery_directive', `${position} is too far ahead`));
    return;
  }
  const isDone = (): boolean => isReached(window, trackId, msn, part);
  const deadlineMs = now() + targetDuration(output.window) * 3000;
  const giveUp = output.wait(isDone, deadlineMs, (isInTime) => {
    if (isInTime) send();
    else exchange.reply(errorReply('blocking_timeout', `Segment ${msn} did not come in time`));
  });
  exchange.onClose(giveUp);
}

/** Names of playlists with parts but without segments that were sent, by connection. */
const partsAlone = new WeakMap<ConnectionSession, Set<string>>();

/**
 * Sends a playlist requested without `_HLS_msn`. A player that repeats such a request on its connection, or requests a delta update,
 * does not support parts. Without segments it would poll in vain and start late, so its request waits for the first segment.
 */
function whenNew(
  exchange: Exchange,
  output: StreamOutput,
  { trackId, isDelta }: { readonly trackId: string; readonly isDelta: boolean },
  now: () => number,
  send: () => void,
): void {
  if (output.has('segment') || output.window.mutability !== 'live') {
    send();
    return;
  }
  const { connectionSession } = exchange;
  const names = partsAlone.get(connectionSession) ?? new Set();
  const playlist = `${output.name}/${trackId}`;
  if (!isDelta && (!names.has(playlist) || names.size > MAX_REMEMBERED)) {
    partsAlone.set(connectionSession, names.add(playlist));
    send();
    return;
  }
  const deadlineMs = now() + targetDuration(output.window) * 3000;
  // After the deadline, the playlist is sent without a segment.
  exchange.onClose(output.wait(() => output.has('segment'), deadlineMs, send));
}

function hasTrack({ tracks }: SegmentWindow, trackId: string): boolean {
  for (const { track } of tracks) if (track.id === trackId) return true;
  return false;
}

/** Reports whether a track has the position that a playlist request waits for. */
function isReached(window: SegmentWindow, trackId: string, msn: number, part: number | undefined): boolean {
  const last = lastPosition(window, trackId);
  if (last.msn > msn) return true;
  if (part === undefined) return last.msn === msn && window.segmentByMsn(trackId, msn)?.segment.isComplete === true;
  return last.msn === msn && last.part >= part;
}

/**
 * Reports whether a requested position is too far ahead: more than two segments, or more than three seconds of parts,
 * past the newest (RFC 8216bis 6.2.5.2, Advance Part Limit).
 */
function isTooFarAhead(window: SegmentWindow, trackId: string, msn: number, part = 0): boolean {
  const { partMs } = window;
  const last = lastPosition(window, trackId);
  const limit = partMs > 0 && partMs < 1000 ? Math.ceil(3000 / partMs) : 3;
  return msn > last.msn + 2 || part > (msn === last.msn ? last.part : 0) + limit;
}

/**
 * Image playlist to list in a multivariant playlist (`thumbnails=10`), for a recorded time with an end.
 *
 * @returns undefined after an error reply, if the step is invalid
 */
export function readImageQuery(
  exchange: Exchange,
  span: ArchiveSpan | undefined,
): { readonly images?: ImagePlaylist } | undefined {
  const stepSeconds = thumbnailStep(exchange.query);
  if (stepSeconds === 'bad') {
    exchange.reply(badStep());
    return undefined;
  }
  if (stepSeconds === undefined || span?.kind !== 'range' || span.durationSeconds === Infinity) return {};
  return { images: { address: `thumbnails-${span.fromSeconds}-${span.durationSeconds}.m3u8`, stepSeconds } };
}
