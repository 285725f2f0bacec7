import { because, type Explained } from '../../src-preload/contract/explanations/explanations.ts';
import type { FailoverState, InputState } from './failover-state.ts';

/** Interval of time-out checks, and so the maximum delay of a time-out, in milliseconds. */
export const FAILOVER_TICK_MS = 250;
/** Minimum delay of a tick that shows that the thread or the machine was stalled, in milliseconds. */
const LATE_MS = 250;

/**
 * Excludes a time in which this thread was stalled from the silence of inputs. Otherwise a machine that stalls for
 * three seconds would lose the inputs of all streams at once. The time before the tick was due still counts.
 */
export function excuseStall(state: FailoverState, nowMs: number): void {
  const lateMs = nowMs - state.nextTickMs;
  if (lateMs <= LATE_MS) return;
  state.nextTickMs = nowMs;
  state.lastForwardMs += lateMs;
  for (const input of state.inputs) excuse(input, lateMs);
  if (state.backup) excuse(state.backup, lateMs);
}

function excuse(input: InputState, lateMs: number): void {
  if (input.lastUnitMs > 0) input.lastUnitMs += lateMs;
  if ('openedMs' in input.link) input.link = { ...input.link, openedMs: input.link.openedMs + lateMs };
}

/** Explanation of a fault: no frame came for this time. */
export function noFrameFor(ms: number): Explained {
  return because('no_frame', { seconds: Math.round(ms / 100) / 10 });
}
