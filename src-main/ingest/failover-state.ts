import { because } from '../../src-preload/contract/explanations/explanations.ts';
import { isoTime } from '../lib/clock.ts';
import { BackOff } from '../lib/back-off.ts';
import type { AccessUnit, FormatProblem, LeftOutTrack, SpliceMessage } from '../media/access-unit.ts';
import type { Track } from '../media/track.ts';
import type { FailoverNotice } from './failover-notice.ts';
import type { Input, InputEnd, InputSink } from './input.ts';
import { PendingSplices } from './pending-splices.ts';
import { ProblemThrottle } from './problem-throttle.ts';
import { TokenBucket } from '../lib/limits/token-bucket.ts';

/** Configuration of one input of a stream. */
interface FailoverInputSpec {
  /** Label in notices. */
  readonly label: string;
  /** Creates the input for each attempt; may throw an `InputEnd`. Absent for an input that waits for a publisher. */
  readonly make?: (sink: InputSink) => Input;
  /** Time without a frame after which the stream switches to another input, in milliseconds. */
  readonly framesTimeoutMs: number;
  /** Time without a frame after which the input is connected again, in milliseconds. */
  readonly sourceTimeoutMs: number;
  /** Epoch milliseconds before which the input is not opened, unless it is selected. */
  readonly heldUntilMs?: number;
}

/** Last fault of an input. */
export interface InputFault extends InputEnd {
  /** Epoch milliseconds. */
  readonly at: number;
}

/** Track that is left out, with the state of its report. */
interface ReportedLeftOut extends LeftOutTrack {
  /** Whether it was reported for the next set of tracks; scrambled tracks are reported after their set. */
  readonly isNew: boolean;
}

/** Connection state of an input; times in epoch milliseconds. */
type InputLink =
  /** A better input is on air. */
  | { readonly phase: 'standby' }
  /** Waits for an encoder. */
  | { readonly phase: 'waiting' }
  /** Connected or connecting, without a frame so far. */
  | { readonly phase: 'opening'; readonly openedMs: number }
  /** Frames arrive without a break since `goodSinceMs`; `hasLead`: also of the track with which the output starts. */
  | {
      readonly phase: 'running';
      readonly openedMs: number;
      readonly goodSinceMs: number;
      hasLead: boolean;
      isSteady: boolean;
    }
  /** Connected, but the frames stopped. */
  | { readonly phase: 'silent'; readonly openedMs: number; readonly hasLead: boolean }
  /** Waits for the next attempt. */
  | { readonly phase: 'error' }
  /** The maximum number of attempts was reached. */
  | { readonly phase: 'given_up' };

export type InputPhase = InputLink['phase'];

/** State and history of one input. */
export interface InputState {
  readonly spec: FailoverInputSpec;
  link: InputLink;
  /** Number of the connection; events of earlier connections are ignored. */
  attempt: number;
  /** Whether the input should be connected. */
  isNeeded: boolean;
  /** Whether a connection failed since the last frames. */
  hasFailed: boolean;
  /** Whether the loss of the input was reported. */
  isLossReported: boolean;
  /** Epoch milliseconds before which the next attempt is not made. */
  retryAtMs: number;
  /** Attempts to restore the input since the last frames. */
  retryCount: number;
  /** Epoch milliseconds of the newest frame, plus any time in which the thread was stalled. 0 before the first frame. */
  lastUnitMs: number;
  /** Epoch milliseconds of the last two losses. */
  losses: readonly number[];
  /** Number of faults so far, of its bytes and its connections. */
  errorCount: number;
  lastFault: InputFault | undefined;
  tracks: readonly Track[];
  /** Tracks that its connection sends and that are left out because of their codecs. */
  leftOut: readonly ReportedLeftOut[];
  /** Id of the track at whose random access points the output can start: the first video track. */
  leadId: string | undefined;
  readonly backOff: BackOff;
  readonly trackChanges: TokenBucket;
  readonly splices: TokenBucket;
  /** Splice messages received before the input is on air. */
  readonly pendingSplices: PendingSplices;
}

/** Content of the stream's output. */
type Showing =
  /** Nothing was on air so far. */
  | { readonly phase: 'nothing' }
  /**
   * Frames of connection `attempt` of `input` are on air since `sinceMs`. After the end of the connection, the next
   * one of the same input is awaited.
   */
  | { readonly phase: 'input'; readonly input: InputState; readonly attempt: number; readonly sinceMs: number }
  /** The input on air was lost, and open segments were ended. */
  | { readonly phase: 'idle'; readonly input: InputState };

/** All inputs of a stream, and the input on air. Changed only by `step`. */
export interface FailoverState {
  /** In the order of the configuration, without the backup. */
  readonly inputs: readonly InputState[];
  readonly backup: InputState | undefined;
  /** Time without frames after which the backup is opened, in milliseconds. */
  readonly backupAfterMs: number;
  readonly retryLimit: number | null;
  readonly byPriority: readonly InputState[];
  /** Inputs from best to worst: a selected input first, then by priority, then in the order of the configuration. */
  order: readonly InputState[];
  showing: Showing;
  /**
   * Selected input. `isHurried` is true until its first frame after the selection, so that it goes on air as soon as
   * possible.
   */
  preferred: InputState | undefined;
  isHurried: boolean;
  /** Index in `order` of the last input that is opened while no input sends frames; -1 before the start. */
  reach: number;
  /** Epoch milliseconds of the last emitted frame, plus any time in which the thread was stalled. */
  lastForwardMs: number;
  /** Epoch milliseconds of the next tick. */
  nextTickMs: number;
  /** Number of switches to another input. */
  switches: number;
  /** Attempts to restore inputs since the last frame of the output. */
  retryCount: number;
  isClosed: boolean;
  readonly problemThrottle: ProblemThrottle;
  /** Requested effects, in order. */
  effects: FailoverEffect[];
}

