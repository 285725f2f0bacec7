import { keepNewest } from '../../lib/limits/newest.ts';
import type { MediaPlaylist, PlaylistPart, PlaylistSegment } from '../../media/manifests/hls/media-playlist.ts';
import type { MediaItem } from './media-item.ts';
import { startPosition } from './start-position.ts';
import type { Position, StartWish } from './start-position.ts';

/** Changes in a new version of a playlist. */
export interface PlaylistChanges {
  readonly items: readonly MediaItem[];
  /** Number of segments that left the playlist before they were read. */
  readonly missed: number;
  /** Whether the server restarted its numbers. */
  readonly hasRestarted: boolean;
}

/** Number of playlist versions ending before the last read segment after which the server counts as restarted. */
const STALE_UNTIL_RESTART = 2;
/** Remembered segment addresses, to distinguish an old copy of the playlist from a new one with old numbers. */
const MAX_REMEMBERED = 64;

/**
 * Position of one reader in a changing media playlist. Each version of the playlist is passed to `take`, which returns
 * the new segments, or the new parts if the playlist has parts.
 */
export class PlaylistCursor {
  readonly #wish: StartWish;
  #next: Position | undefined;
  #era: number;
  /** Discontinuity sequence of the last taken segment, as counted by the playlist. */
  #discontinuity: number | undefined;
  /** Number of the last segment that was read, completely or in parts. */
  #lastMsn: number | undefined;
  readonly #uris = new Map<number, string>();
  #staleVersions = 0;
  #isAfterGap = false;

  /** @param firstEra era of the first item */
  constructor(wish: StartWish = {}, firstEra = 0) {
    this.#wish = wish;
    this.#era = firstEra;
  }

  /** Next position, for a blocking reload. Undefined before the first playlist. */
  get next(): Position | undefined {
    return this.#next;
  }

