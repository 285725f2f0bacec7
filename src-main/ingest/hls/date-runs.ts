import type { PlaylistSegment } from '../../media/manifests/hls/media-playlist.ts';

/** Range of a playlist with continuous dates. */
interface DateRun {
  readonly fromMs: number;
  toMs: number;
}

/** Maximum difference between the date of a segment and the end of the previous segment, in milliseconds. */
const MAX_STEP_MS = 1000;
/** Time before a segment, and after the last segment, for which the dates of a playlist are valid, in milliseconds. */
const MAX_BEFORE_MS = 60_000;
const MAX_AFTER_MS = 300_000;

/** Groups the dates of a playlist by clock (EXT-X-PROGRAM-DATE-TIME, RFC 8216bis 4.4.4.6): at a discontinuity they may jump. */
export class DateRuns {
  #runs: DateRun[] = [];

  /** Sets the segments of a version of the playlist. */
  set(segments: readonly PlaylistSegment[]): void {
    this.#runs = [];
    for (const { startMs, durationMs } of segments) {
      const run = this.#runs.at(-1);
      if (startMs === undefined) continue;
      if (run && Math.abs(startMs - run.toMs) <= MAX_STEP_MS) run.toMs = startMs + durationMs;
      else this.#runs.push({ fromMs: startMs, toMs: startMs + durationMs });
    }
  }

  /** Whether the time between two dates is media time. The first is the date of a segment, which may have left the playlist. */
  areTogether(segmentMs: number, dateMs: number): boolean {
    const last = this.#runs.length - 1;
    return this.#runs.some((run, index) => {
      const fromMs = run.fromMs - (index === 0 ? MAX_BEFORE_MS : 0);
      const toMs = run.toMs + (index === last ? MAX_AFTER_MS : 0);
      return (
        segmentMs >= fromMs &&
        segmentMs < run.toMs &&
        dateMs >= Math.max(fromMs, segmentMs - MAX_BEFORE_MS) &&
        dateMs < toMs
      );
    });
  }
}