/** Event of a connection; `attempt` is its number. */
interface FromConnection {
  readonly input: InputState;
  readonly attempt: number;
}

/** Event of an input. */
export type FailoverInputEvent = FromConnection &
  (
    | { readonly type: 'unit'; readonly unit: AccessUnit }
    | { readonly type: 'tracks'; readonly tracks: readonly Track[] }
    | { readonly type: 'splice'; readonly message: SpliceMessage }
    | { readonly type: 'problem'; readonly problem: FormatProblem }
    /** The connection ended or could not be opened. */
    | { readonly type: 'ended'; readonly end: InputEnd }
  );

/** Event of the failover. */
export type FailoverStepEvent =
  | FailoverInputEvent
  | { readonly type: 'start' }
  | { readonly type: 'tick' }
  /** An encoder connects to an input that waits for one. */
  | { readonly type: 'publish'; readonly input: InputState }
  /** An operator selects an input, or returns the choice to the server (undefined). */
  | { readonly type: 'select'; readonly input: InputState | undefined }
  | { readonly type: 'close' };

/** Effect that the class executes. */
export type FailoverEffect =
  /** Opens a connection, unless a later effect has replaced this one. */
  | { readonly type: 'open'; readonly input: InputState; readonly attempt: number }
  /** Closes a connection made by the server. */
  | { readonly type: 'disconnect'; readonly input: InputState; readonly attempt: number }
  /** Releases the publisher: with `end`, closes its connection; with `isGone`, reports that it left. */
  | { readonly type: 'release'; readonly input: InputState; readonly end?: InputEnd; readonly isGone: boolean }
  /** Requests the next tick after this time. */
  | { readonly type: 'timer'; readonly afterMs: number }
  | { readonly type: 'cancel-timer' }
  | { readonly type: 'notice'; readonly notice: FailoverNotice }
  /** Emits the unit or the splice message of the event, or the given messages, tracks or problem. */
  | { readonly type: 'forward' }
  | { readonly type: 'forward-splice' }
  | { readonly type: 'pending-splices'; readonly messages: readonly SpliceMessage[] }
  | { readonly type: 'tracks'; readonly tracks: readonly Track[] }
  | { readonly type: 'problem'; readonly problem: FormatProblem }
  | { readonly type: 'switched' | 'rejoined' | 'idle' };

/** Configuration of the inputs of a stream. */
export interface FailoverPlan {
  /** In the order of the configuration. */
  readonly inputs: readonly (FailoverInputSpec & { /** 1 before 2. */ readonly priority: number })[];
  /** File that plays after no input has given frames for `afterMs`. */
  readonly backup?: FailoverInputSpec & { readonly afterMs: number };
  /** Maximum attempts to restore one input; null for no limit. */
  readonly retryLimit: number | null;
  /** Waits between attempts, for tests. */
  readonly makeBackOff?: () => BackOff;
}

export function newFailoverState(plan: FailoverPlan, nowMs: number): FailoverState {
  const makeBackOff = plan.makeBackOff ?? (() => new BackOff());
  const inputs = plan.inputs.map((spec) => newInputState(spec, makeBackOff(), nowMs));
  const priority = new Map(inputs.map((input, index) => [input, plan.inputs[index]?.priority ?? 0]));
  const byPriority = [...inputs].sort((a, b) => (priority.get(a) ?? 0) - (priority.get(b) ?? 0));
  return {
    inputs,
    backup: plan.backup && newInputState(plan.backup, makeBackOff(), nowMs),
    backupAfterMs: plan.backup?.afterMs ?? 0,
    retryLimit: plan.retryLimit,
    byPriority,
    order: byPriority,
    showing: { phase: 'nothing' },
    preferred: undefined,
    isHurried: false,
    reach: -1,
    lastForwardMs: 0,
    nextTickMs: Infinity,
    switches: 0,
    retryCount: 0,
    isClosed: false,
    problemThrottle: new ProblemThrottle(),
    effects: [],
  };
}

function newInputState(spec: FailoverInputSpec, backOff: BackOff, nowMs: number): InputState {
  const { heldUntilMs = 0 } = spec;
  const isQuarantined = heldUntilMs > nowMs;
  return {
    spec,
    link: { phase: isQuarantined ? 'error' : spec.make ? 'standby' : 'waiting' },
    attempt: 0,
    isNeeded: false,
    hasFailed: false,
    isLossReported: false,
    retryAtMs: isQuarantined ? heldUntilMs : 0,
    retryCount: 0,
    lastUnitMs: 0,
    losses: [],
    errorCount: isQuarantined ? 1 : 0,
    lastFault: isQuarantined ? quarantine(heldUntilMs, nowMs) : undefined,
    tracks: [],
    leftOut: [],
    leadId: undefined,
    backOff,
    // Each change costs a cut, init segments and playlists.
    trackChanges: new TokenBucket(32, 500),
    // Each message stays in the playlists for the length of the window.
    splices: new TokenBucket(64, 200),
    pendingSplices: new PendingSplices(),
  };
}

function quarantine(heldUntilMs: number, nowMs: number): InputFault {
  return { code: 'input_quarantined', ...because('input_crashed', { time: isoTime(heldUntilMs) }), at: nowMs };
}
