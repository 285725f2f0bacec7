import type { PushFault } from './target/push-target.ts';

/**
 * `planned`: its start is later; `pending`: waits for frames of the stream; `starting`: connects, or waits for a key frame;
 * `running`: the target takes frames; `retry`: waits for the next attempt; `error`: no more attempts, until the settings
 * change; `ended`: its planned end has passed.
 */
export type PushPhase = 'planned' | 'pending' | 'starting' | 'running' | 'retry' | 'error' | 'ended';

/** State of a push. */
export interface PushState {
  readonly phase: PushPhase;
  /** Start of the phase, in epoch milliseconds. */
  readonly sinceMs: number;
  /** Number of attempts since the push last ran for `STEADY_MS`, with the current one. */
  readonly tries: number;
  /** Whether the stream has frames. */
  readonly hasFrames: boolean;
  /** Last fault; absent after a push that runs for `STEADY_MS`. */
  readonly fault?: PushFault;
}

/** Rules for attempts, and the time in which there may be any. */
export interface PushRules {
  /** Wait between attempts, in milliseconds. */
  readonly retryMs: number;
  /** Maximum number of attempts after the first one; null for no limit. */
  readonly retryLimit: number | null;
  /** Time of the first attempt, in epoch milliseconds; absent for any time. */
  readonly startAtMs?: number;
  /** Time from which there is no connection, in epoch milliseconds; absent for no end. */
  readonly stopAtMs?: number;
}

/** Event in the course of a push. */
export type PushStep =
  /** The stream has frames. */
  | { readonly kind: 'frames' }
  /** The stream has had no frames for so long that the connection is closed. */
  | { readonly kind: 'idle' }
  /** The first frame was sent. */
  | { readonly kind: 'sent' }
  /** The attempt failed, or the connection ended. A final fault cannot change with another attempt. */
  | { readonly kind: 'failed'; readonly fault: PushFault; readonly isFinal?: true }
  /** The tracks of the stream changed, so that a final fault may be over. */
  | { readonly kind: 'tracks' }
  /** Time has passed. */
  | { readonly kind: 'tick' };

/** Time for which a push must run before its attempts count from 0 again, in milliseconds. */
export const STEADY_MS = 10_000;

/** State of a new push. */
export function newPush(nowMs: number): PushState {
  return { phase: 'pending', sinceMs: nowMs, tries: 0, hasFrames: false };
}

/** Reports whether a push has a connection to its target, or makes one. */
export function isOpen({ phase }: Pick<PushState, 'phase'>): boolean {
  return phase === 'starting' || phase === 'running';
}

/** State after an event. An event that has no meaning in a phase changes nothing. */
export function stepPush(state: PushState, step: PushStep, rules: PushRules, nowMs: number): PushState {
  const outside = phaseOutside(rules, nowMs);
  if (outside === undefined) return stepInTime(isOutside(state) ? newPush(nowMs) : state, step, rules, nowMs);
  return state.phase === outside ? state : { ...newPush(nowMs), phase: outside };
}

/** Planned times of a push, in epoch milliseconds. */
interface PushPlan {
  readonly startAtMs?: number | null;
  readonly stopAtMs?: number | null;
}

/** Phase before the planned start and from the planned end on; undefined between them. The end counts before the start. */
export function phaseOutside({ startAtMs, stopAtMs }: PushPlan, nowMs: number): 'planned' | 'ended' | undefined {
  if (nowMs >= (stopAtMs ?? Infinity)) return 'ended';
  return nowMs < (startAtMs ?? -Infinity) ? 'planned' : undefined;
}

function isOutside({ phase }: PushState): boolean {
  return phase === 'planned' || phase === 'ended';
}

function stepInTime(state: PushState, step: PushStep, rules: PushRules, nowMs: number): PushState {
  switch (step.kind) {
    case 'frames':
      return state.phase === 'pending' ? start(state, nowMs) : { ...state, hasFrames: true };
    case 'idle':
      if (!isOpen(state)) return { ...state, hasFrames: false };
      return { phase: 'pending', sinceMs: nowMs, tries: 0, hasFrames: false };
    case 'sent':
      return state.phase === 'starting' ? { ...state, phase: 'running', sinceMs: nowMs } : state;
    case 'failed':
      return isOpen(state) ? fail(state, step, rules, nowMs) : state;
    case 'tracks':
      return state.phase === 'error' ? newPush(nowMs) : state;
    case 'tick':
      return tick(state, rules, nowMs);
  }
}

function start({ tries, fault }: PushState, nowMs: number): PushState {
  return { phase: 'starting', sinceMs: nowMs, tries: tries + 1, hasFrames: true, ...(fault ? { fault } : {}) };
}

function fail(
  state: PushState,
  { fault, isFinal }: Extract<PushStep, { readonly kind: 'failed' }>,
  { retryLimit }: PushRules,
  nowMs: number,
): PushState {
  const tries = isSteady(state, nowMs) ? 1 : state.tries;
  const isOver = isFinal === true || (retryLimit !== null && tries > retryLimit);
  return { ...state, phase: isOver ? 'error' : 'retry', sinceMs: nowMs, tries, fault };
}

function tick(state: PushState, { retryMs }: PushRules, nowMs: number): PushState {
  if (state.phase === 'retry' && nowMs - state.sinceMs >= retryMs)
    return state.hasFrames ? start(state, nowMs) : { ...state, phase: 'pending', sinceMs: nowMs };
  if (!isSteady(state, nowMs) || (state.tries === 1 && !state.fault)) return state;
  const { fault: _fault, ...rest } = state;
  return { ...rest, tries: 1 };
}

/** Reports whether a push has run for `STEADY_MS`. */
export function isSteady({ phase, sinceMs }: PushState, nowMs: number): boolean {
  return phase === 'running' && nowMs - sinceMs >= STEADY_MS;
}
