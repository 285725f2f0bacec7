/** Reason for ending a run. */
export type RunEnd = 'removed' | 'restart' | 'no_viewers' | 'publisher_left';

/**
 * State of the run of a stream. A run is the time for which the stream is open on one media thread. The number of a
 * run is never reused.
 */
export type RunState =
  | { readonly kind: 'idle' }
  /** The engine has the run; it was not measured yet. */
  | { readonly kind: 'opening'; readonly runId: number }
  | { readonly kind: 'running'; readonly runId: number }
  /** The engine was asked to end the run. */
  | { readonly kind: 'ending'; readonly runId: number; readonly next: RunEnd }
  /** The stream was removed permanently. */
  | { readonly kind: 'absent' };

/** Step of a run. */
export type RunStep =
  | { readonly kind: 'open'; readonly runId: number }
  | { readonly kind: 'measured' }
  | { readonly kind: 'end'; readonly next: RunEnd }
  | { readonly kind: 'ended' }
  /** The media thread died. */
  | { readonly kind: 'lost' };

/** Returns the state after a step; throws for a step that is not possible in the state. */
export function nextRunState(state: RunState, step: RunStep): RunState {
  const isOpen = state.kind === 'opening' || state.kind === 'running';
  switch (step.kind) {
    case 'open':
      if (state.kind === 'idle') return { kind: 'opening', runId: step.runId };
      break;
    case 'measured':
      if (isOpen) return { kind: 'running', runId: state.runId };
      // Measurements that were sent before the end was requested may still arrive.
      return state;
    case 'end':
      if (isOpen) return { kind: 'ending', runId: state.runId, next: step.next };
      if (state.kind === 'idle') return step.next === 'removed' ? { kind: 'absent' } : state;
      break;
    case 'ended':
      if (state.kind === 'ending') return { kind: state.next === 'removed' ? 'absent' : 'idle' };
      break;
    case 'lost':
      if (isOpen) return { kind: 'idle' };
      break;
    default:
      step satisfies never;
  }
  throw new Error(`A stream that is ${state.kind} cannot take the step ${step.kind}`);
}
