import { completeSegments } from '../../media/manifests/hls/media-playlist.ts';
import { parsePlaylist } from '../../media/manifests/hls/parse-playlist.ts';

/** Segment that the server has. */
interface StoredSegment {
  readonly name: string;
  readonly durationMs: number;
  /** Whether its times do not continue those of the segment before it. */
  readonly isDiscontinuity: boolean;
}

/**
 * EXT-X-TARGETDURATION in seconds. It must not change while the playlist lives (RFC 8216, 6.2.1), so all playlists have the
 * same one.
 */
const TARGET_S = 10;
/** Maximum duration of a segment in milliseconds: rounded to seconds, it is not above the target (RFC 8216, 4.3.3.1). */
export const MAX_SEGMENT_MS = TARGET_S * 1000 + 499;
/** Minimum duration of a playlist: three target durations (RFC 8216, 6.2.2). */
const LISTED_MS = 3 * TARGET_S * 1000;
/** Duration of the segments after one that is removed from the server: it was listed for the first half (RFC 8216, 6.2.2). */
const KEPT_MS = 2 * (LISTED_MS + MAX_SEGMENT_MS);
/** Maximum number of segments: at a very high bit rate, segments are short. */
const MAX_SEGMENTS = 200;

/** Playlist of a target, and the segments of its server. It goes on from one connection to the next. */
export class HlsPlaylist {
  readonly #prefix: string;
  #segments: StoredSegment[] = [];
  /** Number of the first segment, and number of discontinuities before it. */
  #firstNumber: number;
  #discontinuities = 0;
  /** Number in the name of the next segment. */
  #nextName: number;

  /**
   * Starts with the seconds of the clock, so that the numbers rise after a restart, too: no segment is shorter on average.
   * @param fileName name of the playlist, from which the names of the segments are made
   */
  constructor(fileName: string, nowMs: number) {
    this.#prefix = `${fileName.replace(/\.m3u8?$/i, '')}-`;
    this.#firstNumber = Math.floor(nowMs / 1000);
    this.#nextName = this.#firstNumber;
  }

  /** Continues the playlist that an earlier process has left on the server. Another playlist is ignored. */
  continue(text: string): void {
    if (this.#segments.length > 0) return;
    const playlist = parsePlaylist(text);
    if (playlist?.kind !== 'media' || playlist.targetMs !== TARGET_S * 1000) return;
    const segments = completeSegments(playlist);
    const numbers = segments.map(({ uri }) => this.#numberIn(uri));
    if (numbers.length === 0 || numbers.includes(Number.NaN)) return;
    let discontinuities = 0;
    this.#segments = segments.map(({ durationMs, uri = '', discontinuities: before }) => {
      const isDiscontinuity = before > discontinuities;
      discontinuities = before;
      return { name: uri, durationMs, isDiscontinuity };
    });
    this.#firstNumber = playlist.mediaSequence;
    this.#discontinuities = playlist.discontinuitySequence ?? 0;
    this.#nextName = Math.max(this.#nextName, 1 + Math.max(...numbers));
  }

  /** Name of the next segment, which no segment had before. */
  takeName(): string {
    return `${this.#prefix}${this.#nextName++}.ts`;
  }

  /** Adds a segment that the server has. */
  add(segment: StoredSegment): void {
    this.#segments.push(segment);
  }

  /** Text of the playlist (RFC 8216, 4.3). */
  text(): string {
    const from = this.#firstListed();
    const removed = this.#segments.slice(0, from).filter(({ isDiscontinuity }) => isDiscontinuity).length;
    return [
      '#EXTM3U',
      '#EXT-X-VERSION:3',
      `#EXT-X-TARGETDURATION:${TARGET_S}`,
      `#EXT-X-MEDIA-SEQUENCE:${this.#firstNumber + from}`,
      `#EXT-X-DISCONTINUITY-SEQUENCE:${this.#discontinuities + removed}`,
      ...this.#segments
        .slice(from)
        .flatMap(({ name, durationMs, isDiscontinuity }) => [
          ...(isDiscontinuity ? ['#EXT-X-DISCONTINUITY'] : []),
          `#EXTINF:${(durationMs / 1000).toFixed(3)},`,
          name,
        ]),
      '',
    ].join('\n');
  }

  /** Takes the names of the segments that no player needs any more. */
  takeExpired(): string[] {
    const expired = this.#segments.splice(0, this.#firstWithin(KEPT_MS));
    this.#firstNumber += expired.length;
    this.#discontinuities += expired.filter(({ isDiscontinuity }) => isDiscontinuity).length;
    return expired.map(({ name }) => name);
  }

  #firstListed(): number {
    return this.#firstWithin(LISTED_MS);
  }

  /** Index of the last segment from which on the segments last for a time; 0 if all are shorter. */
  #firstWithin(ms: number): number {
    let left = ms;
    let index = this.#segments.length;
    while (index > 0 && left > 0) left -= this.#segments[--index]?.durationMs ?? 0;
    return Math.max(index, this.#segments.length - MAX_SEGMENTS);
  }

  /** Number in a name that `takeName` has given; otherwise not a number. */
  #numberIn(uri = ''): number {
    const number = uri.slice(this.#prefix.length, -3);
    return uri.startsWith(this.#prefix) && uri.endsWith('.ts') && /^\d{1,15}$/.test(number)
      ? Number(number)
      : Number.NaN;
  }
}
