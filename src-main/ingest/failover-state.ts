import { isoTime } from '../lib/clock.ts';
import { BackOff } from '../lib/back-off.ts';
import type { AccessUnit, FormatProblem, SpliceMessage } from '../media/access-unit.ts';
import type { Track } from '../media/track.ts';
import type { FailoverNotice } from './failover-notice.ts';
import type { Input, InputEnd, InputSink } from './input.ts';
import { HeldSplices } from './held-splices.ts';
import { ProblemThrottle } from './problem-throttle.ts';
import { TokenBucket } from '../lib/limits/token-bucket.ts';

/** One input of a stream, in its place among the others. */
interface FailoverInputSpec {
  /** What notices call it. */
  readonly label: string;
  /** Makes it anew for each attempt; may throw an `InputEnd`. Absent for an input that waits for a publisher. */
  readonly make?: (sink: InputSink) => Input;
  /** The stream moves on without a frame for this long, in milliseconds. */
  readonly framesTimeoutMs: number;
  /** Without a frame for this long the connection is closed and made again, in milliseconds. */
  readonly sourceTimeoutMs: number;
  /** Epoch milliseconds before which it is not opened, unless it is selected. */
  readonly heldUntilMs?: number;
}

/** The last fault of an input. */
export interface InputFault extends InputEnd {
  /** Epoch milliseconds. */
  readonly at: number;
}

/** What an input does at the moment; times in epoch milliseconds. */
type InputLink =
  /** A better one is on air. */
  | { readonly phase: 'standby' }
  /** For an encoder. */
  | { readonly phase: 'waiting' }
  /** A connection without a frame so far. */
  | { readonly phase: 'opening'; readonly openedMs: number }
  /** Frames come since `goodSinceMs` without a break; `hasLead`, also those of the track that the output begins with. */
  | {
      readonly phase: 'running';
      readonly openedMs: number;
      readonly goodSinceMs: number;
      hasLead: boolean;
      isSteady: boolean;
    }
  /** Connected, but the frames stopped. */
  | { readonly phase: 'silent'; readonly openedMs: number; readonly hasLead: boolean }
  /** Waits to try again. */
  | { readonly phase: 'error' }
  /** Tried as often as it may be. */
  | { readonly phase: 'given_up' };

/** The same in a word. */
export type InputPhase = InputLink['phase'];

/** One input of a stream: what it does, and how well it has done. */
export interface InputState {
  readonly spec: FailoverInputSpec;
  link: InputLink;
  /** Number of its connection: what comes from an earlier one is too late. */
  attempt: number;
  /** Whether it should be connected. */
  isWanted: boolean;
  /** Whether a connection failed since frames last came. */
  hasFailed: boolean;
  /** Whether its loss was reported. */
  isLossReported: boolean;
  /** Epoch milliseconds before which it is not opened. */
  retryAtMs: number;
  /** Attempts to get the input back since frames last came. */
  retryCount: number;
  /** Epoch milliseconds of the newest frame; a time in which the thread stood still is added. 0 before the first. */
  lastUnitMs: number;
  /** Epoch milliseconds of the last two times that it was lost. */
  losses: readonly number[];
  /** Faults so far, in its bytes and of its connections. */
  errorCount: number;
  lastFault: InputFault | undefined;
  tracks: readonly Track[];
  /** The track with whose random access points the output begins: the first video. */
  leadId: string | undefined;
  readonly backOff: BackOff;
  readonly trackChanges: TokenBucket;
  readonly splices: TokenBucket;
  /** Those that came before it was on air. */
  readonly heldSplices: HeldSplices;
}

/** What the output of the stream shows. */
type Showing =
  /** Nothing was on air so far. */
  | { readonly phase: 'nothing' }
  /** Frames of connection `attempt` of `input` since `sinceMs`; when that has ended, the next one of the same input is awaited. */
  | { readonly phase: 'input'; readonly input: InputState; readonly attempt: number; readonly sinceMs: number }
  /** The input that was on air is gone and what was open has been ended. */
  | { readonly phase: 'idle'; readonly input: InputState };

/** All inputs of a stream, and which of them it shows. Changed by `step` alone. */
export interface FailoverState {
  /** In the order of the configuration, without the backup. */
  readonly inputs: readonly InputState[];
  readonly backup: InputState | undefined;
  /** The backup is opened when nothing has given frames for this long, in milliseconds. */
  readonly backupAfterMs: number;
  readonly retryLimit: number | null;
  readonly byPriority: readonly InputState[];
  /** From the best to the worst: a selected one first, then by priority, then as configured. */
  order: readonly InputState[];
  showing: Showing;
  /** The selected input; `isHurried` until its first frame since then went out, so that it takes over as soon as it can. */
  preferred: InputState | undefined;
  isHurried: boolean;
  /** How far down in their order inputs are open while none is good; -1 before the start. */
  reach: number;
  /** Epoch milliseconds of the last frame that went out; a time in which the thread stood still is added. */
  lastForwardMs: number;
  /** Epoch milliseconds at which the clock is looked at next. */
  lookAtMs: number;
  /** Times that another input went on air. */
  switches: number;
  /** Attempts to get inputs back since the output last had a frame. */
  retryCount: number;
  isClosed: boolean;
  readonly news: ProblemThrottle;
  /** What the step asks for, in order. */
  effects: FailoverEffect[];
}

