import { because, type Explained } from '../../src-preload/contract/explanations/explanations.ts';
import type { AccessUnit, FormatProblem, SpliceMessage } from '../media/access-unit.ts';
import { areSameFormats } from '../media/track.ts';
import { forgetReplaced, noteFault, noteLeftOut, noteLoss } from './failover-faults.ts';
import { goodForMs, hasChance, isEntry, isGood, isLinked, mayTakeOver } from './failover-rules.ts';
import type { FailoverNotice } from './failover-notice.ts';
import type {
  FailoverEffect,
  FailoverInputEvent,
  FailoverState,
  FailoverStepEvent,
  InputState,
} from './failover-state.ts';
import { excuseStall, FAILOVER_TICK_MS, noFrameFor } from './failover-silence.ts';
import type { InputEnd } from './input.ts';

/** Time for which a lost connection may return before the open segments are ended, in milliseconds. */
const REJOIN_MS = 5000;
/** Time of frames without a break after which an input is steady, in milliseconds. Its back-off then restarts. */
const STEADY_MS = 10_000;

/** Effects of nearly every unit: it is forwarded. */
export const FORWARD: FailoverEffect[] = [{ type: 'forward' }];
const NOTHING: FailoverEffect[] = [];

/**
 * Applies an event to the inputs of a stream: changes the state and returns the effects. It uses no clock and no timers.
 *
 * | event | phase of its input | next phase | remarks |
 * | --- | --- | --- | --- |
 * | `start`, `select`, `tick` | `standby` | `opening` | if no better input sends frames or may still do so in time |
 * | `tick` | `opening`, `silent` | as `ended` | after its `source_timeout` |
 * |  | `running` | `silent` | after its `frames_timeout` |
 * |  | `error` | `opening` | after its wait |
 * | `unit` | `opening`, `silent` | `running` |  |
 * |  | `running` | `running` | emitted if its connection is on air or may go on air now |
 * | `ended` | any with a connection | `error`, `waiting`, `given_up` | the next input is opened |
 * | `publish` | any | `opening` | replaces another publisher |
 * | `select` | `error`, `given_up` | `opening` | at once |
 * | any | any | `standby` | when a better input is on air |
 * | `close` | any | `standby`, `waiting` | every connection and the timer are closed |
 */
export function step(state: FailoverState, event: FailoverStepEvent, nowMs: number): readonly FailoverEffect[] {
  if (event.type === 'unit') return stepUnit(state, event.input, event.attempt, event.unit, nowMs);
  state.effects = NOTHING;
  excuseStall(state, nowMs);
  switch (event.type) {
    case 'start':
      state.lastForwardMs = nowMs;
      tick(state, nowMs);
      break;
    case 'tick':
      tick(state, nowMs);
      break;
    case 'publish':
      publish(state, event.input, nowMs);
      break;
    case 'select':
      select(state, event.input, nowMs);
      break;
    case 'close':
      close(state);
      break;
    default:
      if (event.attempt === event.input.attempt) handle(state, event, nowMs);
  }
  return state.effects;
}

/** Handles the event `unit`, the most frequent one, without allocating an object. */
export function stepUnit(
  state: FailoverState,
  input: InputState,
  attempt: number,
  unit: AccessUnit,
  nowMs: number,
): readonly FailoverEffect[] {
  state.effects = NOTHING;
  excuseStall(state, nowMs);
  // Units of an earlier connection are ignored.
  if (attempt === input.attempt) takeUnit(state, input, unit, nowMs);
  return state.effects;
}

function addEffect(state: FailoverState, effect: FailoverEffect): void {
  if (state.effects.length === 0) state.effects = [effect];
  else state.effects.push(effect);
}

function notify(state: FailoverState, notice: FailoverNotice): void {
  addEffect(state, { type: 'notice', notice });
}

/** Handles the events of the connection of an input, except `unit`. */
function handle(state: FailoverState, event: Exclude<FailoverInputEvent, { type: 'unit' }>, nowMs: number): void {
  const { input } = event;
  switch (event.type) {
    case 'tracks':
      if (!areSameFormats(input.tracks, event.tracks) && !input.trackChanges.take(nowMs)) {
        fail(state, input, { code: 'input_too_many_changes', ...because('tracks_keep_changing') }, nowMs, true);
        return;
      }
      forgetReplaced(input, event.tracks);
      input.tracks = event.tracks;
      input.leadId = event.tracks.find(({ content }) => content === 'video')?.id;
      if (isShown(state, input)) addEffect(state, { type: 'tracks', tracks: input.tracks });
      return;
    case 'splice':
      if (!input.splices.take(nowMs)) {
        const detail = 'splice messages come too often and are left out';
        takeProblem(state, input, { code: 'input_too_many_splices', detail }, nowMs);
      } else if (isShown(state, input)) addEffect(state, { type: 'forward-splice' });
      else input.pendingSplices.add(event.attempt, event.message);
      return;
    case 'problem':
      takeProblem(state, input, event.problem, nowMs);
      return;
    case 'ended':
      fail(state, input, event.end, nowMs, false);
      return;
    default:
      event satisfies never;
  }
}

