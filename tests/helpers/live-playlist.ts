import type { Clock } from '../../src-main/lib/clock.ts';
import type { HlsFolder } from './hls-folder.ts';

/** Segment of a live playlist: its address, duration, and tags before it. */
export interface LiveSegment {
  readonly uri: string;
  readonly seconds: number;
  readonly tags?: readonly string[];
}

/** Live playlist that slides over existing segments. */
export class LivePlaylist {
  /** Number of the first segment of the stream. */
  firstMsn = 0;
  /** Segments from which the window is taken. */
  segments: readonly LiveSegment[];
  /** Number of segments in the window. */
  windowLength = 5;
  /** Whether the playlist has EXT-X-DISCONTINUITY-SEQUENCE. */
  hasDiscontinuitySequence = false;
  /** Whether the playlist ends after the last segment. */
  isEnding = true;
  readonly #clock: Clock;
  #startedMs: number;

  /** @param ready seconds of media that exist at the start */
  constructor(clock: Clock, segments: readonly LiveSegment[], ready: number) {
    this.#clock = clock;
    this.segments = segments;
    this.#startedMs = clock.now() - ready * 1000;
  }

  /** Restarts with other segments. @param ready seconds of media that exist at the start */
  restart(segments: readonly LiveSegment[], ready: number, firstMsn = 0): void {
    this.segments = segments;
    this.firstMsn = firstMsn;
    this.#startedMs = this.#clock.now() - ready * 1000;
  }

  /** Advances the time, like a server that was unreachable for a while. */
  skip(seconds: number): void {
    this.#startedMs -= seconds * 1000;
  }

  /** Current playlist. */
  get text(): string {
    const aliveSeconds = (this.#clock.now() - this.#startedMs) / 1000;
    let endSeconds = 0;
    let count = 0;
    while (count < this.segments.length && (endSeconds += this.segments[count]!.seconds) <= aliveSeconds) count++;
    const from = Math.max(0, count - this.windowLength);
    const gone = this.segments
      .slice(0, from)
      .flatMap(({ tags = [] }) => tags.filter((tag) => tag === '#EXT-X-DISCONTINUITY'));
    const lines = [
      '#EXTM3U',
      '#EXT-X-VERSION:6',
      `#EXT-X-TARGETDURATION:${Math.ceil(Math.max(...this.segments.map(({ seconds }) => seconds)))}`,
    ];
    lines.push(`#EXT-X-MEDIA-SEQUENCE:${this.firstMsn + from}`);
    if (this.hasDiscontinuitySequence) lines.push(`#EXT-X-DISCONTINUITY-SEQUENCE:${gone.length}`);
    for (const { uri, seconds, tags = [] } of this.segments.slice(from, count))
      lines.push(...tags, `#EXTINF:${seconds},`, uri);
    if (this.isEnding && count === this.segments.length) lines.push('#EXT-X-ENDLIST');
    return `${lines.join('\n')}\n`;
  }

  /** Serves the playlist under a path. */
  serveAt(folder: HlsFolder, path: string): void {
    folder.handlers.set(path, (_request, response) => response.end(this.text));
  }
}

/** Segments listed in the playlist of a recording. */
export function segmentsOf(playlist: string): LiveSegment[] {
  const lines = playlist.split('\n');
  return lines.flatMap((line, index) => {
    const seconds = /^#EXTINF:([\d.]+)/.exec(line)?.[1];
    return seconds === undefined ? [] : [{ uri: lines[index + 1] ?? '', seconds: Number(seconds) }];
  });
}
