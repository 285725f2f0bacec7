import type { EarlierTracks } from '../packaging/chosen-tracks.ts';
import { readTrackIds, type MediaAddress, type MediaResource } from './media-address.ts';

/** An MPD has so many changes of tracks. */
export const MOST_EARLIER = 8;

/** Which tracks a request is about. */
export interface TracksAsked {
  /** Undefined for all. */
  readonly ids: readonly string[] | undefined;
  /** Which an MPD that grows had before; absent for none. */
  readonly earlier?: readonly EarlierTracks[];
  /** Whether the address says it (`tracks-v1a1/`), and not its query (`filter.tracks=v1a1`). */
  readonly isInPath: boolean;
}

/** What has only some tracks where some are asked for; all else is made of one track, or of none. */
export const OF_TRACKS: ReadonlySet<MediaResource['kind']> = new Set<MediaResource['kind']>([
  ...(['multivariant', 'ts-playlist', 'ts-segment', 'mpd', 'json-manifest', 'mpegts', 'mp4'] as const),
]);

/** Which tracks a request asks for: undefined for all, `bad` where its query names none. */
export function tracksAsked({ resource, tracks }: MediaAddress, query: string): TracksAsked | 'bad' | undefined {
  if (!OF_TRACKS.has(resource.kind)) return undefined;
  if (tracks) return { ids: tracks, isInPath: true };
  const text = filterOf(query);
  const earlier = resource.kind === 'mpd' ? readEarlier(query) : [];
  if (text === undefined && earlier?.length === 0) return undefined;
  const ids = text === undefined ? undefined : readTrackIds(text);
  return !earlier || (text !== undefined && !ids) ? 'bad' : { ids, earlier, isInPath: false };
}

/** The value of `filter.tracks` in a query; undefined without it. */
function filterOf(query: string): string | undefined {
  if (!query.includes('filter.tracks=')) return undefined;
  return /(?:^|&)filter\.tracks=([^&]*)/.exec(query)?.[1];
}

/** What the addresses of segments have to say of tracks that a query asks for; undefined where it asks for all. */
export function trackQuery(query: string): string | undefined {
  const ids = readTrackIds(filterOf(query) ?? '');
  return ids && `filter.tracks=${ids.join('')}`;
}

/** Tracks of earlier times as they stand in a query: `v1a1.1795230000000,all.1795230060000`. */
export function printEarlier(earlier: readonly EarlierTracks[]): string {
  return earlier.map(({ ids, untilMs }) => `${ids?.join('') ?? 'all'}.${untilMs}`).join(',');
}

/** Reads them from a query; none without them, undefined where they are not readable. */
export function readEarlier(query: string): readonly EarlierTracks[] | undefined {
  const [, text] = /(?:^|&)filter\.until=([^&]*)/.exec(query) ?? [];
  if (text === undefined) return [];
  const earlier: EarlierTracks[] = [];
  for (const one of text.split(',', MOST_EARLIER + 1)) {
    const [, names = '', ms] = /^(all|(?:[va]\d{1,3})+)\.(\d{1,14})$/.exec(one) ?? [];
    const ids = names === 'all' ? undefined : readTrackIds(names);
    const untilMs = Number(ms);
    if (!(untilMs > (earlier.at(-1)?.untilMs ?? -1)) || (names !== 'all' && !ids)) return undefined;
    earlier.push({ ids, untilMs });
  }
  return earlier.length > MOST_EARLIER ? undefined : earlier;
}

/** The parts of a query that say which tracks are asked for, or all others. */
export function partsOfQuery(query: string, areOfTracks: boolean): readonly string[] {
  return query.split('&').filter((part) => part !== '' && /^filter\.(?:tracks|until)=/.test(part) === areOfTracks);
}

/** A query that asks for no tracks. */
export function withoutTracks(query: string): string {
  return query.includes('filter.') ? partsOfQuery(query, false).join('&') : query;
}