/** Whether the connection of the input is on air. */
function isShown({ showing }: FailoverState, input: InputState): boolean {
  return showing.phase === 'input' && showing.input === input && showing.attempt === input.attempt;
}

/** Whether the input is on air, or was the last one on air. */
function isActive({ showing }: FailoverState, input: InputState): boolean {
  return showing.phase !== 'nothing' && showing.input === input;
}

function takeUnit(state: FailoverState, input: InputState, unit: AccessUnit, nowMs: number): void {
  if (input.link.phase !== 'running') framesArrived(state, input, nowMs);
  else if (nowMs - input.lastUnitMs > input.spec.framesTimeoutMs) {
    // A break in the frames that ended before a tick detected it still counts.
    fallSilent(state, input, nowMs);
    framesArrived(state, input, nowMs);
  }
  input.lastUnitMs = nowMs;
  if (unit.trackId === input.leadId && input.link.phase === 'running') input.link.hasLead = true;
  let isSwitch = false;
  let pending: readonly SpliceMessage[] | undefined;
  if (!isShown(state, input)) {
    if (!isEntry(input, unit, nowMs)) return;
    isSwitch = !isActive(state, input);
    const fromTicks = state.showing.phase === 'nothing' ? -Infinity : unit.ptsTicks;
    if (isSwitch) {
      if (!mayTakeOver(state, input, nowMs)) return;
      activate(state, input, nowMs);
    } else {
      if (state.showing.phase === 'input') addEffect(state, { type: 'rejoined' });
      enter(state, input, nowMs);
    }
    pending = input.pendingSplices.take(input.attempt, fromTicks);
  }
  if (input === state.preferred) state.isHurried = false;
  state.lastForwardMs = nowMs;
  if (state.effects.length === 0) state.effects = FORWARD;
  else addEffect(state, { type: 'forward' });
  if (pending?.length) addEffect(state, { type: 'pending-splices', messages: pending });
  if (isSwitch) reconcile(state, nowMs);
}

/** Puts another input on air. */
function activate(state: FailoverState, input: InputState, nowMs: number): void {
  const { showing, backup } = state;
  const before = showing.phase === 'nothing' ? undefined : showing.input;
  const why = before && (isGood(before, nowMs) ? 'it has priority' : 'the previous input gives no frames');
  notify(state, {
    event: 'input_switched',
    input: input.spec.label,
    ...(before && why ? { from: before.spec.label, detail: why } : {}),
  });
  if (before) {
    state.switches++;
    addEffect(state, { type: 'switched' });
  }
  if (before && before === backup) notify(state, { event: 'backup_stopped', input: before.spec.label });
  if (input === backup) notify(state, { event: 'backup_started', input: input.spec.label });
  enter(state, input, nowMs);
}

/** Puts the connection of an input on air. */
function enter(state: FailoverState, input: InputState, nowMs: number): void {
  const { showing } = state;
  const sinceMs = showing.phase === 'input' ? showing.sinceMs : nowMs;
  state.showing = { phase: 'input', input, attempt: input.attempt, sinceMs };
  state.retryCount = 0;
  addEffect(state, { type: 'tracks', tracks: input.tracks });
}

function framesArrived(state: FailoverState, input: InputState, nowMs: number): void {
  const { link } = input;
  const wasSilent = link.phase === 'silent';
  const openedMs = 'openedMs' in link ? link.openedMs : nowMs;
  input.link = { phase: 'running', openedMs, goodSinceMs: nowMs, hasLead: wasSilent && link.hasLead, isSteady: false };
  input.hasFailed = false;
  input.retryCount = 0;
  if (wasSilent) notify(state, { event: 'frames_restored', input: input.spec.label });
  else if (input.isLossReported) notify(state, { event: 'input_restored', input: input.spec.label });
  input.isLossReported = false;
}

