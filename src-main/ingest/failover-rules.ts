import type { AccessUnit } from '../media/access-unit.ts';
import type { FailoverState, InputState } from './failover-state.ts';

/** Time for which a better input must send steady frames before it goes on air again, in milliseconds. */
const RETURN_MS = 10_000;
/**
 * Time without frames after which any good input is accepted, in milliseconds, counted from the time-out of the input
 * on air.
 */
const STARVING_MS = 2000;
/** Time within which two losses make an input unsteady, in milliseconds. */
const UNSTEADY_MS = 60_000;
/** Time without a frame of an announced video track after which the audio goes on air alone, in milliseconds. */
const NO_VIDEO_MS = 3000;

/** Whether frames arrive: false at once when the connection ends, otherwise after the `frames_timeout` of the input. */
export function isGood({ link, lastUnitMs, spec }: InputState, nowMs: number): boolean {
  return link.phase === 'running' && nowMs - lastUnitMs <= spec.framesTimeoutMs;
}

/** Time for which frames have arrived without a break, in milliseconds. */
export function goodForMs(input: InputState, nowMs: number): number {
  return input.link.phase === 'running' && isGood(input, nowMs) ? nowMs - input.link.goodSinceMs : 0;
}

/** Whether an input may still send its first frame in time, so that the next input is not tried yet. */
export function hasChance(input: InputState, nowMs: number): boolean {
  const { link, hasFailed, spec } = input;
  switch (link.phase) {
    case 'standby':
      return true;
    case 'opening':
      return !hasFailed && nowMs - link.openedMs < spec.framesTimeoutMs;
    default:
      return isGood(input, nowMs);
  }
}

/** Whether the connection that sent the last frame still exists. */
export function isLinked({ link }: InputState): boolean {
  return link.phase === 'running' || link.phase === 'silent';
}

/** Whether an input was lost twice within a minute. */
function isUnsteady({ losses }: InputState, nowMs: number): boolean {
  return losses.filter((atMs) => nowMs - atMs < UNSTEADY_MS).length >= 2;
}

/**
 * Whether the output can start with this unit: a random access point of the video, or of the audio if no video was
 * announced or no picture arrives.
 */
export function isEntry({ link, leadId }: InputState, unit: AccessUnit, nowMs: number): boolean {
  if (!unit.isRandomAccess) return false;
  if (leadId === undefined || unit.trackId === leadId) return true;
  return link.phase === 'running' && !link.hasLead && nowMs - link.goodSinceMs > NO_VIDEO_MS;
}

/**
 * Whether an input goes on air at its current random access point.
 * - If nothing was on air yet: any input.
 * - If the input on air sends no frames: the best input with frames; after two more seconds, any input with frames.
 * - A better input after ten steady seconds. An encoder that reconnected, and any input after the backup file, need not wait,
 *   unless they were lost twice within a minute.
 * - A selected input at once; if it was on air and was lost, it returns like the best one.
 */
export function mayTakeOver(state: FailoverState, input: InputState, nowMs: number): boolean {
  const { showing, backup, inputs, order } = state;
  if (state.isClosed) return false;
  if (showing.phase === 'nothing' || (state.isHurried && input === state.preferred)) return true;
  const { input: active } = showing;
  if (!isGood(active, nowMs)) {
    const isBest =
      input === backup
        ? !inputs.some((other) => isGood(other, nowMs))
        : order.find((other) => isGood(other, nowMs)) === input;
    return isBest || nowMs - active.lastUnitMs > active.spec.framesTimeoutMs + STARVING_MS;
  }
  const isOutranked = input !== backup && (active === backup || order.indexOf(input) < order.indexOf(active));
  if (!isOutranked) return false;
  const isWelcome = (active === backup || !input.spec.make) && !isUnsteady(input, nowMs);
  return isWelcome || goodForMs(input, nowMs) >= RETURN_MS;
}
