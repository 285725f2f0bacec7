import type { FailoverState, InputState } from './failover-state.ts';

/** How often the clock is looked at: no time-out is noticed later than this, in milliseconds. */
export const FAILOVER_TICK_MS = 250;
/** A look at the clock that comes later than this was not kept by other work: the thread or its machine stood still, in milliseconds. */
const LATE_MS = 250;

/**
 * Leaves the time out in which this thread stood still: what could not be taken meanwhile is no silence of inputs. Otherwise a machine that stalls
 * for three seconds would lose the inputs of all its streams at once. The time before the look that is late still counts.
 */
export function excuseStandStill(state: FailoverState, nowMs: number): void {
  const lateMs = nowMs - state.lookAtMs;
  if (lateMs <= LATE_MS) return;
  state.lookAtMs = nowMs;
  state.lastForwardMs += lateMs;
  for (const input of state.inputs) excuse(input, lateMs);
  if (state.backup) excuse(state.backup, lateMs);
}

function excuse(input: InputState, lateMs: number): void {
  if (input.lastUnitMs > 0) input.lastUnitMs += lateMs;
  if ('openedMs' in input.link) input.link = { ...input.link, openedMs: input.link.openedMs + lateMs };
}

/** What a fault says of it. */
export function noFrameFor(ms: number): string {
  return `no frame for ${(ms / 1000).toFixed(1)} s`;
}