function fallSilent(state: FailoverState, input: InputState, nowMs: number): void {
  const { link, spec } = input;
  if (link.phase !== 'running') return;
  input.link = { phase: 'silent', openedMs: link.openedMs, hasLead: link.hasLead };
  noteLoss(input, nowMs);
  const end: InputEnd = { code: 'input_stalled', ...noFrameFor(nowMs - input.lastUnitMs) };
  noteFault(input, end, nowMs);
  addEffect(state, { type: 'problem', problem: { code: end.code, ...ofInput(state, input, end) } });
  notify(state, { event: 'frames_timed_out', input: spec.label, ...end });
}

/** Handles the end of a connection, or closes it (`mustEnd`). */
function fail(
  state: FailoverState,
  input: InputState,
  { code, detail, explanation }: InputEnd,
  nowMs: number,
  mustEnd: boolean,
): void {
  const { spec } = input;
  const end: InputEnd = { code, detail, explanation };
  const { retryLimit } = state;
  if (input.link.phase === 'running') noteLoss(input, nowMs);
  drop(state, input);
  input.hasFailed = true;
  noteFault(input, end, nowMs);
  if (!spec.make) input.link = { phase: 'waiting' };
  else input.link = { phase: retryLimit !== null && input.retryCount >= retryLimit ? 'given_up' : 'error' };
  input.retryAtMs = nowMs + input.backOff.next();
  if (!input.isLossReported) notify(state, { event: 'input_lost', input: spec.label, ...end });
  input.isLossReported = true;
  if (input.link.phase === 'given_up') notify(state, { event: 'input_given_up', input: spec.label, ...end });
  const isOneOfMany = state.inputs.length > 1 || input === state.backup;
  addEffect(state, { type: 'problem', problem: isOneOfMany ? { ...end, ...ofInput(state, input, end) } : end });
  reconcile(state, nowMs);
  if (!spec.make) addEffect(state, { type: 'release', input, isGone: true, ...(mustEnd ? { end } : {}) });
}

/** Explanation of an end that names the input. */
function ofInput(state: FailoverState, input: InputState, explanation: Explained): Explained {
  if (input === state.backup) return because('backup_failed', { explanation });
  return because('input_failed', { number: state.inputs.indexOf(input) + 1, explanation });
}

/** Closes the connection of an input; its later events are ignored. */
function drop(state: FailoverState, input: InputState): void {
  if (input.spec.make && 'openedMs' in input.link)
    addEffect(state, { type: 'disconnect', input, attempt: input.attempt });
  input.attempt++;
}

/** Starts a connection. */
function connect(input: InputState, nowMs: number): void {
  input.attempt++;
  input.leftOut = [];
  input.link = { phase: 'opening', openedMs: nowMs };
}

function open(state: FailoverState, input: InputState, nowMs: number): void {
  if (state.isClosed || !input.spec.make) return;
  connect(input, nowMs);
  addEffect(state, { type: 'open', input, attempt: input.attempt });
}

/** Opens an input, or closes it because a better one is on air. */
function setNeeded(state: FailoverState, input: InputState, isNeeded: boolean, nowMs: number): void {
  if (!input.spec.make || input.isNeeded === isNeeded) return;
  input.isNeeded = isNeeded;
  if (input.link.phase === 'given_up') return;
  if (isNeeded) {
    if (nowMs >= input.retryAtMs) open(state, input, nowMs);
    else input.link = { phase: 'error' };
    return;
  }
  drop(state, input);
  input.link = { phase: 'standby' };
  input.hasFailed = false;
}

/** Opens all inputs up to the one on air, and closes later ones. Without frames, each failed attempt opens one more input. */
function reconcile(state: FailoverState, nowMs: number): void {
  if (state.isClosed) return;
  const { showing, order, backup } = state;
  const active = showing.phase === 'nothing' ? undefined : showing.input;
  const isActiveGood = active !== undefined && isGood(active, nowMs);
  if (isActiveGood && active !== backup) state.reach = order.indexOf(active);
  else {
    const first = order.findIndex((input) => hasChance(input, nowMs));
    state.reach = Math.max(state.reach, first < 0 || isActiveGood ? order.length - 1 : first);
  }
  for (const [index, input] of order.entries()) setNeeded(state, input, index <= state.reach, nowMs);
  if (!backup) return;
  if (active !== backup && isActiveGood) setNeeded(state, backup, false, nowMs);
  else if (nowMs - state.lastForwardMs >= state.backupAfterMs && !state.inputs.some((input) => isGood(input, nowMs)))
    setNeeded(state, backup, true, nowMs);
}

