import { wrapTicks } from '../../media/containers/mpegts/packet.ts';
import type { PlaylistSegment } from '../../media/manifests/hls/media-playlist.ts';
import type { SpliceMark } from '../../media/manifests/hls/splice-mark.ts';
import type { MediaItem } from './media-item.ts';

/** Listed segment with marks that has not been read yet. */
interface ComingSegment {
  readonly msn: number;
  readonly marks: readonly SpliceMark[];
  /** Start of the segment on the clock of the current segment, computed from the durations in between. */
  readonly atTicks: number;
}

const TICKS_PER_MS = 90;
/** Maximum lookahead. */
const MAX_AHEAD_TICKS = 120_000 * TICKS_PER_MS;
const MAX_AHEAD_SEGMENTS = 64;
/**
 * Maximum error of EXTINF in the segments read so far at which durations are still used. Some packagers round them to
 * whole seconds.
 */
const MAX_ERROR_TICKS = 20 * TICKS_PER_MS;

/** Predicts the times of marks of listed segments: a playlist lists media seconds before it plays. */
export class ComingSegments {
  #segments: readonly PlaylistSegment[] = [];
  /** Previously read segment. */
  #last:
    { readonly msn: number; readonly era: number; readonly ptsTicks: number; readonly durationMs: number } | undefined;
  #isExact = false;

  /** Sets the segments of a version of the playlist. */
  set(segments: readonly PlaylistSegment[]): void {
    this.#segments = segments;
  }

  /** Segments with marks after an item whose first access unit is shown at `ptsTicks`; empty if durations may be inexact. */
  after({ msn, era }: MediaItem, ptsTicks: number): readonly ComingSegment[] {
    const first = msn - (this.#segments[0]?.msn ?? Infinity);
    const requested = this.#segments[first];
    if (!requested || this.#last?.msn === msn) return [];
    const last = this.#last;
    if (last && last.era === era && last.msn === msn - 1) {
      const error = wrapTicks(ptsTicks - last.ptsTicks - last.durationMs * TICKS_PER_MS + MAX_ERROR_TICKS);
      this.#isExact = error <= 2 * MAX_ERROR_TICKS;
    }
    this.#last = { msn, era, ptsTicks, durationMs: requested.durationMs };
    if (!this.#isExact) return [];
    const coming: ComingSegment[] = [];
    let atTicks = ptsTicks;
    const end = Math.min(this.#segments.length, first + 1 + MAX_AHEAD_SEGMENTS);
    for (let index = first; index + 1 < end && atTicks < ptsTicks + MAX_AHEAD_TICKS; index++) {
      atTicks += (this.#segments[index]?.durationMs ?? 0) * TICKS_PER_MS;
      const { marks, ...next } = this.#segments[index + 1] as PlaylistSegment;
      if (marks) coming.push({ msn: next.msn, marks, atTicks });
    }
    return coming;
  }
}
