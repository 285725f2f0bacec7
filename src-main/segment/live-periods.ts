import type { LiveTrack } from './live-track.ts';
import { programmeOf } from './track-facts.ts';
import type { WindowPeriod, WindowProgramme, WindowSegment } from './segment-window.ts';

type Mutable<T> = { -readonly [K in keyof T]: T[K] };

/**
 * Periods of a live window, oldest first. A new period starts when the tracks change, after a discontinuity, and with a track
 * that arrives too late for the current period.
 */
export class LivePeriods {
  readonly #list: Mutable<WindowPeriod>[] = [];
  /** Media sequence number from which the tracks differ from those of the newest period. */
  #nextMsn = Infinity;
  /** MPEG-TS programme of the newest period. */
  #programme: WindowProgramme | undefined;

  get list(): readonly WindowPeriod[] {
    return this.#list;
  }

  /** Starts the next period with segment `msn`. */
  startAt(msn: number): void {
    this.#nextMsn = msn;
  }

  /** Records the start of a segment. The first segment of a period sets its start; other tracks start within a frame of it. */
  segmentStarts(msn: number, startMs: number, isDiscontinuity: boolean, tracks: readonly LiveTrack[]): void {
    const newest = this.#list.at(-1);
    const isOther = isDiscontinuity || msn >= this.#nextMsn;
    if (newest && !(isOther && newest.firstMsn < msn)) return;
    const programme = this.#nextProgramme(isDiscontinuity, tracks);
    this.#list.push({
      firstMsn: msn,
      startMs,
      mediaOffsetMs: startMs,
      addressPrefix: '',
      programme,
      isGathering: true,
    });
    this.#nextMsn = Infinity;
  }

  /**
   * Settles the tracks of periods after an event. Players read them once, so a later track starts with another period.
   *
   * @param tracks tracks that may get more segments
   * @param listed all tracks with segments
   * @param nextMsn media sequence number of the next segment
   */
  settle(tracks: readonly LiveTrack[], listed: readonly LiveTrack[], nextMsn: number): void {
    for (const [index, period] of this.#list.entries()) {
      const endMsn = this.#list[index + 1]?.firstMsn ?? Infinity;
      if (period.isGathering) this.#settleOne(period, endMsn, tracks, listed);
      else if (endMsn === Infinity && this.#nextMsn === Infinity && tracks.some((track) => isLate(period, track)))
        this.#nextMsn = nextMsn;
    }
  }

  /** Forgets periods before a segment. */
  trim(firstMsn: number): void {
    while ((this.#list[1]?.firstMsn ?? Infinity) <= firstMsn) this.#list.shift();
  }

  clear(): void {
    this.#nextMsn = Infinity;
    this.#list.length = 0;
  }

  #settleOne(
    period: Mutable<WindowPeriod>,
    endMsn: number,
    tracks: readonly LiveTrack[],
    listed: readonly LiveTrack[],
  ): void {
    const trackIds = settledTracks({ firstMsn: period.firstMsn, endMsn }, tracks, listed);
    if (!trackIds) return;
    period.isGathering = false;
    period.trackIds = trackIds;
  }

  #nextProgramme(isDiscontinuity: boolean, tracks: readonly LiveTrack[]): WindowProgramme {
    const before = this.#programme;
    const trackIds = programmeOf(tracks).map(({ track }) => track.id);
    const isOther = before !== undefined && before.trackIds.join() !== trackIds.join();
    const isChange = isDiscontinuity || isOther;
    return (this.#programme = { trackIds, isChange, changes: (before?.changes ?? 0) + (isChange ? 1 : 0) });
  }
}

/** Fields of a track that periods need. */
export type PeriodTrack = Pick<LiveTrack, 'firstMsn'> & {
  readonly track: { readonly id: string };
  readonly segments: readonly WindowSegment[];
};

/**
 * Ids of the tracks of a period; undefined while a track without media in it may still start with its first segment.
 *
 * @param endMsn media sequence number of the first segment after the period
 * @param tracks tracks that may get more segments
 * @param listed all tracks with segments
 */
export function settledTracks(
  { firstMsn, endMsn }: { readonly firstMsn: number; readonly endMsn: number },
  tracks: readonly PeriodTrack[],
  listed: readonly PeriodTrack[],
): readonly string[] | undefined {
  const isIn = (track: PeriodTrack): boolean => hasMediaIn(track, firstMsn, endMsn);
  const missing = tracks.filter((track) => track.firstMsn < endMsn && !isIn(track));
  const isAwaited = ({ segments }: PeriodTrack): boolean => {
    const last = segments.at(-1);
    return last !== undefined && last.msn < endMsn && !last.segment.isComplete;
  };
  const hasComplete = (track: PeriodTrack): boolean =>
    track.segments.some(({ msn, segment }) => msn >= firstMsn && msn < endMsn && segment.isComplete && !segment.isGap);
  if (missing.some(isAwaited) || (missing.some((track) => mayCome(track, endMsn)) && !tracks.some(hasComplete)))
    return undefined;
  return listed.filter(isIn).map(({ track }) => track.id);
}

/** Whether a track without media in a period may still get media. */
function mayCome({ segments }: PeriodTrack, endMsn: number): boolean {
  return (segments.at(-1)?.msn ?? -1) < endMsn - 1;
}

function hasMediaIn({ segments }: Pick<PeriodTrack, 'segments'>, firstMsn: number, endMsn: number): boolean {
  return segments.some(({ msn, segment }) => msn >= firstMsn && msn < endMsn && segment.parts.length > 0);
}

/** Whether a track has media in a period that was settled without it. */
function isLate({ firstMsn, trackIds }: WindowPeriod, track: LiveTrack): boolean {
  return trackIds?.includes(track.track.id) === false && hasMediaIn(track, firstMsn, Infinity);
}