function tick(state: FailoverState, nowMs: number): void {
  if (state.isClosed) return;
  state.nextTickMs = nowMs + FAILOVER_TICK_MS;
  addEffect(state, { type: 'timer', afterMs: FAILOVER_TICK_MS });
  for (const input of state.inputs) tickInput(state, input, nowMs);
  if (state.backup) tickInput(state, state.backup, nowMs);
  endOutput(state, nowMs);
  reconcile(state, nowMs);
}

/** Detects silence and time-outs of an input, and opens it again when its next attempt is due. */
function tickInput(state: FailoverState, input: InputState, nowMs: number): void {
  const { framesTimeoutMs, sourceTimeoutMs } = input.spec;
  if (input.link.phase === 'running') {
    if (nowMs - input.lastUnitMs > framesTimeoutMs) fallSilent(state, input, nowMs);
    else if (!input.link.isSteady && goodForMs(input, nowMs) >= STEADY_MS) {
      input.link.isSteady = true;
      input.backOff.reset();
    }
  }
  const { link } = input;
  if (link.phase === 'opening' || link.phase === 'silent') {
    const quietMs = nowMs - Math.max(link.openedMs, input.lastUnitMs);
    if (quietMs < sourceTimeoutMs) return;
    fail(state, input, { code: 'input_timed_out', ...noFrameFor(quietMs) }, nowMs, true);
  } else if (link.phase === 'error' && input.isNeeded && nowMs >= input.retryAtMs) {
    input.retryCount++;
    if (state.showing.phase !== 'input') state.retryCount++;
    open(state, input, nowMs);
  }
}

/** Ends open segments when the input on air has left permanently, or for longer than an encoder needs to reconnect. */
function endOutput(state: FailoverState, nowMs: number): void {
  const { showing } = state;
  if (showing.phase !== 'input' || isLinked(showing.input)) return;
  const { input } = showing;
  if (nowMs - input.lastUnitMs < Math.min(input.spec.sourceTimeoutMs, REJOIN_MS)) return;
  state.showing = { phase: 'idle', input };
  addEffect(state, { type: 'idle' });
  notify(state, { event: 'stream_idle', input: input.spec.label });
}

function publish(state: FailoverState, input: InputState, nowMs: number): void {
  input.attempt++;
  const end: InputEnd = { code: 'publish_kicked', ...because('encoder_replaced') };
  addEffect(state, { type: 'release', input, isGone: false, end });
  connect(input, nowMs);
}

function select(state: FailoverState, input: InputState | undefined, nowMs: number): void {
  state.preferred = input;
  state.isHurried = input !== undefined;
  state.order = input ? [input, ...state.byPriority.filter((other) => other !== input)] : state.byPriority;
  notify(state, {
    event: 'input_selected',
    ...(input ? { input: input.spec.label } : because('selected_by_priority')),
  });
  if (input) forgive(state, input, nowMs);
  reconcile(state, nowMs);
}

/** Clears the failures of an input: the next attempt starts at once. */
function forgive(state: FailoverState, input: InputState, nowMs: number): void {
  input.backOff.reset();
  input.retryAtMs = 0;
  input.retryCount = 0;
  input.losses = [];
  if (input.link.phase !== 'given_up' && input.link.phase !== 'error') return;
  input.link = { phase: input.spec.make ? 'standby' : 'waiting' };
  if (input.isNeeded) open(state, input, nowMs);
}

function close(state: FailoverState): void {
  state.isClosed = true;
  state.nextTickMs = Infinity;
  addEffect(state, { type: 'cancel-timer' });
  const end: InputEnd = { code: 'publish_kicked', ...because('stream_closed') };
  for (const input of [...state.inputs, ...(state.backup ? [state.backup] : [])]) {
    drop(state, input);
    input.isNeeded = false;
    input.link = { phase: input.spec.make ? 'standby' : 'waiting' };
    if (!input.spec.make) addEffect(state, { type: 'release', input, isGone: false, end });
  }
}

function takeProblem(state: FailoverState, input: InputState, problem: FormatProblem, nowMs: number): void {
  noteFault(input, problem, nowMs);
  noteLeftOut(input, problem);
  const { label } = input.spec;
  const { code, detail, explanation } = problem;
  if (isActive(state, input)) addEffect(state, { type: 'problem', problem });
  if (state.problemThrottle.isDue(`${label} ${code}`, nowMs))
    notify(state, { event: 'input_problem', input: label, code, detail, explanation });
}
