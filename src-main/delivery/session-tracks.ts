import type { EarlierTracks } from '../packaging/chosen-tracks.ts';
import type { SegmentWindow } from '../segment/segment-window.ts';
import type { Session } from '../sessions/session.ts';
import type { MediaAddress } from './media-address.ts';
import { MAX_EARLIER, SELECTABLE_KINDS, partsOfQuery, printEarlier } from './track-query.ts';

/** Tracks that the growing MPD of a session has listed. */
interface Listed {
  ids: readonly string[] | undefined;
  earlier: readonly EarlierTracks[];
  /** Media sequence number of the segment at which the requested tracks start. */
  nextMsn: number | undefined;
}

/** Redirects requests of sessions to the tracks that their players requested. */
export class SessionTracks {
  readonly #listed = new WeakMap<Session, Listed>();

  /**
   * Query with the tracks requested for a session; undefined if the request has them already, if none are requested, or
   * if the address names tracks.
   */
  queryOf(
    { resource, tracks }: MediaAddress,
    query: string,
    session: Session | undefined,
    window: SegmentWindow,
  ): string | undefined {
    // The addresses of segments come from a playlist that already has the tracks.
    if (!session || tracks || resource.kind === 'ts-segment' || !SELECTABLE_KINDS.has(resource.kind)) return undefined;
    const grows = resource.kind === 'mpd' && window.mutability !== 'static';
    if (!session.tracks && !(grows && this.#listed.has(session))) return undefined;
    const { ids, earlier } = grows ? this.#listedOf(session, window) : { ids: session.tracks, earlier: [] };
    const chosen = [
      ...(ids ? [`filter.tracks=${ids.join('')}`] : []),
      ...(earlier.length > 0 ? [`filter.until=${printEarlier(earlier)}`] : []),
    ];
    if (partsOfQuery(query, true).join('&') === chosen.join('&')) return undefined;
    return [...partsOfQuery(query, false), ...chosen].join('&');
  }

  /**
   * Tracks of the MPD. Requested tracks start with the next segment, because players take the tracks of a Period from
   * the first MPD that lists it, and may have loaded the current segment. At least one video track and one audio
   * track stay if the previous Period had them: no player continues with a Period that lacks one of the two kinds.
   */
  #listedOf(session: Session, window: SegmentWindow): Listed {
    const listed = this.#listed.get(session) ?? { ids: undefined, earlier: [], nextMsn: undefined };
    this.#listed.set(session, listed);
    const chosen = withEachKind(window, session.tracks, listed.ids);
    if (listed.ids?.join() === chosen?.join()) {
      listed.nextMsn = undefined;
      return listed;
    }
    listed.nextMsn ??= Math.max(-1, ...window.tracks.map(({ track }) => window.lastSegment(track.id)?.msn ?? -1)) + 1;
    const untilMs = startOf(window, chosen, listed.nextMsn);
    if (untilMs === undefined) return listed;
    listed.earlier = [...listed.earlier, { untilMs, ids: listed.ids }].slice(-MAX_EARLIER);
    listed.ids = chosen;
    listed.nextMsn = undefined;
    return listed;
  }
}

/**
 * Adds the previous video tracks if `ids` has no video track, and the previous audio tracks if it has no audio track. Undefined
 * if the result has all tracks of the window.
 */
function withEachKind(
  { tracks }: SegmentWindow,
  ids: readonly string[] | undefined,
  before: readonly string[] | undefined,
): readonly string[] | undefined {
  if (!ids) return undefined;
  const missing = (['video', 'audio'] as const).flatMap((kind) => {
    const ofKind = tracks.filter(({ track }) => track.content === kind).map(({ track }) => track.id);
    return ofKind.some((id) => ids.includes(id)) ? [] : ofKind.filter((id) => before?.includes(id) !== false);
  });
  const all = [...ids, ...missing];
  return tracks.every(({ track }) => all.includes(track.id)) ? undefined : all;
}

/** Start of a segment in milliseconds; undefined until each of the tracks has media of the segment. */
function startOf(window: SegmentWindow, ids: readonly string[] | undefined, msn: number): number | undefined {
  const tracks = window.tracks.filter(({ track }) => ids?.includes(track.id) !== false);
  const entries = tracks.map(({ track }) => window.segmentByMsn(track.id, msn));
  const isThere = entries.every((entry) => entry && entry.segment.parts.length > 0);
  // If a later segment has started, a track without media is not waited for.
  const isOver = tracks.some(({ track }) => (window.lastSegment(track.id)?.msn ?? -1) > msn);
  return isThere || isOver ? entries.find((entry) => entry)?.startMs : undefined;
}
