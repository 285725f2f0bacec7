import { ticksToMs } from '../../media/timing/ticks.ts';
import type { Track } from '../../media/track.ts';
import type { SegmentWindow, WindowSegment } from '../../segment/segment-window.ts';
import { hasMedia } from '../playable-tracks.ts';
import { partMsOf, type PeriodTrack } from './listed-periods.ts';
import { STEP_SEGMENTS } from '../segment-steps.ts';

/**
 * Minimum number of listed segments from which on segments of equal duration share an element (`S@r`), as in a static
 * MPD.
 */
const LONG_SEGMENTS = 1000;

/** Actual or expected end of the newest video segment of a period, in milliseconds. */
export interface PictureEnd {
  readonly msn: number;
  readonly ms: number;
}

/** Calculates the end of the leading video track; undefined without video. */
export function pictureEnd(
  tracks: readonly Pick<PeriodTrack, 'track' | 'segments'>[],
  window: SegmentWindow,
): PictureEnd | undefined {
  const leader = tracks.find(({ track }) => track.content === 'video');
  const last = leader?.segments.at(-1);
  if (!leader || !last) return undefined;
  const { timescale } = leader.track;
  const msOf = ({ segment }: WindowSegment): number => (segment.durationTicks * 1000) / timescale;
  const complete = leader.segments
    .slice(-RECENT_SEGMENTS)
    .filter(({ segment }) => segment.isComplete && !segment.isGap);
  const ms = last.segment.isComplete ? msOf(last) : Math.max(msOf(last), likelyMs(complete.map(msOf), window));
  return { msn: last.msn, ms: (last.segment.startTicks * 1000) / timescale + ms };
}

/**
 * Segments of a track in a period. The open segment is listed with its expected duration as soon as it has a part: a
 * player may request it, and gets its parts as they arrive.
 *
 * @param picture end of the video of the period: audio ends with the frame that extends beyond it
 */
export function* timeline(
  segments: readonly WindowSegment[],
  window: SegmentWindow,
  track: Track,
  picture?: PictureEnd,
): Generator<void, string> {
  const { timescale } = track;
  const runs = new Runs(window.mutability === 'static' || segments.length > LONG_SEGMENTS);
  const isGrowing = partMsOf(window) > 0;
  const usual: number[] = [];
  for (let index = 0; index < segments.length; index++) {
    if (index % STEP_SEGMENTS === STEP_SEGMENTS - 1) yield;
    const entry = segments[index] as WindowSegment;
    const { segment } = entry;
    const { isComplete } = segment;
    if (segment.isGap || (!isComplete && !(isGrowing && hasMedia(entry)))) continue;
    const { startMs } = segment;
    const next = segments[index + 1];
    // A gap is not part of the previous segment.
    const duration =
      next && !next.isDiscontinuity
        ? next.segment.startMs - startMs
        : Math.max(
            isComplete || next ? 0 : (withPicture(entry, track, picture) ?? likelyMs(usual, window)),
            Math.max(1, Math.round((segment.durationTicks * 1000) / timescale)),
          );
    if (index >= segments.length - RECENT_SEGMENTS) usual.push(duration);
    runs.add(startMs, duration);
  }
  return runs.text();
}

/**
 * Duration of the open audio segment: complete frames up to the end of the video. The estimate must not be too long.
 * If a segment starts within the listed time of the previous one, VLC takes it for the previous one and never loads
 * it, so one frame too many costs a second of audio.
 */
function withPicture(
  { msn, startMs, segment: { startTicks } }: WindowSegment,
  track: Track,
  picture: PictureEnd | undefined,
): number | undefined {
  if (track.content === 'video' || picture?.msn !== msn || track.samplesPerFrame <= 0) return undefined;
  const frameTicks = (track.samplesPerFrame * track.timescale) / track.sampleRate;
  const frames = Math.ceil(((picture.ms * track.timescale) / 1000 - startTicks) / frameTicks - FRAME_SHARE);
  return frames > 0 ? ticksToMs(Math.round(startTicks + frames * frameTicks), track.timescale) - startMs : undefined;
}

/** Maximum share of an audio frame that counts as a rounding error of times. */
const FRAME_SHARE = 0.01;

/** Consecutive segments of equal duration. */
class Runs {
  readonly #isJoined: boolean;
  readonly #pieces: string[] = [];
  #startMs = Number.NaN;
  #endMs = Number.NaN;
  #durationMs = Number.NaN;
  #count = 0;
  /** True if the run starts at the end of the previous one. */
  #follows = false;

  /** @param isJoined true to write a run as one element, false for one per segment */
  constructor(isJoined: boolean) {
    this.#isJoined = isJoined;
  }

  add(startMs: number, durationMs: number): void {
    const follows = startMs === this.#endMs;
    if (follows && this.#isJoined && durationMs === this.#durationMs) {
      this.#count++;
    } else {
      this.#end();
      this.#startMs = startMs;
      this.#durationMs = durationMs;
      this.#count = 1;
      this.#follows = follows;
    }
    this.#endMs = startMs + durationMs;
  }

  text(): string {
    this.#end();
    return this.#pieces.join('');
  }

  #end(): void {
    if (this.#count === 0) return;
    const start = this.#follows ? '' : ` t="${this.#startMs}"`;
    const repeat = this.#count === 1 ? '' : ` r="${this.#count - 1}"`;
    this.#pieces.push(`<S${start} d="${this.#durationMs}"${repeat}/>`);
    this.#count = 0;
  }
}

/**
 * Number of previous segments from which the duration of the open one is estimated. The durations of audio segments
 * of 2 s repeat after four segments.
 */
const LIKE_SEGMENTS = 4;
/** Number of newest segments whose durations are collected for the estimate; gaps among them are skipped. */
const RECENT_SEGMENTS = 100;
/**
 * Ratio from which on a duration counts as unusual: longer than the shortest collected duration, or shorter than the
 * configured one, by this factor.
 */
const UNUSUAL = 1.5;

/**
 * Expected duration of the open segment, in milliseconds: the longest of the previous usual durations. Players
 * request the segment that starts at the announced end of this one. An announced end that is one frame too late does
 * no harm. One frame too early, players load the open segment again; much too late, they skip the next segment.
 */
function likelyMs(lengths: readonly number[], { segmentMs }: SegmentWindow): number {
  // Only segments cut by a splice point or by the end of an input are shorter than configured.
  const usual = lengths.slice(-LIKE_SEGMENTS).filter((ms) => ms > segmentMs / UNUSUAL);
  const maxMs = Math.min(...usual) * UNUSUAL;
  return usual.length === 0 ? segmentMs : Math.max(...usual.filter((ms) => ms < maxMs));
}
