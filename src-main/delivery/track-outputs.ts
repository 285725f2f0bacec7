import { ChosenTracks } from '../packaging/chosen-tracks.ts';
import { readTrackIds, type MediaAddress, type MediaResource } from './media-address.ts';
import { StreamOutput } from './stream-output.ts';

/** Which tracks a request is about. */
export interface TracksAsked {
  readonly ids: readonly string[];
  /** Whether the address says it (`tracks-v1a1/`), and not its query (`filter.tracks=v1a1`). */
  readonly isInPath: boolean;
}

/** Choices of tracks that are kept of one output. */
const MOST_CHOICES = 16;

/** What has only some tracks where some are asked for; all else is made of one track, or of none. */
const OF_TRACKS: ReadonlySet<MediaResource['kind']> = new Set<MediaResource['kind']>([
  ...(['multivariant', 'ts-playlist', 'ts-segment', 'mpd', 'json-manifest', 'mpegts', 'mp4'] as const),
]);

/** Which tracks a request asks for: undefined for all, `bad` where its query names none. */
export function tracksAsked({ resource, tracks }: MediaAddress, query: string): TracksAsked | 'bad' | undefined {
  if (!OF_TRACKS.has(resource.kind)) return undefined;
  if (tracks) return { ids: tracks, isInPath: true };
  const text = filterOf(query);
  if (text === undefined) return undefined;
  const ids = readTrackIds(text);
  return ids ? { ids, isInPath: false } : 'bad';
}

/** The query with the tracks that a player asked for its session; undefined where a request is of these already, of none, or of such as the address names. */
export function chosenQuery(
  { resource, tracks }: MediaAddress,
  query: string,
  chosen: readonly string[] | undefined,
): string | undefined {
  // Segments are those that a playlist names.
  if (!chosen || tracks || resource.kind === 'ts-segment' || !OF_TRACKS.has(resource.kind)) return undefined;
  const text = chosen.join('');
  if (filterOf(query) === text) return undefined;
  const others = query.split('&').filter((part) => part !== '' && !part.startsWith('filter.tracks='));
  return [...others, `filter.tracks=${text}`].join('&');
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

/** An output with some of the tracks of another one, of which it is a part in all counts. */
class TrackOutput extends StreamOutput {
  readonly #whole: StreamOutput;

  constructor(whole: StreamOutput, name: string, ids: readonly string[]) {
    super(
      name,
      new ChosenTracks(whole.window, ids),
      () => whole.marks,
      () => whole,
      whole.texts,
    );
    this.#whole = whole;
  }

  override delivered(trackId: string, address: string, part?: number): void {
    this.#whole.delivered(trackId, address, part);
  }

  override isOfViewer(trackId: string, address: string): boolean {
    return this.#whole.isOfViewer(trackId, address);
  }

  override unreadable(trackId: string, address: string): boolean {
    return this.#whole.unreadable(trackId, address);
  }

  override seen(nowMs: number): void {
    this.#whole.seen(nowMs);
  }

  override wait(isDone: () => boolean, deadlineMs: number, wake: (isInTime: boolean) => void): () => void {
    return this.#whole.wait(isDone, deadlineMs, wake);
  }

  override watch(): () => void {
    const left = [super.watch(), this.#whole.watch()];
    return () => {
      for (const leave of left) leave();
    };
  }
}

/** Outputs with some tracks of others: one for each choice, as long as the other one is there. */
export class TrackOutputs {
  readonly #made = new WeakMap<StreamOutput, Map<string, TrackOutput>>();

  /** @returns undefined where the output has none of the tracks */
  of(whole: StreamOutput, { ids, isInPath }: TracksAsked): StreamOutput | undefined {
    const chosen = [...new Set(ids)].sort();
    const tracks = whole.window.listedTracks ?? whole.window.tracks;
    if (tracks.length > 0 && !tracks.some(({ track }) => chosen.includes(track.id))) return undefined;
    const all = this.#allOf(whole);
    // What is relative in a text of the folder begins a step deeper.
    const name = isInPath ? `${whole.name}/tracks-${chosen.join('')}` : whole.name;
    const key = `${isInPath ? '/' : '?'}${chosen.join('')}`;
    const known = all.get(key);
    if (known) return known;
    if (all.size >= MOST_CHOICES) forgetIdle(all);
    const made = new TrackOutput(whole, name, chosen);
    all.set(key, made);
    return made;
  }

  #allOf(whole: StreamOutput): Map<string, TrackOutput> {
    const known = this.#made.get(whole);
    if (known) return known;
    const all = new Map<string, TrackOutput>();
    this.#made.set(whole, all);
    whole.onClose(() => {
      for (const one of all.values()) one.close();
      all.clear();
    });
    return all;
  }
}

function forgetIdle(all: Map<string, TrackOutput>): void {
  for (const [key, one] of all) {
    if (one.hasWatchers || one.closeListenerCount > 0) continue;
    one.close();
    all.delete(key);
  }
}