  /** Processes a version of the playlist. */
  take(version: MediaPlaylist): PlaylistChanges {
    const playlist = version.isUnnumbered && this.#next ? this.#numbered(version) : version;
    const { segments } = playlist;
    const first = segments[0];
    if (!first) return { items: [], missed: 0, hasRestarted: false };
    let missed = 0;
    let hasRestarted = false;
    if (!this.#next) this.#next = startPosition(playlist, this.#wish);
    else if (this.#hasRestarted(segments)) {
      hasRestarted = true;
      const known = this.#newestKnown(segments);
      if (known) this.#renumber(playlist, known);
      else this.#restart(playlist);
    } else if (first.msn > this.#next.msn) {
      missed = first.msn - this.#next.msn;
      // The reader was too slow: continues at the start position.
      this.#next = playlist.isEnded ? { msn: first.msn, part: 0 } : startPosition(playlist, {});
      this.#isAfterGap = true;
    }
    const items: MediaItem[] = [];
    const hasDiscontinuitySequence = playlist.discontinuitySequence !== undefined;
    const from = Math.max(0, this.#next.msn - first.msn);
    for (let index = from; index < segments.length; index++) {
      const segment = segments[index]!;
      this.#follow(segments, segment, hasDiscontinuitySequence ? playlist.discontinuitySequence : undefined);
      const before = items.length;
      this.#takeSegment(segment, items);
      if (items.length > before) this.#isAfterGap = false;
    }
    return { items, missed, hasRestarted };
  }

  /** Restarts the same recording, as a continuation of its end. */
  rewind(playlist: MediaPlaylist): PlaylistChanges {
    this.#restart(playlist);
    return this.take(playlist);
  }

  #restart(playlist: MediaPlaylist): void {
    this.#next = startPosition(playlist, {});
    this.#era++;
    this.#discontinuity = undefined;
    this.#lastMsn = undefined;
    this.#uris.clear();
    this.#staleVersions = 0;
    this.#isAfterGap = false;
  }

  /**
   * Numbers the segments of a live playlist without numbers by addresses of earlier segments; without a match they
   * follow all earlier segments.
   */
  #numbered(playlist: MediaPlaylist): MediaPlaylist {
    const known = new Map([...this.#uris].map(([msn, uri]) => [uri, msn]));
    // Addresses that several ranges share do not identify a segment.
    if (playlist.segments.some(({ range }) => range)) return playlist;
    const found = playlist.segments.find(({ uri }) => uri !== undefined && known.has(withoutQuery(uri)));
    const first = playlist.segments[0]?.msn ?? 0;
    const offset =
      found?.uri === undefined ? (this.#next?.msn ?? 0) - first : (known.get(withoutQuery(found.uri)) ?? 0) - found.msn;
    return { ...playlist, segments: playlist.segments.map((segment) => ({ ...segment, msn: segment.msn + offset })) };
  }

  /**
   * Whether the server has restarted its numbers. A playlist that ends before the last read segment is an old copy from
   * a cache, unless its addresses differ.
   */
  #hasRestarted(segments: readonly PlaylistSegment[]): boolean {
    const last = segments.at(-1);
    if (!last || !this.#next || last.msn >= this.#next.msn - 1) {
      this.#staleVersions = 0;
      return false;
    }
    const isOldCopy = segments.some(
      (segment) => segment.uri !== undefined && this.#uris.get(segment.msn) === withoutQuery(segment.uri),
    );
    if (isOldCopy) return false;
    this.#staleVersions++;
    return this.#staleVersions >= STALE_UNTIL_RESTART || this.#newestKnown(segments) !== undefined;
  }

  /**
   * Segment that was read last, found by its address in a playlist with other numbers. The segments before it must
   * also be the ones that were read before it, because encoders reuse addresses, and ranges of one file have the same
   * address.
   */
  #newestKnown(segments: readonly PlaylistSegment[]): PlaylistSegment | undefined {
    // The first version with other numbers has already been decided on.
    if (this.#staleVersions > 1) return undefined;
    const newestMsn = Math.max(...this.#uris.keys());
    const isRead = ({ uri, range }: PlaylistSegment, msn: number): boolean =>
      uri !== undefined && !range && (this.#uris.get(msn) ?? withoutQuery(uri)) === withoutQuery(uri);
    const at = segments.findLastIndex(
      ({ uri }) => uri !== undefined && this.#uris.get(newestMsn) === withoutQuery(uri),
    );
    const isSame = segments.slice(0, at + 1).every((segment, index) => isRead(segment, newestMsn - at + index));
    return isSame ? segments[at] : undefined;
  }

  /** Continues after a segment that was read under another number. */
  #renumber({ discontinuitySequence }: MediaPlaylist, known: PlaylistSegment): void {
    const { msn, uri = '', discontinuities } = known;
    this.#next = { msn: msn + 1, part: 0 };
    this.#lastMsn = msn;
    this.#discontinuity = discontinuitySequence === undefined ? undefined : discontinuitySequence + discontinuities;
    this.#uris.clear();
    this.#remember(msn, uri);
    this.#staleVersions = 0;
  }

  /** Counts the discontinuities between the last taken segment and this one. */
  #follow(segments: readonly PlaylistSegment[], segment: PlaylistSegment, sequence: number | undefined): void {
    const lastMsn = this.#lastMsn;
    if (lastMsn === segment.msn) return;
    let steps = 0;
    if (sequence !== undefined) {
      const discontinuity = sequence + segment.discontinuities;
      if (this.#discontinuity !== undefined) steps = Math.max(0, discontinuity - this.#discontinuity);
      this.#discontinuity = discontinuity;
    } else if (lastMsn !== undefined) {
      // Tags leave the playlist with their segments, so only tags after the last segment are new.
      const known = segments[lastMsn - segments[0]!.msn];
      steps = segment.discontinuities - (known?.discontinuities ?? 0);
    }
    this.#era += steps;
    this.#lastMsn = segment.msn;
  }

  #takeSegment(segment: PlaylistSegment, items: MediaItem[]): void {
    const next = this.#next!;
    const isComplete = segment.uri !== undefined;
    if (isComplete) this.#remember(segment.msn, segment.uri);
    if (isComplete && next.part === 0) {
      items.push(this.#item(segment, segment.durationMs, segment.isGap ? undefined : segment.uri));
      this.#next = { msn: segment.msn + 1, part: 0 };
      return;
    }
    if (next.part < segment.parts.length) {
      for (let index = next.part; index < segment.parts.length; index++)
        items.push(this.#partItem(segment, segment.parts[index]!, index));
    } else if (isComplete && segment.parts.length === 0 && next.part > 0) {
      // The remaining parts of the segment have left the playlist, and loading the complete segment would repeat
      // media.
      this.#isAfterGap = true;
    }
    this.#next = isComplete
      ? { msn: segment.msn + 1, part: 0 }
      : { msn: segment.msn, part: Math.max(next.part, segment.parts.length) };
  }

  #item(segment: PlaylistSegment, durationMs: number, uri: string | undefined): MediaItem {
    const { msn, range, keys, map, startMs, marks } = segment;
    return {
      msn,
      durationMs,
      keys,
      era: this.#era,
      isAfterGap: this.#isAfterGap,
      ...(uri === undefined ? {} : { uri }),
      ...(range === undefined ? {} : { range }),
      ...(map === undefined ? {} : { map }),
      ...(startMs === undefined ? {} : { dateMs: startMs }),
      ...(marks === undefined ? {} : { marks }),
    };
  }

  #partItem(segment: PlaylistSegment, part: PlaylistPart, index: number): MediaItem {
    const partItem = this.#item(segment, part.durationMs, part.isGap ? undefined : part.uri);
    const { range: _range, dateMs, marks, ...item } = partItem;
    const isAfterGap = this.#isAfterGap;
    this.#isAfterGap = false;
    return {
      ...item,
      part: index,
      isAfterGap,
      ...(part.range ? { range: part.range } : {}),
      ...(dateMs === undefined ? {} : { dateMs: dateMs + lengthOf(segment.parts.slice(0, index)) }),
      ...(marks && index === 0 ? { marks } : {}),
    };
  }

  #remember(msn: number, uri: string): void {
    this.#uris.set(msn, withoutQuery(uri));
    keepNewest(this.#uris, MAX_REMEMBERED);
  }
}

function lengthOf(parts: readonly PlaylistPart[]): number {
  return parts.reduce((sum, part) => sum + part.durationMs, 0);
}

/** Tokens in a query may change with every version. */
function withoutQuery(uri: string): string {
  const question = uri.indexOf('?');
  return question < 0 ? uri : uri.slice(0, question);
}
