import type { Track } from '../media/track.ts';
import type { StreamUnit } from '../stream/stream-hub.ts';
import type { StreamSplice } from '../stream/stream-splice.ts';
import { CutEffects } from './cut-effects.ts';
import { CutPoints } from './cut-points.ts';
import type { SegmenterOptions, SegmenterResume } from './segmenter-options.ts';
import { SpliceCuts } from './splice-cuts.ts';
import type { TrackState } from './track-state.ts';
import { WindowBudget } from './window-budget.ts';

/** Which track cuts the segments, and how far it has come. */
type Lead =
  /**
   * The track that should lead was not heard since the interruption, or since it leads, and the units of all others wait for it.
   * `sinceUs`: time of the first of them.
   */
  | { readonly phase: 'awaited'; sinceUs: number | undefined }
  /** `track` gives units: the one that should lead, or another one while that is silent. */
  | {
      readonly phase: 'heard';
      track: TrackState;
      /** Decoding time of its newest unit. */
      lastUs: number;
      /** Up to here no cut point will come: units of other tracks before it know their segment. */
      horizonUs: number;
      /** Wall clock at which it was heard, in epoch milliseconds. */
      heardMs: number;
    };

/**
 * Whether the next segment continues the one before it: `fresh`, there is none before it; `running`, it does; `interrupted`, it is
 * a discontinuity.
 */
type Continuity = 'fresh' | 'running' | 'interrupted';

/**
 * All that the segmenter knows. Times that tracks are compared by are whole microseconds of UTC since 1970 (`…Us`), and stay exact
 * as ticks of the track that they come from wherever a length is made of them.
 */
export interface CutState {
  readonly options: SegmenterOptions;
  tracks: readonly TrackState[];
  /** The track that should lead: the first video, or else the first audio. */
  leader: TrackState | undefined;
  lead: Lead;
  continuity: Continuity;
  readonly cutPoints: CutPoints;
  /** The latest start of a segment of any track: the next cut point comes after it, whatever track leads. */
  lastStartUs: number;
  readonly splices: SpliceCuts;
  /** Decoding time of the newest unit of any track since the last interruption; 0 before the first. */
  newestUs: number;
  /** The same at the last interruption. */
  endedUs: number;
  /** Longest segment of the playlist in milliseconds; 0 until a segment has ended regularly, and no target duration is settled. */
  longestMs: number;
  /** Estimated distance of the random access points of the leader in microseconds; 0 while it is unknown. */
  gopUs: number;
  /** Start of the last random access point of the leader since the last interruption; 0 before the first. */
  lastRandomAccessUs: number;
  /** Units that wait in all tracks. */
  heldCount: number;
  /** Number of the init segments that the next change of tracks makes. */
  nextInitId: number;
  nextMsn: number;
  readonly budget: WindowBudget;
  /** What the step asks for. */
  readonly effects: CutEffects;
}

/** What can happen to the segmenter. Time comes with it: each unit says when it arrived. */
export type CutEvent =
  | { readonly type: 'unit'; readonly unit: StreamUnit }
  /** The format changed. */
  | { readonly type: 'tracks'; readonly tracks: readonly Track[] }
  /** What follows does not continue what came before; with a rewind it lies before that in time. */
  | { readonly type: 'discontinuity'; readonly isRewind: boolean }
  /** The input is gone for the moment. */
  | { readonly type: 'idle' }
  /** The stream ends. */
  | { readonly type: 'close' }
  | { readonly type: 'splice'; readonly splice: StreamSplice };

/** The state before the first tracks. */
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
    newestUs: 0,
    endedUs: 0,
    longestMs: longestSegmentMs,
    gopUs: 0,
    lastRandomAccessUs: 0,
    heldCount: 0,
    nextInitId,
    nextMsn,
    budget: new WindowBudget(options, isContinuation ? Math.max(0, nextMsn - options.segmentCount - 1) : nextMsn),
    effects: new CutEffects(),
  };
}
