import type { Track } from '../media/track.ts';
import type { StreamUnit } from '../stream/stream-hub.ts';
import type { StreamSplice } from '../stream/stream-splice.ts';
import { CutEffects } from './cut-effects.ts';
import { CutPoints } from './cut-points.ts';
import { targetDurationOf, type SegmenterOptions, type SegmenterResume } from './segmenter-options.ts';
import { SpliceCuts } from './splice-cuts.ts';
import type { TrackState } from './track-state.ts';
import { WindowBudget } from './window-budget.ts';

/**
 * Maximum excess of a segment over the target duration at which its duration still rounds to the target, minus a
 * margin for other tracks, in milliseconds.
 */
const ROUNDING_MS = 475;
/** Margin for tracks that do not lead, because their segments end at whole frames, in milliseconds. */
const FRAME_MARGIN_MS = 24;

/** Track that cuts the segments, and its progress. */
type Lead =
  /**
   * The leader has delivered no unit since the interruption, or since it became the leader; units of all other tracks wait.
   * `sinceUs`: time of the first waiting unit.
   */
  | { readonly phase: 'awaited'; sinceUs: number | undefined }
  /** `track` delivers units: the leader, or another track while the leader is silent. */
  | {
      readonly phase: 'received';
      track: TrackState;
      /** Decoding time of its newest unit. */
      lastUs: number;
      /** Time before which no cut point will come: earlier units of other tracks can be assigned to a segment. */
      horizonUs: number;
      /** Arrival of its newest unit, in epoch milliseconds. */
      receivedMs: number;
    };

/**
 * Relation of the next segment to the previous one: `fresh`, there is none; `running`, it is continuous; `interrupted`, it starts
 * with a discontinuity.
 */
type Continuity = 'fresh' | 'running' | 'interrupted';

/**
 * State of the segmenter. Times for comparing tracks are whole microseconds of UTC since 1970 (`…Us`). Lengths are computed in ticks
 * of a track, and stay exact.
 */
export interface CutState {
  readonly options: SegmenterOptions;
  tracks: readonly TrackState[];
  /** Track that should lead: the first video track, or the first audio track if there is no video. */
  leader: TrackState | undefined;
  lead: Lead;
  continuity: Continuity;
  readonly cutPoints: CutPoints;
  /** Latest start of a segment of any track. The next cut point is after it, whichever track leads. */
  lastStartUs: number;
  readonly splices: SpliceCuts;
  /**
   * Time in microseconds from which on any unit of the leader may start a segment, because audio changed its format there;
   * otherwise Infinity.
   */
  changedUs: number;
  /** Decoding time of the newest unit of any track since the last interruption; 0 before the first. */
  newestUs: number;
  /** `newestUs` at the last interruption. */
  endedUs: number;
  /** Longest segment of the playlist in milliseconds; 0 until the first regular segment has settled the target duration. */
  longestMs: number;
  /** Maximum length of a segment in microseconds. Once the target duration is settled, no segment rounds to more. */
  maxSegmentUs: number;
  /** `maxSegmentUs` for tracks that do not lead. */
  maxFollowerUs: number;
  /** Estimated GOP length of the leader in microseconds; 0 while unknown. */
  gopUs: number;
  /** Time of the last random access point of the leader since the last interruption; 0 before the first. */
  lastRandomAccessUs: number;
  /** Number of waiting units, over all tracks. */
  waitingCount: number;
  /** Id of the init segments of the next change of tracks. */
  nextInitId: number;
  nextMsn: number;
  /** Number of the newest segment that starts with a random access point; undefined before the first. */
  decodableMsn: number | undefined;
  readonly budget: WindowBudget;
  /** Effects of the current step. */
  readonly effects: CutEffects;
}

/** Input of the segmenter. Units carry their arrival time, so a step needs no clock. */
export type CutEvent =
  | { readonly type: 'unit'; readonly unit: StreamUnit }
  /** The format changed. */
  | { readonly type: 'tracks'; readonly tracks: readonly Track[] }
  /** The timeline is interrupted; after a rewind it continues at an earlier time. */
  | { readonly type: 'discontinuity'; readonly isRewind: boolean }
  /** The stream has no input at present. */
  | { readonly type: 'idle' }
  /** The stream ends. */
  | { readonly type: 'close' }
  | { readonly type: 'splice'; readonly splice: StreamSplice };

/** State before the first tracks. */
export function newCutState(options: SegmenterOptions, resume: SegmenterResume): CutState {
  const { nextMsn, nextInitId, isContinuation, longestSegmentMs = 0 } = resume;
  return {
    options,
    tracks: [],
    leader: undefined,
    lead: { phase: 'awaited', sinceUs: undefined },
    continuity: isContinuation ? 'interrupted' : 'fresh',
    cutPoints: new CutPoints(),
    lastStartUs: 0,
    splices: new SpliceCuts(),
    changedUs: Infinity,
    newestUs: 0,
    endedUs: 0,
    longestMs: longestSegmentMs,
    ...limitsOf(options, longestSegmentMs),
    gopUs: 0,
    lastRandomAccessUs: 0,
    waitingCount: 0,
    nextInitId,
    nextMsn,
    decodableMsn: undefined,
    budget: new WindowBudget(options, isContinuation ? Math.max(0, nextMsn - options.segmentCount - 1) : nextMsn),
    effects: new CutEffects(),
  };
}

/** Settles the length of the longest segment; 0 lets the next regular segment settle it. */
export function settleLongest(state: CutState, longestMs: number): void {
  state.longestMs = longestMs;
  Object.assign(state, limitsOf(state.options, longestMs));
}

function limitsOf(
  { segmentMs, maxSegmentMs }: SegmenterOptions,
  longestMs: number,
): Pick<CutState, 'maxSegmentUs' | 'maxFollowerUs'> {
  const roundsToTargetMs = longestMs === 0 ? maxSegmentMs : targetDurationOf(segmentMs, longestMs) * 1000 + ROUNDING_MS;
  const within = (ms: number): number => Math.min(maxSegmentMs, Math.max(ms, longestMs)) * 1000;
  return { maxSegmentUs: within(roundsToTargetMs), maxFollowerUs: within(roundsToTargetMs + FRAME_MARGIN_MS) };
}
