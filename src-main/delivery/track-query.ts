import type { EarlierTracks } from '../packaging/chosen-tracks.ts';
import { readTrackIds, type MediaAddress, type MediaResource } from './media-address.ts';

/** Maximum number of track changes in an MPD. */
export const MAX_EARLIER = 8;

/** Tracks of a request. */
export interface TrackQuery {
  /** Undefined for all. */
  readonly ids: readonly string[] | undefined;
  /** Earlier tracks of a growing MPD; absent for none. */
  readonly earlier?: readonly EarlierTracks[];
  /** True if the path names the tracks (`tracks-v1a1/`), and not the query (`filter.tracks=v1a1`). */
  readonly isInPath: boolean;
}

/** Resources that can be limited to some tracks; other resources have one track or none. */
export const SELECTABLE_KINDS: ReadonlySet<MediaResource['kind']> = new Set<MediaResource['kind']>([
  ...(['multivariant', 'ts-playlist', 'ts-segment', 'mpd', 'json-manifest', 'mpegts', 'mp4'] as const),
]);

/** Requested tracks: undefined for all, `bad` if the query is invalid. */
export function readTrackQuery({ resource, tracks }: MediaAddress, query: string): TrackQuery | 'bad' | undefined {
  if (!SELECTABLE_KINDS.has(resource.kind)) return undefined;
  if (tracks) return { ids: tracks, isInPath: true };
  const text = filterOf(query);
  const earlier = resource.kind === 'mpd' ? readEarlier(query) : [];
  if (text === undefined && earlier?.length === 0) return undefined;
  const ids = text === undefined ? undefined : readTrackIds(text);
  return !earlier || (text !== undefined && !ids) ? 'bad' : { ids, earlier, isInPath: false };
}

/** Value of `filter.tracks` in a query; undefined without it. */
function filterOf(query: string): string | undefined {
  if (!query.includes('filter.tracks=')) return undefined;
  return /(?:^|&)filter\.tracks=([^&]*)/.exec(query)?.[1];
}

/** Query for the addresses of segments with the requested tracks; undefined for all tracks. */
export function trackQuery(query: string): string | undefined {
  const ids = readTrackIds(filterOf(query) ?? '');
  return ids && `filter.tracks=${ids.join('')}`;
}

/** Prints tracks of earlier times for a query: `v1a1.1795230000000,all.1795230060000`. */
export function printEarlier(earlier: readonly EarlierTracks[]): string {
  return earlier.map(({ ids, untilMs }) => `${ids?.join('') ?? 'all'}.${untilMs}`).join(',');
}

/** Parses tracks of earlier times from a query; empty without them, undefined if they are invalid. */
export function readEarlier(query: string): readonly EarlierTracks[] | undefined {
  const [, text] = /(?:^|&)filter\.until=([^&]*)/.exec(query) ?? [];
  if (text === undefined) return [];
  const earlier: EarlierTracks[] = [];
  for (const one of text.split(',', MAX_EARLIER + 1)) {
    const [, names = '', ms] = /^(all|(?:[va]\d{1,3})+)\.(\d{1,14})$/.exec(one) ?? [];
    const ids = names === 'all' ? undefined : readTrackIds(names);
    const untilMs = Number(ms);
    if (!(untilMs > (earlier.at(-1)?.untilMs ?? -1)) || (names !== 'all' && !ids)) return undefined;
    earlier.push({ ids, untilMs });
  }
  return earlier.length > MAX_EARLIER ? undefined : earlier;
}

/** Parts of a query that select tracks, or all other parts. @param areOfTracks true for the parts that select tracks */
export function partsOfQuery(query: string, areOfTracks: boolean): readonly string[] {
  return query.split('&').filter((part) => part !== '' && /^filter\.(?:tracks|until)=/.test(part) === areOfTracks);
}

/** Query without the selection of tracks. */
export function withoutTracks(query: string): string {
  return query.includes('filter.') ? partsOfQuery(query, false).join('&') : query;
}