/** What a connection brings; `attempt` says which one. */
interface FromConnection {
  readonly input: InputState;
  readonly attempt: number;
}

/** What can happen to the inputs of a stream. */
export type FailoverInputEvent = FromConnection &
  (
    | { readonly type: 'unit'; readonly unit: AccessUnit }
    | { readonly type: 'tracks'; readonly tracks: readonly Track[] }
    | { readonly type: 'splice'; readonly message: SpliceMessage }
    | { readonly type: 'problem'; readonly problem: FormatProblem }
    /** The connection is over, or could not be made. */
    | { readonly type: 'ended'; readonly end: InputEnd }
  );

/** What can happen at all. */
export type FailoverStepEvent =
  | FailoverInputEvent
  | { readonly type: 'start' }
  /** The clock is looked at. */
  | { readonly type: 'tick' }
  /** An encoder comes to an input that waits for one. */
  | { readonly type: 'publish'; readonly input: InputState }
  /** An operator selects an input, or with undefined returns the choice to the priorities. */
  | { readonly type: 'select'; readonly input: InputState | undefined }
  | { readonly type: 'close' };

/** What has to be done. */
export type FailoverEffect =
  /** Makes a connection, unless a later effect has overtaken it. */
  | { readonly type: 'open'; readonly input: InputState; readonly attempt: number }
  /** Closes a connection that the server made. */
  | { readonly type: 'disconnect'; readonly input: InputState; readonly attempt: number }
  /** Lets go of the publisher: closes its connection where there is an `end`, and with `isGone` reports that it left. */
  | { readonly type: 'release'; readonly input: InputState; readonly end?: InputEnd; readonly isGone: boolean }
  /** Looks at the clock after so long. */
  | { readonly type: 'timer'; readonly afterMs: number }
  | { readonly type: 'cancel-timer' }
  | { readonly type: 'notice'; readonly notice: FailoverNotice }
  /** To the output: the unit or the splice message of the event, or what is said here. */
  | { readonly type: 'forward' }
  | { readonly type: 'forward-splice' }
  | { readonly type: 'held-splices'; readonly messages: readonly SpliceMessage[] }
  | { readonly type: 'tracks'; readonly tracks: readonly Track[] }
  | { readonly type: 'problem'; readonly problem: FormatProblem }
  | { readonly type: 'switched' | 'rejoined' | 'idle' };

/** The inputs of a stream and how they take turns. */
export interface FailoverPlan {
  /** In the order of the configuration. */
  readonly inputs: readonly (FailoverInputSpec & { /** 1 before 2. */ readonly priority: number })[];
  /** What plays while no input gives frames, once they have been gone for so long. */
  readonly backup?: FailoverInputSpec & { readonly afterMs: number };
  /** Attempts to get one input back before it is given up; null for no limit. */
  readonly retryLimit: number | null;
  /** Waits between attempts, for tests. */
  readonly makeBackOff?: () => BackOff;
}

/** The state before the start. */
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
    lookAtMs: Infinity,
    switches: 0,
    retryCount: 0,
    isClosed: false,
    news: new ProblemThrottle(),
    effects: [],
  };
}

function newInputState(spec: FailoverInputSpec, backOff: BackOff, nowMs: number): InputState {
  const { heldUntilMs = 0 } = spec;
  const isHeld = heldUntilMs > nowMs;
  return {
    spec,
    link: { phase: isHeld ? 'error' : spec.make ? 'standby' : 'waiting' },
    attempt: 0,
    isWanted: false,
    hasFailed: false,
    isLossReported: false,
    retryAtMs: isHeld ? heldUntilMs : 0,
    retryCount: 0,
    lastUnitMs: 0,
    losses: [],
    errorCount: isHeld ? 1 : 0,
    lastFault: isHeld ? quarantine(heldUntilMs, nowMs) : undefined,
    tracks: [],
    leadId: undefined,
    backOff,
    // Each change costs a cut, init sections and playlists.
    trackChanges: new TokenBucket(32, 500),
    // Each message stands in the playlists as long as the window.
    splices: new TokenBucket(64, 200),
    heldSplices: new HeldSplices(),
  };
}

function quarantine(heldUntilMs: number, nowMs: number): InputFault {
  const until = isoTime(heldUntilMs);
  const detail = `it ended its media thread twice and is tried again at ${until}`;
  return { code: 'input_quarantined', detail, at: nowMs };
}
